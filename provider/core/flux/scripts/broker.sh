#!/bin/bash
# The script of the container that runs Flux: rank 0 leads and runs the command, every other rank follows.

. /etc/minicluster/config/settings.sh
# The settings of this container and the user's pieces of code are named after it.
. "/etc/minicluster/config/$MINICLUSTER_MAIN.settings.sh"

# shellcheck source=variables.sh
if [[ ${#MINICLUSTER_VARIABLES[@]} -gt 0 ]]; then . /etc/minicluster/config/variables.sh; fi

# A piece of the user's code is included, so that its variables and functions stay. It is a separate file, so that
# none of its text can break out of it.
if [[ -e /etc/minicluster/config/$MINICLUSTER_MAIN.init.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then
    . "/etc/minicluster/config/$MINICLUSTER_MAIN.init.sh"
  else
    . "/etc/minicluster/config/$MINICLUSTER_MAIN.init.sh" >/dev/null 2>&1
  fi
fi

# shellcheck source=strict.sh
if [[ -n $MINICLUSTER_STRICT ]]; then . /etc/minicluster/config/strict.sh; fi

# As the first process of a container, bash ends only on the signals that it traps.
trap 'exit "$MINICLUSTER_LEFT_STATUS"' TERM INT

: "${JOB_COMPLETION_INDEX:?is set by Kubernetes in the pods of an Indexed Job}"
: "${MINICLUSTER_SIZE:?is set from the ConfigMap of the cluster}"

# shellcheck source=paths.sh
. /etc/minicluster/config/paths.sh
# shellcheck source=fluxion.sh
if [[ -n $MINICLUSTER_FLUXION ]]; then . /etc/minicluster/config/fluxion.sh; fi
# shellcheck source=later-variables.sh
if [[ ${#MINICLUSTER_VARIABLES[@]} -gt 0 ]]; then . /etc/minicluster/config/later-variables.sh; fi

# After a restart the container finds the socket of the former broker.
rm -rf "$MINICLUSTER_RUN"
mkdir -p "${MINICLUSTER_DIRECTORIES[@]}"
chmod 700 "$MINICLUSTER_RUN"
# A user without an entry in the image's passwd file has no home.
if [[ ${HOME:-/} == / ]]; then export HOME="$MINICLUSTER_HOME"; fi
# Only a batch job needs the directory, and an image may be read-only.
mkdir -p "$MINICLUSTER_LOGS" || [[ $MINICLUSTER_MODE != batch ]]
export FLUX_OUTPUT_DIR="$MINICLUSTER_LOGS"

# Flux takes a certificate only from a file that only its owner can read, and a mounted Secret is not such a file. No
# other container mounts the volume of the copy. If the user's configuration has another path, that path is a link,
# because it may be on the volume that all containers share.
certificate=$MINICLUSTER_CERTIFICATE_COPY
rm -f "$certificate"
(umask 077 && cp "$MINICLUSTER_CURVE" "$certificate")
if [[ -n $MINICLUSTER_CERTIFICATE ]]; then ln -sfn "$certificate" "$MINICLUSTER_CERTIFICATE"; fi

# shellcheck source=people.sh
if [[ $MINICLUSTER_FLUX != copied ]]; then . /etc/minicluster/config/people.sh; fi

if [[ -n $MINICLUSTER_DESCRIBE ]]; then
  # shellcheck source=resources.sh
  . /etc/minicluster/config/resources.sh
  if [[ $MINICLUSTER_DESCRIBE == around-code ]]; then prepare_hosts; else describe_hosts; fi
fi

if [[ -e /etc/minicluster/config/$MINICLUSTER_MAIN.pre.sh ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then
    . "/etc/minicluster/config/$MINICLUSTER_MAIN.pre.sh"
  else
    . "/etc/minicluster/config/$MINICLUSTER_MAIN.pre.sh" >/dev/null 2>&1
  fi
fi

if [[ -n $MINICLUSTER_LATE_CONFIG ]]; then
  # The address of the lead broker is known only in the cluster that runs it.
  : "${MINICLUSTER_LEAD:?is set to the endpoint of the lead broker}"
  toml=$(</etc/minicluster/config/broker.toml)
  printf '%s\n' "${toml//@LEAD_BROKER@/"$MINICLUSTER_LEAD"}" >"$MINICLUSTER_LATE_CONFIG"
fi

# The pieces of one role may still change what was prepared for all.
if [[ $MINICLUSTER_ROLE == lead ]] && ((JOB_COMPLETION_INDEX == 0)); then
  MINICLUSTER_PIECE=/etc/minicluster/config/$MINICLUSTER_MAIN.brokerPre.sh
else
  MINICLUSTER_PIECE=/etc/minicluster/config/$MINICLUSTER_MAIN.workerPre.sh
fi
if [[ -e $MINICLUSTER_PIECE ]]; then
  if [[ -z $MINICLUSTER_QUIET ]]; then . "$MINICLUSTER_PIECE"; else . "$MINICLUSTER_PIECE" >/dev/null 2>&1; fi
fi

# The user's code has run: what this script defines from here on, that code cannot change.
if [[ $MINICLUSTER_DESCRIBE == around-code ]]; then
  . /etc/minicluster/config/resources.sh
  adopt_hosts
fi

# shellcheck source=functions.sh
. /etc/minicluster/config/functions.sh
socket=$MINICLUSTER_SOCKET${MINICLUSTER_SOCKET_PER_RANK:+-$JOB_COMPLETION_INDEX}
child=
stopping=
patience=
killer=
late=

# Ends the program that runs, if it runs.
stop() {
  kill -TERM "$child" 2>/dev/null || true
  if [[ -n $patience ]]; then
    {
      rest "$patience"
      kill -KILL "$child" 2>/dev/null || true
    } &
    killer=$!
  fi
}

trap '
  stopping=yes
  case $child in "") exit "$MINICLUSTER_LEFT_STATUS" ;; starting) late=yes ;; *) stop ;; esac
' TERM INT

# Runs a program in the background. The script is the first process of the container: it gets the signal that ends a pod
# and has to pass it on, which bash would not do while a program runs in the foreground.
run() {
  log "$*"
  # The program inherits every descriptor.
  if [[ -n $pipe ]]; then exec {pipe}<&-; fi
  pipe=
  child=starting
  "$@" <&0 &
  child=$!
  # A signal may arrive before the program's process is known.
  if [[ -n $late ]]; then
    late=
    stop
  fi
  local result=0
  # A signal ends the wait before the program has ended.
  while true; do
    result=0
    wait "$child" || result=$?
    kill -0 "$child" 2>/dev/null || break
  done
  child=
  if [[ -n $killer ]]; then end_quietly "$killer"; fi
  return $result
}

log "rank $JOB_COMPLETION_INDEX of $MINICLUSTER_NAME, $MINICLUSTER_MODE mode, size $MINICLUSTER_SIZE"
options=("${MINICLUSTER_OPTIONS[@]}")
status=0
# The user's configuration is not changed.
# shellcheck source=network.sh
if [[ -n $MINICLUSTER_WAITS_FOR_LEAD ]]; then . /etc/minicluster/config/network.sh; fi
if [[ $MINICLUSTER_ROLE == lead ]] && ((JOB_COMPLETION_INDEX == 0)); then
  # shellcheck source=lead.sh
  . /etc/minicluster/config/lead.sh
else
  # shellcheck source=follower.sh
  . /etc/minicluster/config/follower.sh
fi

# The user's code after the run, in a separate shell: nothing after it needs its variables, and neither they nor an
# `exit` may change the status of the run, which the code finds in `$?`. What it prints is a result, also of a quiet
# cluster. In strict mode its failure counts only if the run has succeeded.
if [[ -e /etc/minicluster/config/$MINICLUSTER_MAIN.post.sh ]]; then
  # Bash ignores `set -e` in a command before ||, so the status is read after the command.
  if [[ -n $MINICLUSTER_STRICT ]]; then set +e; fi
  (
    if [[ -n $MINICLUSTER_STRICT ]]; then set -e; fi
    export retval="${result-$status}"
    if (exit "$status"); then
      . "/etc/minicluster/config/$MINICLUSTER_MAIN.post.sh"
    else
      . "/etc/minicluster/config/$MINICLUSTER_MAIN.post.sh"
    fi
  )
  after=$?
  if [[ -n $MINICLUSTER_STRICT ]]; then
    set -e
    if ((status == 0)); then status=$after; fi
  fi
fi

# Some statuses mean that a container was killed. A broker that was killed leaves its socket behind: its pod is
# replaced.
if [[ " $MINICLUSTER_KILLED " == *" $status "* && ! -S $socket ]]; then
  log "status $status is reported as 1, because it would mean that the container was killed"
  status=1
fi

# A pod that was ended by a signal has a separate status, regardless of its broker's status: by this status, the
# Job replaces the pod and does not count it as failed. No other pod may end with it.
if [[ -n $stopping ]]; then
  status=$MINICLUSTER_LEFT_STATUS
elif ((status == MINICLUSTER_LEFT_STATUS)); then
  status=1
fi
exit "$status"
