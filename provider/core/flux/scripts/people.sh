# shellcheck shell=bash
# Writes the files for users to the shared volume, where users of the Flux Operator expect them.

# The files of an earlier start are read-only, and only root could overwrite them.
cp -f /etc/minicluster/config/flux-view.sh "$MINICLUSTER_MOUNT/flux-view.sh"
cp -f /etc/minicluster/config/flux-connect.sh "$MINICLUSTER_MOUNT/flux-connect.sh"
