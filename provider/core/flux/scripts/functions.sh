# shellcheck shell=bash
# Functions of several scripts. A script includes them after the user's code, which may have functions of these names.

# Writes to the log, unless the cluster is quiet.
log() {
  if [[ -z $MINICLUSTER_QUIET ]]; then printf 'minicluster: %s\n' "$*"; fi
}

# A pipe of this process, opened at its first use. A signal that arrives while bash expands a substitution is lost (as
# of bash 5.2 its trap is parsed as a part of that substitution), so a loop that waits contains no substitution.
pipe=
open_pipe() {
  if [[ -z $pipe ]]; then exec {pipe}<> <(:); fi
}

# Pauses for up to a second without a program in the foreground: bash would handle the signal that ends a pod only after
# that program. A signal that arrives just before a read begins waits for its end.
nap() {
  open_pipe
  read -r -t "$1" -u "$pipe" _ || true
}

# Pauses for some seconds.
rest() {
  local left
  for ((left = $1; left > 0; left--)); do nap 1; done
}

# Ends a background function silently. A function that has just been forked would handle SIGTERM by the trap that it
# inherits.
end_quietly() {
  {
    kill -KILL "$@"
    wait "$@"
  } 2>/dev/null || true
}

# Sets the state of this pod's broker, or nothing without a broker (flux-uptime(1)). As of Flux 0.88 that command
# crashes if the image has no passwd entry of the user, as in a restricted namespace (uptime.c, getpwuid_r(3)).
ask_state() {
  state=
  read -r _ state _ < <(flux uptime 2>/dev/null) || true
  if [[ -n $state || ! -S ${FLUX_URI#local://} ]]; then return; fi
  local ask='import flux; print(flux.Flux().rpc("state-machine.get").get()["state"])'
  read -r state < <(flux python -c "$ask" 2>/dev/null) || true
}
