# shellcheck shell=bash
# The lead broker of an instance whose state is on a volume: the next broker continues with it.

# In place of the function of the broker's script. A shutdown would cancel the running jobs (flux-shutdown(1)). With the state on
# the volume, a killed broker leaves them to the next one.
stop() {
  FLUX_URI=local://$socket FLUX_LOCAL_CONNECTOR_RETRY_COUNT=0 flux kvs put --sync minicluster.stopped=true || true
  kill -KILL "$child" 2>/dev/null || true
}

# Loads the modules of Fluxion again after the start, once the jobs of the former broker have ended: as of 0.54 it otherwise holds
# back all jobs after a crash, because it keeps the resources of a job that the next broker could not continue.
reload_fluxion() {
  mkdir -p "$MINICLUSTER_RC/rc1.d"
  cat >"$MINICLUSTER_RC/rc1.d/fluxion" <<'EOF'
#!/bin/bash
if ! modules=$(flux module list) || [[ $modules != *sched-fluxion-qmanager* ]]; then exit 0; fi
while jobs=$(flux jobs --no-header --filter=running --format='{id}') && [[ -n $jobs ]]; do
  read -r -t 0.2 _ <> <(:) || true
done
for module in qmanager feasibility resource; do flux module remove -f "sched-fluxion-$module"; done
for module in resource feasibility qmanager; do flux module load "sched-fluxion-$module"; done
EOF
  chmod 755 "$MINICLUSTER_RC/rc1.d/fluxion"
  export FLUX_RC_EXTRA="${FLUX_RC_EXTRA:+$FLUX_RC_EXTRA:}$MINICLUSTER_RC"
}
