#!/bin/bash
# A sidecar's start script, which has the name of its container: waits for the broker's socket, runs the command once,
# and keeps running: Kubernetes restarts a sidecar that has ended, and ends it when the container that runs Flux has
# ended.

. /etc/minicluster/config/settings.sh
. "${0%.start.sh}.settings.sh"

# shellcheck source=variables.sh
if [[ ${#MINICLUSTER_VARIABLES[@]} -gt 0 ]]; then . /etc/minicluster/config/variables.sh; fi

if [[ -e ${0%.start.sh}.init.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then . "${0%.start.sh}.init.sh"; else . "${0%.start.sh}.init.sh" >/dev/null 2>&1; fi
fi

# shellcheck source=strict.sh
if [[ -n $MINICLUSTER_STRICT ]]; then . /etc/minicluster/config/strict.sh; fi

# As the first process of a container, bash ends only on the signals that it traps.
trap 'exit "$MINICLUSTER_LEFT_STATUS"' TERM INT

# shellcheck source=flux-view.sh
. /etc/minicluster/config/flux-view.sh
# shellcheck source=later-variables.sh
if [[ ${#MINICLUSTER_VARIABLES[@]} -gt 0 ]]; then . /etc/minicluster/config/later-variables.sh; fi

if [[ -e ${0%.start.sh}.servicePre.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then
    . "${0%.start.sh}.servicePre.sh"
  else
    . "${0%.start.sh}.servicePre.sh" >/dev/null 2>&1
  fi
fi

# shellcheck source=functions.sh
. /etc/minicluster/config/functions.sh
# shellcheck source=command.sh
. /etc/minicluster/config/command.sh

if [[ -n $MINICLUSTER_WAITS_FOR_SOCKET ]]; then
  socket=$MINICLUSTER_SOCKET${MINICLUSTER_SOCKET_PER_RANK:+-${JOB_COMPLETION_INDEX:-0}}
  log "waiting for the broker's socket $socket"
  # The probe of the pod runs every second as well.
  until [[ -S $socket ]]; do sleep 1; done
fi

run_command
log "the command has ended"
while true; do
  sleep 3600 &
  child=$!
  wait "$child"
done
