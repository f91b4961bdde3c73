#!/bin/bash
# The init container's script: copies Flux to the shared volume. The programs of the view are links into
# /opt/software, which is copied beside it and mounted under its own name again.

. /etc/minicluster/config/settings.sh
# shellcheck source=strict.sh
. /etc/minicluster/config/strict.sh

# Bash as the first process of a container dies of no signal that it does not trap.
trap 'exit "$MINICLUSTER_LEFT_STATUS"' TERM INT

# Bash handles a signal when a program in front has ended, and this one may take a minute.
# Python compiles again each module that is newer than its compiled form, so the times have to stay.
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
