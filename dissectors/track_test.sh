#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Requests and answers: who answers whom and how fast, under loss, reordering, repetition and delay,
# in one pass and in two.
. "$(dirname "$0")/testing/lib.sh"

client=10.0.0.1:40000
slave=10.0.0.2:60368
# ask TIME RETURN-ADDRESS [CLIENT], answer TIME RETURN-ADDRESS VALUE [CLIENT]
ask() { echo "udp $1 ${3:-$client} $slave 4e6f1044280f0001${2}00001000"; }
answer() { echo "udp $1 $slave ${4:-$client} 4e6f14440a0f0100${2}$3"; }

# shown FILE ARGS... prints number, answered request, answer, time, flags of each packet.
shown() {
    local file=$1
    shift
    ts -r "$work/$file" "$@" -T fields -E separator=' ' -E occurrence=a -e frame.number \
        -e etherbone.response_to -e etherbone.response_in -e etherbone.response_time \
        -e etherbone.unanswered -e etherbone.duplicate -e etherbone.duplicate_of -e etherbone.stale \
        -e etherbone.unsolicited -e etherbone.ambiguous | plain
}

# Answers out of order, the second request's first; the third one's is lost, the fourth comes twice.
{
    ask 1.000 00008000
    ask 1.001 00008002
    ask 1.002 00008004
    ask 1.003 00008006
    answer 1.0045 00008002 00000002
    answer 1.005 00008000 00000001
    answer 1.006 00008006 00000004
    answer 1.007 00008006 00000004
    answer 1.008 00009999 00000009
} | capture order.pcap
is "one pass: answers know their requests" \
    "1         
2         
3         
4         
5 2  0.003500000      
6 1  0.005000000      
7 4  0.003000000      
8 4  0.004000000  1 7   
9        1 " "$(shown order.pcap)"
two="1  6       
2  5       
3    1     
4  7       
5 2  0.003500000      
6 1  0.005000000      
7 4  0.003000000      
8 4  0.004000000  1 7   
9        1 "
is "two passes: requests know their answers" "$two" "$(shown order.pcap -2)"
is "a filter changes nothing" "$(sed -n '3p;8p' <<<"$two")" \
    "$(shown order.pcap -2 -Y 'etherbone.unanswered || etherbone.duplicate')"
is "nor does a read filter that hides the requests" "$(sed -n '5,9p' <<<"$two")" \
    "$(shown order.pcap -2 -R 'frame.number > 0' -Y 'udp.srcport == 60368')"
is "unanswered is a warning" 3 \
    "$(frames 'etherbone.note.unanswered && _ws.expert.severity == "Warning"' -2 -r "$work/order.pcap")"
is "duplicate is a note" 8 "$(frames etherbone.note.duplicate -r "$work/order.pcap")"
is "unsolicited is a note" 9 "$(frames etherbone.note.unsolicited -r "$work/order.pcap")"
tree=$(ts -2 -r "$work/order.pcap" -Y frame.number==8 -V)
has "tree: time" "[Response time: " "$tree"
has "tree: request" "[Response to: 4]" "$tree"
has "tree: first answer" "[Duplicate of: 7]" "$tree"

# An answer after the request was given up; a later packet shows that it was.
{
    ask 1.0 00008000
    ask 7.0 00008002
    answer 7.5 00008000 00000001
    answer 7.6 00008002 00000002
} | capture late.pcap
is "stale" "1  3  1     
2  4       
3   6.500000000    1  
4 2  0.600000000      " "$(shown late.pcap -2)"
is "stale: what it answers" 1 \
    "$(ts -r "$work/late.pcap" -Y etherbone.stale -T fields -e etherbone.stale_response_to)"
is "patience is a preference" "" "$(frames etherbone.stale -2 -r "$work/late.pcap" -o etherbone.give_up:10000)"

# Two requests that one answer could mean: the oldest gets it, and both are marked.
{
    ask 1.0 00008000
    ask 1.1 00008000
    answer 1.2 00008000 00000001
} | capture twice.pcap
has "ambiguous" "3" "$(frames etherbone.ambiguous -2 -r "$work/twice.pcap")"
is "the oldest" "1" "$(ts -r "$work/twice.pcap" -Y frame.number==3 -T fields -e etherbone.response_to)"

# The same return address from another client is another request.
{
    ask 1.0 00008000
    ask 1.1 00008000 10.0.0.3:40001
    answer 1.2 00008000 00000001 10.0.0.3:40001
    answer 1.3 00008000 00000002
} | capture clients.pcap
is "clients are kept apart" "3 2 0.100000000
4 1 0.300000000" "$(ts -r "$work/clients.pcap" -Y etherbone.response_to -T fields -E separator=' ' \
    -e frame.number -e etherbone.response_to -e etherbone.response_time)"

# A reply that breaks a rule of the conversation is an error of the reply. Later packets may still
# show that it was meant for another request, so the first pass does not tell.
{
    echo "udp 1.0 $client $slave 4e6f1144000000a1"
    echo "udp 1.1 $slave $client 4e6f1644000000a1"
    ask 1.2 00008000
    echo "udp 1.3 $slave $client 4e6f1444000f010000008000cafe0001"
} | capture rule.pcap
is "flags of a reply" 4 "$(frames etherbone.eb-s20 -2 -r "$work/rule.pcap")"
has "the text names the request" "in frame 3" \
    "$(ts -2 -r "$work/rule.pcap" -Y frame.number==4 -V | sed 's/of frame 3/in frame 3/')"

# Several records of one segment are answered one by one.
capture records.pcap <<'LINES'
tcp 1.0 10.0.0.1:40000 10.0.0.2:60368 1000 0 S -
tcp 1.1 10.0.0.2:60368 10.0.0.1:40000 5000 1001 SA -
tcp 1.2 10.0.0.1:40000 10.0.0.2:60368 1001 5001 PA 4e6f1044200f00010000800000001000280f00010000800200001004
tcp 1.3 10.0.0.2:60368 10.0.0.1:40000 5001 1029 PA 4e6f1444020f01000000800000000001
tcp 1.4 10.0.0.2:60368 10.0.0.1:40000 5017 1029 PA 0a0f01000000800200000002
LINES
is "records of a segment" "3  4,5       
4 3  0.100000000      
5 3  0.200000000      " "$(shown records.pcap -2 -Y etherbone | sed 's/  *$/      /; s/^3  4,5 *$/3  4,5       /')"

# Closing a capture forgets it: the same file read twice in one run is told twice alike.
mergecap -a -w "$work/both.pcap" "$work/order.pcap" "$work/order.pcap" 2>/dev/null
chmod a+r "$work/both.pcap"
is "repeats are told from first answers" "" \
    "$(frames 'frame.number < 6 && etherbone.duplicate' -2 -r "$work/both.pcap")"
finish
