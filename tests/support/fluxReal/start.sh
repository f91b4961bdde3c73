#!/usr/bin/env bash

# Runs a Python program in a Flux instance of 8 brokers in this container or on this machine, with Fluxion and described hosts
# that need not be there: start.sh FOLDER PROGRAM ARGUMENT...

set -euo pipefail
cd "$1"
shift
flux R encode --hosts="demo-[0-7]" --ranks=0-7 --cores=0-3 --gpus=0-1 --property=fast:4-5 >R
cat >config.toml <<END
[resource]
path = "$PWD/R"
noverify = true
[sched-fluxion-qmanager]
queue-policy = "fcfs"
[sched-fluxion-resource]
prune-filters = "ALL:core"
match-policy = "lonode"
END
exec flux start --test-size=8 --test-hosts="demo-[0-7]" --config-path="$PWD/config.toml" flux python "$@"
