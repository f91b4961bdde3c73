# shellcheck shell=bash
# The lead broker of an instance whose state is on a volume: the next broker continues with it.

# In place of the function of the broker's script. A shutdown would cancel the running jobs (flux-shutdown(1)). With the state on
# the volume, a killed broker leaves them to the next one.
stop() {
  FLUX_URI=local://$socket FLUX_LOCAL_CONNECTOR_RETRY_COUNT=0 flux kvs put --sync minicluster.stopped=true || true
  kill -KILL "$child" 2>/dev/null || true
}

reload_fluxion() {
  add_rc "$MINICLUSTER_RC"
  ln -sfn /etc/minicluster/config/reload.sh "$MINICLUSTER_RC/rc1.d/fluxion"
}
