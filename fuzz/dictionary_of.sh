#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: dictionary_of.sh TARGET FOLDER
# Prints the path of TARGET's dictionary: one of its own beside this file, else its format's in FOLDER, where the build
# makes them, else EtherBone's, which is what captures, networks and masters carry in the seeds.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
for dictionary in "$here/$1.dict" "$2/$1.dict" "$2/${1%%_*}.dict" "$2/etherbone.dict"; do
    [[ ! -f $dictionary ]] || break
done
echo "$dictionary"
