#!/bin/sh
# leash.sh FOLDER COMMAND...: becomes the command, which keeps the process id. When standard input ends, for instance because
# whoever started it has crashed, the command is asked to end, killed a minute later, and its folder, if one is named, is removed.
folder=$1
shift
exec 3<&0 </dev/null
(
  read -r _ <&3
  kill $$
  tenths=0
  while kill -0 $$ && [ $tenths -lt 600 ]; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  kill -9 $$
  rm -rf "$folder"
) >/dev/null 2>&1 &
exec "$@" 3<&-
