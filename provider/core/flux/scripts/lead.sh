# shellcheck shell=bash
# The role of rank 0: it starts the broker that all others join, with the command as its initial program.

# Runs a program beside the broker while its file exists: the file may appear and disappear while the brokers run.
serve() {
  trap - ERR TERM INT
  local program=$MINICLUSTER_PROGRAM_DIRECTORY/$1
  while true; do
    # The program ends if the broker does not respond, and is started again after any status.
    if [[ -e $program.pyz ]]; then
      FLUX_URI=local://$socket flux python "$program.pyz" "$program.json" "${@:2}" || true
    fi
    rest 5
  done
}

# Has the broker run the scripts of a directory with its start (flux-environment(7), FLUX_RC_EXTRA), each once.
add_rc() {
  mkdir -p "$1/rc1.d"
  if [[ :${FLUX_RC_EXTRA:-}: == *":$1:"* ]]; then return; fi
  export FLUX_RC_EXTRA="${FLUX_RC_EXTRA:+$FLUX_RC_EXTRA:}$1"
}

# Starts the queues with the broker: Flux leaves named queues stopped.
start_queues() {
  add_rc "$MINICLUSTER_QUEUES"
  printf '%s\n' '#!/bin/sh' 'exec flux queue start --all --quiet' >"$MINICLUSTER_QUEUES/rc1.d/queues"
  chmod 755 "$MINICLUSTER_QUEUES/rc1.d/queues"
}

# Sets the initial program of flux-start(1), which the lead broker runs once the instance is up, with the number of
# nodes that it requests.
set_program() {
  program=("${MINICLUSTER_PROGRAM[@]}")
  if [[ $MINICLUSTER_MODE != launcher ]]; then
    local submit=("${MINICLUSTER_SUBMIT[@]}")
    if ((MINICLUSTER_TASKS == 0 || MINICLUSTER_TASKS >= MINICLUSTER_SIZE)); then submit+=(-N "$MINICLUSTER_SIZE"); fi
    if ((MINICLUSTER_TASKS > 0)); then submit+=(-n "$MINICLUSTER_TASKS"); fi
    program=("${submit[@]}" "${program[@]}")
  fi
  if [[ -n $MINICLUSTER_TIMED ]]; then
    program=(bash -c 'TIMEFORMAT="FLUXTIME fluxsubmit wall time %R"; time "$@"' timed "${program[@]}")
  fi
}

start_lead() {
  run flux start ${MINICLUSTER_WRAP:+"--wrap=$MINICLUSTER_WRAP"} "${options[@]}" "$@"
}

options+=("-Sbroker.quorum=${MINICLUSTER_QUORUM:-$MINICLUSTER_SIZE}")
if [[ -n $MINICLUSTER_ARCHIVE ]]; then
  # shellcheck source=../../../storage/flux/scripts/archive.sh
  . /etc/minicluster/config/archive.sh
  restore_archive
fi
if [[ -n ${MINICLUSTER_STORED:-} ]]; then
  # shellcheck source=../../../storage/flux/scripts/stored.sh
  . /etc/minicluster/config/stored.sh
  find_network
  if [[ -n $network ]]; then avoid_log; fi
  # If the program that watches the volume has written a dump, the broker restores its state from the dump.
  options+=("-Scontent.restore=auto")
  if [[ -e $MINICLUSTER_STORED/content.sqlite ]]; then reload_fluxion; fi
fi
serve lead "$MINICLUSTER_CURVE" "$MINICLUSTER_SIZE_FILE" &
servers=($!)
serve console "$MINICLUSTER_USERS" "$MINICLUSTER_SIZE_FILE" &
servers+=($!)
if [[ -n $MINICLUSTER_QUEUES ]]; then start_queues; fi

if [[ $MINICLUSTER_MODE != interactive ]]; then
  set_program
  if [[ -n $MINICLUSTER_TIMED ]]; then
    TIMEFORMAT='FLUXTIME fluxstart wall time %R'
    time start_lead "${program[@]}" || status=$?
  else
    start_lead "${program[@]}" || status=$?
  fi
elif [[ -n $MINICLUSTER_WRAP ]]; then
  # Without an initial program the instance stays up until a user shuts it down (flux-broker-attributes(7)).
  start_lead -Sbroker.rc2_none || status=$?
else
  run flux broker "${options[@]}" -Sbroker.rc2_none || status=$?
fi

end_quietly "${servers[@]}"
if [[ -n $MINICLUSTER_ARCHIVE ]]; then keep_archive; fi
