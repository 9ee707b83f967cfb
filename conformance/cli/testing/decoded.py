# SPDX-License-Identifier: BSD-2-Clause
# usage: decoded.py GOLDWIRE FOLDER...
# Compares what report.html unfolds beneath each failure of a run with what run.json says was received: the message that
# is said to have decided must hold these bytes. Prints what is wrong, and how many failures show one.
import html
import json
import re
import subprocess
import sys

goldwire = sys.argv[1]
shown = 0
wrong = 0


def complain(folder, case, text):
    global wrong
    wrong += 1
    print(f"{folder}: {case['id']}: {text}")


def payloads(folder, case, frames):
    """The bytes of the messages that these frames complete."""
    call = [goldwire, "decode", "--json", f"{folder}/{case['evidence']}", "--frames", ",".join(map(str, frames))]
    lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    return [m["payload"] for m in map(json.loads, lines) if m["frame"] in frames]


def look_at(folder, case, card):
    global shown
    fold = re.search(r'<details class="decoded">(.*?)</details>', card, re.S)
    if not fold:
        complain(folder, case, "nothing to unfold")
        return
    trees = re.findall(r'<h4 class="decided">[^<]*</h4>\s*<div class="scroll"><pre>frame (\d+) ', fold.group(1))
    said = html.unescape(fold.group(1))
    if not trees:
        if not re.search(r"No packet decided|holds? no message|More packets came", said):
            complain(folder, case, "shows no message, and does not say why")
        return
    shown += 1
    packet = case["difference"] and case["difference"]["packet"]
    if packet and f"packet {packet}, which decided" not in said:
        complain(folder, case, f"says nothing of packet {packet}")
    # run.json has the beginning of a packet. A message may begin before its packet, or be a part of it.
    came = (case["received"] or case["sent"])["bytes"].split("...")[0]
    held = payloads(folder, case, [int(frame) for frame in trees])
    if not any(came in message or message in came for message in held):
        complain(folder, case, f"unfolds frames {trees}, which hold {held}, and {came} came")


for folder in sys.argv[2:]:
    with open(f"{folder}/run.json", encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    with open(f"{folder}/report.html", encoding="utf-8") as file:
        page = file.read()
    cards = dict(re.findall(r'<div class="card [A-Z]+" data-v.*?<code>(.*?)</code>(.*?)</dl></div>', page, re.S))
    for case in cases:
        if case["verdict"] in ("FAIL", "WARN", "ERROR", "XPASS") and case["evidence"]:
            look_at(folder, case, cards[case["id"]])
print(f"{shown} shown")
sys.exit(1 if wrong else 0)
