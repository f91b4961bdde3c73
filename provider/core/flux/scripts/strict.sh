# shellcheck shell=bash
# Strict mode, with a message with the file, the line and the status of a failed command.

set -eEuo pipefail
# A quiet cluster silences the code that fails, but not this message.
exec 3>&2
trap 'echo "minicluster: ${BASH_SOURCE[0]} line $LINENO ended with status $?" >&3' ERR
