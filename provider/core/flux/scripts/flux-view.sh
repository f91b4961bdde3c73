#!/bin/bash
# The paths of Flux and of the broker's socket, for users and sidecars to source.

. /etc/minicluster/config/settings.sh
# shellcheck source=paths.sh
. /etc/minicluster/config/paths.sh

if [ "$MINICLUSTER_FLUX" != own ]; then
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$MINICLUSTER_VIEW/lib"
fi
export fluxsocket="local://$MINICLUSTER_SOCKET${MINICLUSTER_SOCKET_PER_RANK:+-${JOB_COMPLETION_INDEX:-0}}"
