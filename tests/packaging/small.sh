#!/bin/sh
# Runs a program with the memory that the service has on a machine with 512 MB: half of what a Pi Zero 2 W leaves, as
# in the unit, and no swap. Needs root and a kernel with control groups, version 1 or 2.
#
#   tests/packaging/small.sh PROGRAM ARGUMENT...
set -eu

bytes=$((212 * 1024 * 1024))
groups=/sys/fs/cgroup
if [ -e "$groups/memory/memory.limit_in_bytes" ]; then
    groups=$groups/memory
    limit=memory.limit_in_bytes
    swap=memory.memsw.limit_in_bytes
    most=$bytes
else
    limit=memory.max
    swap=memory.swap.max
    most=0
fi
group=$groups/fluglog-small-$$
mkdir "$group"
echo $bytes >"$group/$limit"
[ ! -e "$group/$swap" ] || echo $most >"$group/$swap"
# A control group can only be removed once it is empty, that is after this process.
(
    while kill -0 $$ 2>/dev/null; do sleep 1; done
    rmdir "$group"
) >/dev/null 2>&1 </dev/null &
echo $$ >"$group/cgroup.procs"
exec "$@"
