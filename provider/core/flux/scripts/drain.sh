#!/bin/bash
# The hook that Kubernetes runs in a pod before it ends the broker, for any reason: it drains the host and waits for the
# jobs that run on it (flux-resource(1), flux-jobs(1)), and then runs the user's hook, which is in its arguments.

# shellcheck source=flux-view.sh
. /etc/minicluster/config/flux-view.sh
# shellcheck source=functions.sh
. /etc/minicluster/config/functions.sh

# A broker that has ended is not searched for.
export FLUX_URI=$fluxsocket FLUX_LOCAL_CONNECTOR_RETRY_COUNT=0

drain() {
  # Before the instance runs and after it has ended there is no job to wait for.
  ask_state
  if [[ $state != run ]] || ! rank=$(flux getattr rank); then return; fi
  # The drain of a resize that is about to remove this pod ends with the next pod of the rank, as the drain of this hook
  # does.
  reason=$(flux resource drain --no-header --include="$rank" --format='{reason}')
  if [[ $reason == "$MINICLUSTER_RESIZE_REASON" ]]; then held=--force; else held=--update; fi
  flux resource drain "$held" "$rank" "$MINICLUSTER_LEAVE_REASON"
  # Each reading of the jobs starts Python, which needs CPU time beside the jobs.
  while jobs=$(flux jobs --no-header --filter=running --include="$rank" --format='{id}') && [[ -n $jobs ]]; do
    rest 2
  done
}

# With the lead broker the instance ends.
if [[ $MINICLUSTER_ROLE == follower ]] || ((JOB_COMPLETION_INDEX > 0)); then
  # The hook ends in time even if Flux hangs, and a remaining process holds none of its pipes.
  read -r -t "$MINICLUSTER_DRAIN_SECONDS" _ < <(
    exec 2>/dev/null
    drain >&2
    echo
  )
fi

if (($# > 0)); then exec "$@"; fi
