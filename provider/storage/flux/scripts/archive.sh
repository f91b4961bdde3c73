# shellcheck shell=bash
# The lead broker restores the state of the instance and saves it (flux-broker-attributes(7)).

# The new state is written to this file. The ending of the name stays, because it chooses the compression.
fresh=${MINICLUSTER_ARCHIVE%/*}/.saving.${MINICLUSTER_ARCHIVE##*/}

restore_archive() {
  mkdir -p "${MINICLUSTER_ARCHIVE%/*}/"
  rm -f "$fresh"
  # A broker that is restarted in its pod continues with its present state, if it had restored the whole archive.
  if [[ -e $MINICLUSTER_ARCHIVE && ! -e $MINICLUSTER_STATE/restored ]]; then
    options+=("-Scontent.restore=$MINICLUSTER_ARCHIVE")
  fi
  options+=("-Scontent.dump=$fresh")
}

# Replaces the former archive with the new one if that is complete: the broker writes it at its end, and may have been
# killed before. A status of 0 proves that it is complete.
keep_archive() {
  if [[ -e $fresh ]] && { ((status == 0)) || flux python -m tarfile --test "$fresh" >/dev/null 2>&1; }; then
    mv -f "$fresh" "$MINICLUSTER_ARCHIVE"
    log "the state is saved in $MINICLUSTER_ARCHIVE"
  else
    rm -f "$fresh"
    echo "minicluster: the state was not saved; nothing has changed in $MINICLUSTER_ARCHIVE" >&2
  fi
}
