#!/bin/bash
# A service's start script, which has the name of its container: runs the command, and ends with it. Kubernetes restarts
# a service that has ended.

. "${0%.start.sh}.settings.sh"

if [[ -e ${0%.start.sh}.init.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then . "${0%.start.sh}.init.sh"; else . "${0%.start.sh}.init.sh" >/dev/null 2>&1; fi
fi

# shellcheck source=strict.sh
if [[ -n $MINICLUSTER_STRICT ]]; then . /etc/minicluster/config/strict.sh; fi

# As the first process of a container, bash ends only on the signals that it traps.
trap 'exit "$MINICLUSTER_LEFT_STATUS"' TERM INT

if [[ -e ${0%.start.sh}.servicePre.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then
    . "${0%.start.sh}.servicePre.sh"
  else
    . "${0%.start.sh}.servicePre.sh" >/dev/null 2>&1
  fi
fi

# shellcheck source=command.sh
. /etc/minicluster/config/command.sh

run_command
