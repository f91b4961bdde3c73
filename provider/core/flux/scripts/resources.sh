# shellcheck shell=bash
# Describes the hosts (flux-R(1)) if the brokers' configuration does not. A host of unknown hardware gets the hardware
# of this host. The lead broker's description takes precedence.

# Writes the description. MINICLUSTER_ENCODE has the words of flux R encode for each cluster of the instance, each
# followed by a ";".
describe_hosts() {
  if [[ -n $MINICLUSTER_APPEND ]]; then
    encode_hosts | flux R append >"$MINICLUSTER_RESOURCES"
  else
    encode_hosts >"$MINICLUSTER_RESOURCES"
  fi
}

encode_hosts() {
  local word words=()
  for word in "${MINICLUSTER_ENCODE[@]}"; do
    if [[ $word != ";" ]]; then
      words+=("$word")
    else
      flux R encode "${words[@]}"
      words=()
    fi
  done
}

# Runs before the user's code, which may describe other hosts in the same file, and reads the hostlist in its directory.
# Flux may be on the path only after that code.
prepare_hosts() {
  printf '%s\n' "$MINICLUSTER_HOSTS" >"$MINICLUSTER_HOSTLIST"
  : >"$MINICLUSTER_RESOURCES"
  if command -v flux >/dev/null; then
    describe_hosts || : >"$MINICLUSTER_RESOURCES"
  fi
  # Until October 2025 the operator's brokers read the description in the view, and most manifests write it there.
  if [[ $MINICLUSTER_FLUX != mounted ]]; then link_in_view "$MINICLUSTER_VIEW/etc/flux/system" 2>/dev/null || true; fi
}

link_in_view() {
  mkdir -p "$1" && ln -sfn "$MINICLUSTER_RESOURCES" "$1/R"
}

# Takes the description that the user's code has written, or creates one.
adopt_hosts() {
  local view=$MINICLUSTER_VIEW/etc/flux/system/R described
  if [[ $MINICLUSTER_FLUX != mounted && -f $view && ! -L $view ]]; then cp -f "$view" "$MINICLUSTER_RESOURCES"; fi
  if [[ ! -s $MINICLUSTER_RESOURCES ]]; then describe_hosts; fi
  if [[ -z $MINICLUSTER_HOST_COUNT ]]; then return; fi
  # A broker whose host is not in the description does not start, and a quiet broker does not report why.
  if described=$(flux R decode --count=node <"$MINICLUSTER_RESOURCES") && ((described != MINICLUSTER_HOST_COUNT)); then
    echo "minicluster: $MINICLUSTER_RESOURCES describes $described hosts, and the instance has $MINICLUSTER_HOST_COUNT:" \
      "no broker starts; encode every host of $MINICLUSTER_HOSTS, also those beyond the present size" >&2
  fi
}
