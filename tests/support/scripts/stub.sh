#!/usr/bin/env bash

# A replacement of flux(1), and under other names for programs around it: every call leaves a record in $STUB/calls with the
# words and the environment that the program saw. What a call does then is set by variables, so that a test can distinguish a
# whole run in advance:
#   STUB_START   words, one for each flux start or flux broker, the last one for all that follow:
#                "program" runs the initial program, a number is the exit status, "stay" waits for SIGTERM and exits
#                with 143, "stay:<status>" with another status, "hang" does not end by it
#   STUB_R, STUB_SUBMIT, STUB_TASK, STUB_UPTIME_STATUS, STUB_BATCH, STUB_ATTACH, STUB_WAIT   exit statuses
#                of flux R, submit, the task, uptime, batch, job attach and job wait; STUB_SUBMIT may be "run", to run the
#                task with its output in the files of its options, and STUB_ATTACH, to run the script of the last batch job
#   STUB_R_WORDS with any value flux R prints its own words where they name cores
#   STUB_NODES   how many hosts flux R decode counts
#   STUB_DUMP    what a broker writes at its end to the file that content.dump names: "whole" passes the test of
#                flux python -m tarfile, and nothing else does. Without it a broker ends with no dump.
#   STUB_UPTIME  what flux uptime prints
#   STUB_STATE   the broker's state for Python
#   STUB_JOBS    how often flux jobs finds a job before it finds none
#   STUB_HANGS   the command of flux that never ends
#   STUB_DRAINED the reason by which flux resource drain finds the rank drained
#   STUB_UNDRAIN how often flux resource undrain fails before it succeeds
#   STUB_PAUSE   seconds that sleep takes, for any argument
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

# Writes the state as a broker does that ends.
dump() {
  local word
  if [[ ! -v STUB_DUMP ]]; then return; fi
  for word in "$@"; do
    if [[ $word == -Scontent.dump=* ]]; then printf '%s' "$STUB_DUMP" >"${word#*=}"; fi
  done
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
  local status=143 words=("$@")
  if [[ $how == stay:* ]]; then status=${how#stay:}; fi
  trap 'record signal TERM; if [[ $how != hang ]]; then dump "${words[@]}"; exit "$status"; fi' TERM
  record flux "$@"
  case $how in
    program) shift; while [[ ${1:-} == -* ]]; do shift; done; status=0; if (($# > 0)); then command "$@" || status=$?; fi ;;
    stay* | hang) while true; do "$STUB_SLEEP" 0.02; done ;;
    *) status=$how ;;
  esac
  dump "${words[@]}"
  exit "$status"
}

task() {
  if [[ ${STUB_SUBMIT:-0} != run ]]; then exit "${STUB_SUBMIT:-0}"; fi
  while [[ $1 != --watch && $1 != --error=* ]]; do
    if [[ $1 == --output=* ]]; then exec >"${1#*=}"; fi
    shift
  done
  if [[ $1 == --error=* ]]; then exec 2>"${1#*=}"; fi
  shift
  exec "$@"
}

attach() {
  if [[ ${STUB_ATTACH:-0} != run ]]; then exit "${STUB_ATTACH:-0}"; fi
  exec bash "$(<"$STUB/batch")"
}

# What describes hosts; append takes what it is given together, as one.
resources() {
  local line all=()
  if [[ $1 == decode ]]; then echo "${STUB_NODES:-}"; return; fi
  if [[ " $* " == *" --cores="* && -v STUB_R_WORDS ]]; then echo "$*"; return; fi
  if [[ $1 != append ]]; then echo "resources of this host"; return; fi
  while read -r line; do all+=("$line"); done
  echo "${#all[@]} together"
}

# The first so many times there is a job.
jobs() {
  local asked=("$STUB"/asked/*)
  if ((${#asked[@]} < ${STUB_JOBS:-0})); then mkdir -p "$STUB/asked"; : >"$STUB/asked/${#asked[@]}"; echo fjob; fi
}

# What drains a rank, or why it is drained; the first so many times that is not to be ended.
drained() {
  if [[ ${*: -1} == --format=* ]]; then printf '%s\n' "${STUB_DRAINED:-}"; fi
  if [[ $2 != undrain ]]; then return; fi
  local tries=("$STUB"/tries/*)
  if ((${#tries[@]} >= ${STUB_UNDRAIN:-0})); then return; fi
  mkdir -p "$STUB/tries"
  : >"$STUB/tries/${#tries[@]}"
  echo "flux-resource: ERROR: no route to rank 0" >&2
  exit 1
}

name=${0##*/}
if [[ ${STUB_HANGS:-} == "${1:-}" && $name == flux ]]; then record flux "$@"; exec "$STUB_SLEEP" 60; fi
case "$name ${1:-}" in
  "flux start" | "flux broker") broker "$@" ;;
  "flux R") record flux "$@"; resources "${@:2}"; exit "${STUB_R:-0}" ;;
  "flux uptime") record flux "$@"; printf '%s' "${STUB_UPTIME:-}"; exit "${STUB_UPTIME_STATUS:-0}" ;;
  "flux proxy" | "flux kvs") record flux "$@" ;;
  "flux getattr") record flux "$@"; echo "${STUB_RANK:-7}" ;;
  "flux jobs") record flux "$@"; jobs ;;
  "flux resource") record flux "$@"; drained "$@" ;;
  "flux batch") record flux "$@"; echo "${!#}" >"$STUB/batch"; echo "fbatch"; exit "${STUB_BATCH:-0}" ;;
  "flux job") record flux "$@"; if [[ $2 == attach ]]; then attach; else exit "${STUB_WAIT:-0}"; fi ;;
  "flux python") record flux "$@"; if [[ $2 == -c ]]; then echo "${STUB_STATE:-}"; else [[ $(<"${!#}") == whole ]]; fi ;;
  "flux "*) record flux "$@"; task "$@" ;;
  sleep*) record sleep "$@"; exec "$STUB_SLEEP" "${STUB_PAUSE:-0.02}" ;;
  task*) record task "$@"; exit "${STUB_TASK:-0}" ;;
  *) record "$name" "$@"; while [[ ${1:-} == -* ]]; do shift; done; exec "$@" ;;
esac
