#!/usr/bin/env bash

# Stands in for flux(1), and under other names for programs around it: every call leaves a record in $STUB/calls with the
# words and the environment that the program saw. What a call does then is set by variables, so that a test can tell a
# whole run in advance:
#   STUB_START   words, one for each flux start or flux broker, the last one for all that follow:
#                "program" runs the initial program, a number is the exit status, "stay" waits for SIGTERM and exits
#                with 143, "stay:<status>" with another status
#   STUB_R, STUB_SUBMIT, STUB_TASK, STUB_UPTIME_STATUS   exit statuses; STUB_SUBMIT may be "run", to run the task
#   STUB_UPTIME  what flux uptime prints
#   STUB_PAUSE   seconds that sleep takes, whatever it is told
#   STUB_SEEN    names of further variables to record
# Only bash itself and the program $STUB_SLEEP are needed.

set -u
shopt -s nullglob

read -ra seen <<<"PATH PYTHONPATH LD_LIBRARY_PATH FLUX_RC_EXTRA FLUX_URI HOME fluxsocket ${STUB_SEEN:-}"

record() {
  local number calls name environment=()
  for name in "${seen[@]}"; do
    if [[ -v $name ]]; then environment+=("$name=${!name}"); fi
  done
  set -C # so that no two calls take the same number
  while true; do
    calls=("$STUB"/calls/*)
    printf -v number %05d "${#calls[@]}"
    if { : >"$STUB/calls/$number"; } 2>/dev/null; then break; fi
  done
  set +C
  printf '%s\0' "$#" "$@" "${environment[@]}" end >"$STUB/calls/$number"
}

# How the broker behaves this time.
behaviour() {
  local words count=0
  read -ra words <<<"${STUB_START:-program}"
  if [[ -f $STUB/starts ]]; then read -r count <"$STUB/starts"; fi
  echo "$((count + 1))" >"$STUB/starts"
  if ((count < ${#words[@]})); then how=${words[count]}; else how=${words[-1]}; fi
}

broker() {
  behaviour
  local status=143
  if [[ $how == stay:* ]]; then status=${how#stay:}; fi
  # shellcheck disable=SC2064
  trap "record signal TERM; exit $status" TERM
  record flux "$@"
  case $how in
    program) shift; while [[ ${1:-} == -* ]]; do shift; done; if (($# > 0)); then command "$@"; fi; exit ;;
    stay*) while true; do "$STUB_SLEEP" 0.02; done ;;
    *) exit "$how" ;;
  esac
}

task() {
  if [[ ${STUB_SUBMIT:-0} != run ]]; then exit "${STUB_SUBMIT:-0}"; fi
  while [[ $1 != --watch ]]; do shift; done
  shift
  exec "$@"
}

name=${0##*/}
case "$name ${1:-}" in
  "flux start" | "flux broker") broker "$@" ;;
  "flux R") record flux "$@"; echo "resources of this host"; exit "${STUB_R:-0}" ;;
  "flux uptime") record flux "$@"; printf '%s' "${STUB_UPTIME:-}"; exit "${STUB_UPTIME_STATUS:-0}" ;;
  "flux proxy") record flux "$@" ;;
  "flux "*) record flux "$@"; task "$@" ;;
  sleep*) record sleep "$@"; exec "$STUB_SLEEP" "${STUB_PAUSE:-0.02}" ;;
  task*) record task "$@"; exit "${STUB_TASK:-0}" ;;
  *) record "$name" "$@"; while [[ ${1:-} == -* ]]; do shift; done; exec "$@" ;;
esac
