#!/bin/bash
# Opens a shell in the Flux instance.

# shellcheck source=flux-view.sh
. /etc/minicluster/config/flux-view.sh
exec flux proxy "$fluxsocket" bash
