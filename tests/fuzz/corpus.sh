#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# corpus.sh unpack TARGET FOLDER: writes the inputs of corpus/TARGET.tar into the folder.
# corpus.sh pack TARGET FOLDER: makes corpus/TARGET.tar of the folder's files. The same files give the same archive.
set -euo pipefail
action=$1 archive=$(cd "$(dirname "$0")" && pwd)/corpus/$2.tar folder=$3

case $action in
unpack)
    mkdir -p "$folder"
    tar -xf "$archive" -C "$folder"
    ;;
pack)
    cd "$folder"
    find . -type f -printf '%P\0' | LC_ALL=C sort -z |
        tar --format=ustar --blocking-factor=1 --owner=0 --group=0 --numeric-owner --mode=644 --mtime=@0 --null -T - -cf "$archive"
    ;;
*) exit 2 ;;
esac
