#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs in the root of the source.
set -euo pipefail
exec bash fuzz/oss-fuzz/build.sh "$@"
