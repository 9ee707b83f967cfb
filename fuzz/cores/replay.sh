#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: replay.sh MODEL_SH CORE REPLAY ARGUMENT...
# Replays a corpus on what MODEL_SH makes of CORE, the name of an example core and, behind spaces, parameters of its
# testbench. Exit status 77: Verilator is not installed.
set -euo pipefail
read -ra core <<<"$2"
model=$("$1" "${core[@]}") || exit $?
GOLDWIRE_FUZZ_MODEL=$model "${@:3}"
