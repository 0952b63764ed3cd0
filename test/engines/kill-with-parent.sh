#!/bin/sh
# kill-with-parent.sh FOLDER COMMAND...: runs the command under its own process id. When standard input ends, because
# the parent process has ended or crashed, it sends the command SIGTERM, a minute later SIGKILL, and removes FOLDER
# unless that is empty.
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
