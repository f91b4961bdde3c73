# shellcheck shell=bash
# Functions of several scripts. A script includes them after the user's code, which may have functions of these names.

# Writes to the log, unless the cluster is quiet.
log() {
  if [[ -z $MINICLUSTER_QUIET ]]; then printf 'minicluster: %s\n' "$*"; fi
}

# Pauses for some seconds without a program in front: bash would handle the signal that ends a pod only after that
# program. A signal that arrives just before a read begins waits for its end, so each read takes a second.
rest() {
  local left
  for ((left = $1; left > 0; left--)); do read -r -t 1 _ <> <(:) || true; done
}

# Ends a background function silently. One that has just been forked would lose a gentler signal to the trap that it
# inherits.
end_quietly() {
  {
    kill -KILL "$1"
    wait "$1"
  } 2>/dev/null || true
}
