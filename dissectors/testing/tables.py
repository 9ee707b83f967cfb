# SPDX-License-Identifier: GPL-2.0-or-later
# usage: tables.py FOLDER
# Compares, number by number, each table of `tshark -z` with `goldwire stats --json` of the same trace: FOLDER holds
# NAME.PROTO.tables, NAME.stats and NAME.decoded (`decode --json`) of each. Names of boards, which stats does not have, are
# told by what was decoded. Prints what differs, and what was compared. Exit status 1 when more differs than has to.
import collections
import glob
import json
import os
import re
import sys

# What Wireshark does not hand to a plugin, or the plugin does not look at: so many rows may differ, and these by what is
# missing in tshark's.
STREAM_ENDS = "what a TCP stream breaks off with is never handed on"
NOT_HANDED_ON = "InfiniBand that a capture cut, or that contradicts itself, is not handed on"
LIMITS = {
    "litex-server": (12, STREAM_ENDS),
    "tcp-ends": (11, STREAM_ENDS),
    "tcp-disturbed": (5, STREAM_ENDS),
    "textarossa-switch": (3, STREAM_ENDS),
    "truncated": (7, "datagrams without a captured byte are not handed on"),
    "textarossa-node": (6, "datagrams without a byte are not handed on"),
    "ims-truncated": (11, NOT_HANDED_ON),
    "ims-truncated-erf": (11, NOT_HANDED_ON),
    "ims-broken-native": (11, NOT_HANDED_ON),
    "ims-foreign": (10, "InfiniBand of other kinds is not handed on"),
    "ims-buf": (11, "InfiniBand of other kinds is not handed on"),
    "textarossa-arp-broken": (4, "ARP is not looked at"),
    "textarossa-link-rtl": (1, "the end of a capture is not known"),
}

# ---- what tshark printed ----

NUMBER = r"-?\d+(?:\.\d+)?"
SERVICE_ROW = re.compile(rf"^ +\d+  (.*?) +(\d+) +({NUMBER}) +({NUMBER}) +({NUMBER}) +({NUMBER})$")
# "16  928", and "16  928 bytes" from 4.6 on.
END_ROW = re.compile(r"^(.*?)" + r" +(\d+) +(\d+(?: [a-zA-Z]+)?)" * 3 + r" *$")
TALK_ROW = re.compile(r"^(.*?) +<-> (.*?) +(\d+) (\d+ [a-zA-Z]+) +(\d+) (\d+ [a-zA-Z]+) +(\d+) (\d+ [a-zA-Z]+) ")


def service_tables(lines):
    """Response times: {("Request", "Address" or "Board", name): (calls, least, most, sum)}, times in microseconds."""
    found, column = {}, None
    for line in lines:
        if line.startswith("Index  "):
            column = line.split()[1]
        row = SERVICE_ROW.match(line) if column else None
        if row:
            least, most, _, total = (round(float(t) * 1e6) for t in row.groups()[2:])
            found[column, row[1]] = (int(row[2]), least, most, total)
    return found


def tree(lines):
    """A tree of counts: {(heading, item): (count, ...)}; behind the count the mean, least and most where there are."""
    found, heading, places, width = {}, None, None, None
    for line in lines:
        if line.startswith("Topic / Item"):
            columns = [line.index(column) for column in ("Count", "Average", "Min Val", "Max Val", "Rate")]
            width, places = [at - columns[0] for at in columns], None
        elif width and line and not line.startswith("---"):
            # The first column is as wide as its longest row needs, which the headings are not.
            places = places or [re.match(r".*?\S {2,}(?=\S)", line).end() + at for at in width]
            name = line[:places[0]].rstrip()
            cells = [line[a:b].strip() for a, b in zip(places, places[1:])]
            if not name.startswith(" "):
                heading = name
            item = name[1:] if name.startswith(" ") else None
            found[heading, item] = tuple(float(v) if "." in v else int(v) for v in cells if v)
    return found


def sections(path):
    """The tables of one run: {title: lines}."""
    found, title = collections.defaultdict(list), None
    with open(path, encoding="utf-8") as file:
        for line in map(str.rstrip, file):
            # "EtherBone/Messages:", and "EtherBone / Messages:" from 4.4 on.
            if re.match(r"^[^ ].*/ ?[A-Z][a-z ]+:$", line):
                title = line[:-1].split("/")[1].strip()
            elif line.endswith(" SRT Statistics:"):
                title = "Service"
            elif line.endswith((" Endpoints", " Conversations")):
                title = line.split(" ")[-1]
            elif title and not line.startswith("==="):
                found[title].append(line)
    return found


