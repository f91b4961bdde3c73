# shellcheck shell=bash
# The variables of the Flux Operator's scripts, unless the environment has one of that name: for the code of a
# container, before all of it.

provide() {
  if [[ ! -v $1 ]]; then printf -v "$1" %s "$2"; fi
}

# Of the container that runs Flux: its numbers depend on the present size.
provide_numbers() {
  local IFS=' ' nodes="-N $MINICLUSTER_SIZE" spec
  if ((MINICLUSTER_TASKS == 0)); then
    spec=$nodes
  elif ((MINICLUSTER_TASKS < MINICLUSTER_SIZE)); then
    spec="-n $MINICLUSTER_TASKS"
  else
    spec="$nodes -n $MINICLUSTER_TASKS"
  fi
  provide node_spec "$spec"
  provide flags "$spec$MINICLUSTER_FLAGS"
  local quorum=" -Sbroker.quorum=${MINICLUSTER_QUORUM:-$MINICLUSTER_SIZE}"
  if [[ $MINICLUSTER_ROLE == follower ]]; then quorum=; fi
  provide brokerOptions "${MINICLUSTER_OPTIONS[*]:1}$quorum"
}

provide_all() {
  while (($# > 0)); do
    provide "$1" "$2"
    shift 2
  done
}

provide_all "${MINICLUSTER_VARIABLES[@]}"
provide fluxsocket "local://$MINICLUSTER_SOCKET${MINICLUSTER_SOCKET_PER_RANK:+-${JOB_COMPLETION_INDEX:-0}}"
provide fluxuid "$EUID"
provide fluxuser "$(id -un 2>/dev/null)"
# As the operator calls a user that the image does not know.
provide USER "${fluxuser:-flux-operator}"
if [[ -n $MINICLUSTER_TASKS ]]; then provide_numbers; fi
unset -f provide provide_all provide_numbers
