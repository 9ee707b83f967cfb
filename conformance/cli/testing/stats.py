# SPDX-License-Identifier: BSD-2-Clause
# usage: stats.py TABLES STATS DECODED CHECKED
# `goldwire stats --json` holds what `decode --json` and `check --json` tell of the same capture: values of the fields that the
# format's table tallies, response times, answers, findings. Prints what differs.
import collections
import json
import re
import sys

tables, stats, decoded, checked = sys.argv[1:]
style, named, field = {}, {}, None
for line in open(tables):
    told = re.match(r"  ([a-z0-9_]+\.[a-z0-9_.]+) ", line)
    if told:
        field = told[1]
        tally = re.search(r'\b(each|mean) "([^"]*)"', line)
        if tally:
            style[field] = (tally[1], tally[2], line.split(" | ")[1], " 1 bit bool " in line)
    value = re.match(r"    (\d+) = (.*)", line)
    if value:
        named[field, int(value[1])] = value[2]

stats = json.load(open(stats))
formats = [f for f in stats["formats"] if f["proto"] == tables.split("/")[-1].split(".")[0]]
assert len(formats) == 1, "no such format"
f = formats[0]
messages = [m for m in map(json.loads, open(decoded)) if m["proto"] == f["proto"]]
findings, summary = [], None
for line in map(json.loads, open(checked)):
    if "summary" in line:
        summary = line["summary"]


def number(value):
    return int(value, 16) if isinstance(value, str) and value.startswith("0x") else value


wanted = collections.Counter()
sums = collections.Counter()
times, response_frames = [], 0
for m in messages:
    for item in m["fields"] + m["generated"]:
        if item["name"] not in style:
            continue
        kind, heading, label, flag = style[item["name"]]
        value = number(item["value"])
        if flag and value == 0:
            continue
        if kind == "mean" or flag:
            name = label
        else:
            name = named.get((item["name"], value), value)
            name = name if isinstance(name, str) else str(name)
        wanted[heading, name] += 1
        if kind == "mean":
            sums[heading, name] += value
    asked = [g for g in m["generated"] if g["name"] == f["proto"] + ".response_time"]
    times += [int(g["value"].replace(".", "")) for g in asked]


def shown(row):
    name = row["name"]
    if re.fullmatch(r"0x[0-9a-f]+", name):
        return str(int(name, 16))
    return name


def differ(what, expected, got):
    if expected != got:
        print(f"{what}: {expected} expected, {got} told")


differ("messages", len(messages), sum(r["count"] for r in f["messages"]))
differ("values", dict(wanted), {(r["heading"], shown(r)): r["count"] for r in f["fields"]})
differ("sums", dict(sums), {(r["heading"], shown(r)): r["sum"] for r in f["fields"] if "sum" in r})
for table in ("response_times_by_kind", "response_times_by_board"):
    rows = f[table]
    if table == "response_times_by_board" and any(m["src"] is None for m in messages):
        continue  # links have no addresses
    got = (sum(r["count"] for r in rows), sum(r["sum"] for r in rows))
    differ(table, (len(times), sum(times)), got)
    if times:
        differ(table, (min(times), max(times)), (min(r["least"] for r in rows), max(r["most"] for r in rows)))
differ("histogram", len(times), sum(r["count"] for r in f["response_time_histogram"]))
for row in f["response_time_histogram"]:
    if len(f["response_times_by_kind"]) == 1:
        below = sum(t < row["below"] for t in times) - sum(t < row["below"] // 2 for t in times)
        differ("histogram below %d" % row["below"], below if row["below"] > 2 else row["count"], row["count"])
answers = {r["name"]: r["count"] for r in f["answers"]}
differ("first answers", sum(any(g["name"] == f["proto"] + ".response_to" for g in m["generated"]) for m in messages),
       answers.get("First answer", 0))
if len(stats["formats"]) == 1:
    differ("findings", {(r["level"], r["rule"]): r["count"] for r in summary["rules"]},
           {(r["heading"], r["name"]): r["count"] for r in f["findings"]})
    for relation, name in (("unsolicited", "No request captured"), ("stale", "Too late"), ("duplicate", "Repeated")):
        differ(relation, summary["relations"][relation], answers.get(name, 0))
if all(m["src"] for m in messages):
    differ("sent", len(messages), sum(r["messages_sent"] for r in f["endpoints"]))
    differ("talk", len(messages), sum(r["messages_from_a"] + r["messages_from_b"] for r in f["conversations"]))
    differ("bytes", sum(m["len"] for m in messages), sum(r["bytes_sent"] for r in f["endpoints"]))
