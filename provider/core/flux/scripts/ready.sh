#!/bin/bash
# The startup probe: succeeds once this rank's broker belongs to the running instance (flux-uptime(1)).

# shellcheck source=flux-view.sh
. /etc/minicluster/config/flux-view.sh
# shellcheck source=functions.sh
. /etc/minicluster/config/functions.sh

export FLUX_URI=$fluxsocket
ask_state
if [[ $state != run ]]; then exit 1; fi

# shellcheck source=undrain.sh
if [[ -n $MINICLUSTER_DRAIN_SECONDS ]]; then . /etc/minicluster/config/undrain.sh; fi

# With this file the lead's script detects that the instance runs with its restored state.
if [[ -n $MINICLUSTER_ARCHIVE ]]; then : >"$MINICLUSTER_STATE/restored"; fi
