# shellcheck shell=bash
# Sets the variables of the Flux Operator's scripts, unless the environment has a variable of the same name. A script
# includes this file before all code of its container.

provide() {
  if [[ ! -v $1 ]]; then printf -v "$1" %s "$2"; fi
}

# Only for the container that runs Flux: the numbers in its variables depend on the present size.
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
# The name that the operator uses if the image has no passwd entry of the user.
provide USER "${fluxuser:-flux-operator}"
if [[ -n $MINICLUSTER_TASKS ]]; then provide_numbers; fi
unset -f provide provide_all provide_numbers
