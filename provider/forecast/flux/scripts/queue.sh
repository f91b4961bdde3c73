#!/bin/bash
# Prints the reading of the queue for a forecast.

# shellcheck source=../../../core/flux/scripts/flux-view.sh
. /etc/minicluster/config/flux-view.sh
FLUX_URI=$fluxsocket exec flux python /etc/minicluster/config/read-queue.py
