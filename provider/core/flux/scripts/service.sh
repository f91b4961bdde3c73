#!/bin/bash
# A service's start script, which has the name of its container: runs the command, and ends with it. Kubernetes starts
# a service that has ended again.

. "${0%.start.sh}.settings.sh"

if [[ -e ${0%.start.sh}.init.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then . "${0%.start.sh}.init.sh"; else . "${0%.start.sh}.init.sh" >/dev/null 2>&1; fi
fi

# shellcheck source=strict.sh
if [[ -n $MINICLUSTER_STRICT ]]; then . /etc/minicluster/config/strict.sh; fi

# Bash as the first process of a container dies of no signal that it does not trap.
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
