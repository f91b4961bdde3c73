#!/bin/bash
# Runs when a lead broker starts with the state of a former one: loads the modules of Fluxion again after the jobs of
# the former broker have ended. As of 0.54, Fluxion otherwise starts no job after a crash, because it keeps the
# resources of a job that the next broker could not continue.

if ! modules=$(flux module list) || [[ $modules != *sched-fluxion-qmanager* ]]; then exit 0; fi
# A job that does not end must not keep the broker from starting.
last=$((SECONDS + 60))
while jobs=$(flux jobs --no-header --filter=running --format='{id}') && [[ -n $jobs ]]; do
  if ((SECONDS >= last)); then
    echo "jobs of the former lead broker have not ended in 60 s: ${jobs//$'\n'/ }"
    break
  fi
  read -r -t 0.2 _ <> <(:) || true
done
for module in qmanager feasibility resource; do flux module remove -f "sched-fluxion-$module"; done
for module in resource feasibility qmanager; do flux module load "sched-fluxion-$module"; done
