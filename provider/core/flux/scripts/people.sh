# shellcheck shell=bash
# Writes the files that users source to the shared volume, at the paths of the Flux Operator.

# The files of an earlier start are read-only, and only root could overwrite them.
cp -f /etc/minicluster/config/flux-view.sh "$MINICLUSTER_MOUNT/flux-view.sh"
cp -f /etc/minicluster/config/flux-connect.sh "$MINICLUSTER_MOUNT/flux-connect.sh"
