#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The Level-1 farm: it keeps its schedule, what is lost or broken shows, and its capture can be checked.
. "$2/conformance/cli/testing.sh"

expect 0 "$goldwire" farm --events 2000
has out '3 readout units, 26 compute nodes, 1 decision unit: 2000 events'
has out 'fragments 6000, lost 0; tags 2000 2000 2000'
has out 'Ntries 1974, NAlloK 1974, NNextAlloK 1974'
has out '0 findings'

# Over sockets it is the same farm.
expect 0 "$goldwire" farm --events 2000
cp out in-memory
expect 0 "$goldwire" farm --events 2000 --loopback
cmp out in-memory || fail 'the farm is another one over loopback'
expect 1 "$goldwire" farm --events 500 --loopback --mutant l1-cn/m-result-twice
has out 'L1-R01'

# Who stops it gets a capture that is whole, and no verdict. Without sockets there is none either.
status=0
timeout --preserve-status 0.5 "$goldwire" farm --events 5000000 --loopback --out stopped.pcapng >out 2>err || status=$?
[[ $status == 3 || $status == 0 ]] || fail "stopping the farm: exit $status"
expect 0 "$goldwire" check --proto l1farm stopped.pcapng
(ulimit -n 20 && "$goldwire" farm --events 10 --loopback >out 2>err) && fail 'no sockets, and no word of it'
has err 'no socket on loopback'

# The TagID wraps on the way.
expect 0 "$goldwire" farm --events 66000 --json
has out '"tags":[66000,66000,66000]'
has out '"nnext":65974'

expect 1 "$goldwire" farm --events 2000 --lose 1000
has out 'has not sent its fragment of 1 event'
expect 1 "$goldwire" farm --events 500 --mutant l1-ru/m-forwards-twice
has out 'L1-G01'
expect 1 "$goldwire" farm --events 500 --mutant l1-cn/m-result-twice
has out 'L1-R01'
expect 1 "$goldwire" farm --events 500 --mutant l1-du/m-decides-twice
has out 'L1-U01'

expect 0 "$goldwire" farm --events 300 --out farm.pcapng
expect 0 "$goldwire" check --proto l1farm farm.pcapng
expect 0 "$goldwire" farm --events 300 --out again.pcapng
cmp farm.pcapng again.pcapng || fail 'two runs give different captures'

expect 2 "$goldwire" farm --events 0
expect 2 "$goldwire" farm --mutant l1-cn/m-nonsense
has err 'no mutant'
expect 2 "$goldwire" farm --out /nonsense/farm.pcapng
finish