def ends(lines):
    """Endpoints: {name: (sent, bytes, received, bytes)}, of bytes the least and the most."""
    rows = map(END_ROW.match, lines)
    return {row[1]: (int(row[4]), size(row[5]), int(row[6]), size(row[7])) for row in rows if row}


def size(text):
    """The least and the most that "12 kB" may be."""
    value, unit = (text.split() + ["bytes"])[:2]
    scale = {"bytes": 1, "kB": 1000, "MB": 10**6}[unit]
    return int(value) * scale, (int(value) + 1) * scale - 1


def talks(lines):
    """Conversations: {(a, b): (from a, bytes, from b, bytes)}, of bytes the least and the most."""
    rows = map(TALK_ROW.match, lines)
    return {(row[1], row[2]): (int(row[5]), size(row[6]), int(row[3]), size(row[4])) for row in rows if row}


# ---- what differs ----

def most(numbers):
    """The count that a row begins with."""
    return numbers[0] if isinstance(numbers, (tuple, list)) else numbers or 0


class Comparison:
    def __init__(self, name, proto):
        self.name = f"{name} ({proto})"
        self.limit, self.why = LIMITS.get(name, (0, None))
        self.numbers = 0
        self.different = []
        self.wrong = 0

    def differ(self, what, told, shown):
        self.different.append(f"{self.name}: {what}: stats tells {told}, tshark shows {shown}")
        # What is not handed on is missing from tshark's tables, and from nothing else.
        self.wrong += most(shown) > most(told)

    def judge(self):
        """Whether no more differs than has to."""
        if len(self.different) <= self.limit and not self.wrong:
            return True
        print("\n".join(self.different))
        if self.why:
            print(f"{self.name}: {len(self.different)} rows differ, {self.limit} are expected to: {self.why}")
        return False

    def same(self, what, told, shown):
        """Two tables, {row: number or numbers}, that must hold the same."""
        for row in sorted(set(told) | set(shown), key=str):
            self.numbers += 1
            if told.get(row) != shown.get(row):
                self.differ(f"{what}, {row}", told.get(row), shown.get(row))


