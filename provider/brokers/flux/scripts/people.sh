# shellcheck shell=bash
# Leaves the files for people on the shared volume, where users of the Flux Operator expect them.

# Those of an earlier start are read-only, and only root could write to them.
cp -f /etc/minicluster/config/flux-view.sh "$MINICLUSTER_MOUNT/flux-view.sh"
cp -f /etc/minicluster/config/flux-connect.sh "$MINICLUSTER_MOUNT/flux-connect.sh"
