# shellcheck shell=bash
# Functions for a lead broker with the state of the instance on a volume: the next lead broker continues with the state.

# Replaces the function of broker.sh. A shutdown would cancel the running jobs (flux-shutdown(1)). With the state on the
# volume, the next broker continues them after this broker is killed.
stop() {
  FLUX_URI=local://$socket FLUX_LOCAL_CONNECTOR_RETRY_COUNT=0 flux kvs put --sync minicluster.stopped=true || true
  kill -KILL "$child" 2>/dev/null || true
}

# Sets the type of the volume's file system (proc_mounts(5)), if it is a network file system.
find_network() {
  network=
  local mount type
  while read -r _ mount type _; do
    if [[ $mount != "$MINICLUSTER_STORED" ]]; then continue; fi
    case $type in
      nfs* | cifs | smb* | ceph | lustre | gpfs | glusterfs | beegfs | 9p | fuse.*) network=$type ;;
      *) network= ;;
    esac
  done </proc/mounts
}

# SQLite's write-ahead log, which Flux selects, needs memory that is shared through the file system: it does not work on a
# network file system (https://www.sqlite.org/wal.html). Without it each write waits for the disk.
avoid_log() {
  log "the state is on $network, so its database has no write-ahead log, and writes are slower"
  local copy=$MINICLUSTER_STATE/broker.toml index
  for index in "${!options[@]}"; do
    if [[ ${options[index]} != --config-path=* ]]; then continue; fi
    printf '%s\n\n[content-sqlite]\njournal_mode = "TRUNCATE"\n' "$(<"${options[index]#*=}")" >"$copy"
    options[index]=--config-path=$copy
  done
}

reload_fluxion() {
  add_rc "$MINICLUSTER_RC"
  ln -sfn /etc/minicluster/config/reload.sh "$MINICLUSTER_RC/rc1.d/fluxion"
}