def microseconds(row):
    """Nanoseconds as tshark shows them."""
    return row["count"], *((int(row[key]) + 500) // 1000 for key in ("least", "most", "sum"))


def service(compare, told, shown):
    for column, key in (("Request", "response_times_by_kind"), ("Address", "response_times_by_address"),
                        ("Register", "response_times_by_register")):
        rows = {name: values for (of, name), values in shown.items() if of == column}
        compare.same(key, {row["name"]: microseconds(row) for row in told[key]}, rows)


def counted(rows):
    return {(row["heading"] if "heading" in row else None, row["name"]): row["count"] for row in rows}


def messages(compare, told, shown):
    kinds = {item: values[0] for (heading, item), values in shown.items() if heading == "Messages" and item}
    compare.same("messages", {row["name"]: row["count"] for row in told["messages"]}, kinds)
    fields = {}
    for row in told["fields"]:
        fields[row["heading"], row["name"]] = (row["count"],)
        if "sum" in row:
            mean = round(int(row["sum"]) / row["count"] + 1e-9, 2)
            fields[row["heading"], row["name"]] += (mean, int(row["least"]), int(row["most"]))
    compare.same("fields", fields, {key: values for key, values in shown.items() if key[0] != "Messages" and key[1]})


def findings(compare, told, shown):
    rules, stopped = {}, {}
    for (heading, item), values in shown.items():
        if item and heading == "Decoding stopped":
            stopped[item] = values[0]
        elif item:
            rules[heading, item.split(":")[0]] = values[0]
    compare.same("findings", counted(told["findings"]), rules)
    compare.same("decoding_stopped", {row["name"]: row["count"] for row in told["decoding_stopped"]}, stopped)


def answers(compare, told, shown):
    for heading, key in (("Requests", "requests"), ("Answers", "answers")):
        rows = {item: values[0] for (of, item), values in shown.items() if of == heading and item}
        compare.same(key, {row["name"]: row["count"] for row in told[key]}, rows)


# ---- who talks to whom: by the carrier's addresses in stats, by the names that the format has for boards in Wireshark ----

def fields_of(message):
    return {item["name"]: item["value"] for item in reversed(message["fields"] + message["generated"])}


def carrier_ends(message):
    return message["src"], message["dst"]


def node_ends(message):
    """OP2P: chassis and slot."""
    fields = fields_of(message)
    if "op2p.fbe" not in fields:
        return None, None
    return ["partner" if number == 0 else f"{number // 64}.{number % 64}" for number in (fields["op2p.src.id"], fields["op2p.dst.id"])]


def queue_ends(message):
    """IMS: addresses and queue pairs."""
    fields = fields_of(message)
    names = []
    for end, field in (("src", "ims.deth.src_qp"), ("dst", "ims.bth.dest_qp")):
        place = re.sub(r"/qp:0x.*$|(?<=.):[0-9]+$", "", message[end]) if message[end] else None
        names.append(f"{place}/qp:0x{fields[field]:02x}" if place and field in fields else place)
    return names


def torus_ends(message):
    """TEXTAROSSA: a header says where it goes, unless nothing in it can be trusted."""
    fields = fields_of(message)
    if fields.get("textarossa.edac.status") == "corrected":
        raise NotImplementedError  # fields tell what came, the name what was meant
    if "textarossa.edac" not in fields or fields.get("textarossa.edac.status") == "fatal":
        return None, None
    return None, ".".join(str(fields[f"textarossa.dest_{axis}"]) for axis in "xyz")


def ringlet_ends(message):
    """The farm: numbers of SCI's nodes. Tags, edges, bursts and the tunnel name others, which are not followed here."""
    fields = fields_of(message)
    if "l1farm.sci.kind" not in fields:
        raise NotImplementedError
    if fields["l1farm.sci.kind"] > 1 or "l1farm.sci.source" not in fields or "l1farm.sci.crc" not in fields:
        return None, None
    return tuple(f"0x{fields['l1farm.sci.' + end]:x}" for end in ("source", "target"))


NAMES = {"etherbone": carrier_ends, "op2p": node_ends, "ims": queue_ends, "textarossa": torus_ends, "l1farm": ringlet_ends}


def named(proto, message):
    """Both ends as the plugin names them; an end that nobody names is None."""
    names = list(NAMES[proto](message))
    by_format = names[0] is not None and proto != "etherbone"
    for i, end in enumerate(("src", "dst")):
        names[i] = names[i] or message[end]
    if message["transport"] == "link" and message["dir"]:
        port = message["carrier"].get("interface", 0)
        out = message["dir"] == "out"
        names[0] = names[0] or (f"port {port}" if out else f"partner {port}")
        if not by_format:
            names[1] = names[1] or (f"partner {port}" if out else f"port {port}")
    return names


def tally(pairs, wanted):
    """Rows of endpoints and of conversations of messages: ((from, to), bytes)."""
    ends_told, talks_told = collections.defaultdict(lambda: [0, 0, 0, 0]), collections.defaultdict(lambda: [0, 0, 0, 0])
    for (sender, receiver), size_of in pairs:
        for name, at in ((sender, 0), (receiver, 2)):
            if name:
                ends_told[name][at] += 1
                ends_told[name][at + 1] += size_of
        if sender and receiver:
            pair, at = ((sender, receiver), 0) if (receiver, sender) not in talks_told else ((receiver, sender), 2)
            talks_told[pair][at] += 1
            talks_told[pair][at + 1] += size_of
    return {"ends": ends_told, "talks": talks_told}[wanted]


def compare_ends(compare, told, shown):
    """Endpoints, and bytes as far as tshark shows them."""
    for name in sorted(set(told) | set(shown)):
        row, (sent, bytes_sent, got, bytes_got) = told.get(name), shown.get(name, (None, (0, 0), None, (0, 0)))
        compare.numbers += 1
        if row is None or (row[0], row[2]) != (sent, got) or \
                not (bytes_sent[0] <= row[1] <= bytes_sent[1] and bytes_got[0] <= row[3] <= bytes_got[1]):
            compare.differ(f"endpoints, {name}", row, shown.get(name))


def compare_talks(compare, told, shown):
    """Conversations, whichever side is called the first, and bytes as far as tshark shows them."""
    told = dict(told)
    for pair, (sent, bytes_sent, back, bytes_back) in shown.items():
        if pair not in told:
            pair, sent, bytes_sent, back, bytes_back = pair[::-1], back, bytes_back, sent, bytes_sent
        row = told.pop(pair, [0, 0, 0, 0])
        compare.numbers += 1
        fits = bytes_sent[0] <= row[1] <= bytes_sent[1] and bytes_back[0] <= row[3] <= bytes_back[1]
        if (row[0], row[2]) != (sent, back) or not fits:
            compare.differ(f"conversations, {pair}", row, (sent, bytes_sent, back, bytes_back))
    for pair, row in told.items():
        compare.differ(f"conversations, {pair}", row, None)


def who_answers(compare, proto, told, decoded, shown):
    """Response times by who answered: for EtherBone those of stats, which has the same names; else by the messages."""
    shown = {name: values for (of, name), values in shown.items() if of == "Board"}
    if proto == "etherbone":
        compare.same("response_times_by_board", {row["name"]: microseconds(row) for row in told["response_times_by_board"]}, shown)
        return
    times = collections.defaultdict(list)
    try:
        for message in decoded:
            waited = [round(float(g["value"]) * 1e9) for g in message["generated"] if g["name"] == f"{proto}.response_time"]
            board = named(proto, message)[0] if waited else None
            if board:
                times[board] += waited
    except NotImplementedError:
        return
    compare.same("response times by board", {
        board: (len(all), *((t + 500) // 1000 for t in (min(all), max(all), sum(all)))) for board, all in times.items()}, shown)


def who_talks(compare, proto, told, decoded, ends_shown, talks_shown):
    """The tables of stats and those of tshark against the same messages."""
    carried = [((m["src"], m["dst"]), m["len"]) for m in decoded if m["src"] and m["dst"]]
    compare.same("endpoints, by address", tally(carried, "ends"), {
        row["end"]: [row["messages_sent"], row["bytes_sent"], row["messages_received"], row["bytes_received"]]
        for row in told["endpoints"]})
    talked = [((m["src"], m["dst"]), m["len"]) for m in decoded if m["src"] or m["dst"]]
    compare_talks(compare, tally(talked, "talks"), {
        (row["a"], row["b"]): (row["messages_from_a"], [row["bytes_from_a"]] * 2, row["messages_from_b"], [row["bytes_from_b"]] * 2)
        for row in told["conversations"] if "a" in row})
    try:
        pairs = [(named(proto, m), m["len"]) for m in decoded]
    except NotImplementedError:
        return
    compare_ends(compare, tally(pairs, "ends"), ends_shown)
    compare_talks(compare, tally(pairs, "talks"), talks_shown)


def look_at(folder, name, proto, stats):
    shown = sections(f"{folder}/{name}.{proto}.tables")
    told = next((f for f in stats["formats"] if f["proto"] == proto), None)
    told = told or collections.defaultdict(list)
    compare = Comparison(name, proto)
    service(compare, told, service_tables(shown["Service"]))
    messages(compare, told, tree(shown["Messages"]))
    findings(compare, told, tree(shown["Findings"]))
    answers(compare, told, tree(shown["Requests and answers"]))
    with open(f"{folder}/{name}.decoded", encoding="utf-8") as file:
        decoded = [m for m in map(json.loads, file) if m["proto"] == proto]
    who_answers(compare, proto, told, decoded, service_tables(shown["Service"]))
    who_talks(compare, proto, told, decoded, ends(shown["Endpoints"]), talks(shown["Conversations"]))
    return compare


def main():
    folder = sys.argv[1]
    numbers, wrong, names = collections.Counter(), 0, set()
    for path in sorted(glob.glob(f"{folder}/*.tables")):
        name, proto = os.path.basename(path)[:-len(".tables")].rsplit(".", 1)
        with open(f"{folder}/{name}.stats", encoding="utf-8") as file:
            stats = json.load(file)
        compare = look_at(folder, name, proto, stats)
        names.add(name)
        numbers[proto] += compare.numbers
        wrong += not compare.judge()
    print(f"{len(names)} traces, {sum(numbers.values())} rows: {dict(numbers)}; {wrong} traces differ")
    sys.exit(1 if wrong or not all(numbers[proto] for proto in NAMES) else 0)


main()
