# shellcheck shell=bash
# Undrains the host of this rank if its last pod has drained it, and ends no other drain. It runs in the background and
# is repeated until it succeeds. Each failure is a line in the log of the container: the output of its first process.

undrain() {
  rank=$(flux getattr rank) || return
  reason=$(flux resource drain --no-header --include="$rank" --format='{reason}') || return
  if [[ $reason == "$MINICLUSTER_LEAVE_REASON" ]]; then flux resource undrain "$rank"; fi
}

retry_undrain() {
  local pause=1 longest=60 why
  until why=$(undrain 2>&1); do
    echo "minicluster: this rank is still drained, next try in $pause s: $why" >/proc/1/fd/2
    rest $pause
    pause=$((pause * 2 < longest ? pause * 2 : longest))
  done
}

# With the lead broker the instance ends.
if [[ $MINICLUSTER_ROLE == follower ]] || ((JOB_COMPLETION_INDEX > 0)); then retry_undrain >/dev/null 2>&1 & fi
