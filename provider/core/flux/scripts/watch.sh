#!/bin/bash
# Submits a batch job, shows the output of its script, and ends with its status.

. /etc/minicluster/config/settings.sh
. "/etc/minicluster/config/$MINICLUSTER_MAIN.settings.sh"

id=$(flux batch "$@") || exit
# flux-batch(1) does not accept -vvv: with logging.debug the job shows its events instead (flux-job(1), attach).
exec flux job attach ${MINICLUSTER_DEBUG:+-vEX} "$id"
