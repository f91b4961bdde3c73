#!/bin/bash
# The init container's script: copies Flux to the shared volume. The programs of the view are links into /opt/software,
# which is copied to the same volume and mounted at /opt/software.

. /etc/minicluster/config/settings.sh
# shellcheck source=strict.sh
. /etc/minicluster/config/strict.sh

# As the first process of a container, bash ends only on the signals that it traps.
trap 'exit "$MINICLUSTER_LEFT_STATUS"' TERM INT

# Runs in the background, because bash handles a signal only when the program in the foreground has ended, and a copy
# may take a minute. Keeps the times: Python compiles each module again that is newer than its compiled form.
copy() {
  cp -Rp "$@" &
  wait $!
}

view=$MINICLUSTER_VIEW
software=$MINICLUSTER_MOUNT/software
# A restarted init container finds the incomplete copy.
rm -rf "$view" "$software"
mkdir -p "$view" "$software"
copy /opt/view/. "$view/"
if [[ -d /opt/software ]]; then copy /opt/software/. "$software/"; fi

# shellcheck source=people.sh
. /etc/minicluster/config/people.sh
