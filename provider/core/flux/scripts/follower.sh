# shellcheck shell=bash
# The role of every other rank: it joins the lead broker, and joins it again after a loss. A follower does not end by
# itself, because followers end with status 0 in both cases: if the lead broker moves to another node, and if it has
# finished. When the lead's command has ended, Kubernetes ends the followers, by the Job's success policy.

# Succeeds if the lead's port accepts a connection within 3 s. Bash opens it itself, so that an image needs no program
# for it. An address that cannot be reached may take minutes to fail.
knock() {
  local answer=
  open_pipe
  {
    trap - ERR
    if { : <>"/dev/tcp/$lead_host/$lead_port"; } 2>/dev/null; then echo open; else echo closed; fi >&"$pipe"
  } &
  local knocker=$!
  if ! read -r -t 3 -u "$pipe" answer; then
    end_quietly "$knocker"
    # A response at the last moment would belong to the next attempt.
    read -r -t 0.01 -u "$pipe" answer || true
  fi
  [[ $answer == open ]]
}

# Fails if the first attempt to connect fails. The first attempts follow each other quickly, because all pods of a new
# cluster start at the same time, and then there is one each second, before a broker starts without the lead.
wait_for_lead() {
  if knock; then return; fi
  log "waiting for the lead broker at $lead"
  for ((tries = 1; tries < 70; tries++)); do
    if ((tries < 50)); then nap 0.2; else rest 1; fi
    if knock; then break; fi
  done
  return 1
}

# Reports why a lead broker that is reachable does not admit this broker.
report() {
  trap - ERR
  rest 60
  FLUX_URI=local://$socket ask_state
  if [[ $state != join ]]; then return; fi
  if [[ -n $MINICLUSTER_WAITS_FOR_LEAD ]] && ! knock; then return; fi
  echo "minicluster: rank $JOB_COMPLETION_INDEX has not joined for 60 s, though the lead's port is open. If other ranks" \
    "have joined, this pod has an old curve certificate or configuration: delete the pod, and the next pod reads the" \
    "present ones" >&2
}

start_follower() {
  report &
  reporter=$!
  run flux start ${MINICLUSTER_WRAP:+"--wrap=$MINICLUSTER_WRAP"} "${options[@]}" && result=0 || result=$?
  end_quietly "$reporter"
}

# Ends the tasks of a killed broker: for Flux their jobs have ended, and may already run on other hosts.
end_tasks() {
  local file variable own
  for file in /proc/[0-9]*/environ; do
    own=0
    while IFS= read -r -d '' variable; do
      case $variable in FLUX_JOB_ID=* | "FLUX_URI=local://$socket") own=$((own + 1)) ;; esac
    done <"$file" || true
    if ((own == 2)); then kill -KILL "${file//[!0-9]/}" || true; fi
  done 2>/dev/null
}

# Seconds after which a broker that was sent SIGTERM is killed: one that has not joined yet may hang until the pod is
# killed.
patience=5
# With the user's own configuration only Flux has the address of the lead.
if [[ -n $MINICLUSTER_WAITS_FOR_LEAD ]]; then
  lead=${MINICLUSTER_ENDPOINT:-$MINICLUSTER_LEAD}
  # An IPv6 address has brackets.
  lead_host=${lead%:*} lead_port=${lead##*:}
  lead_host=${lead_host#[} lead_host=${lead_host%]}
fi

if [[ -n $MINICLUSTER_COMPLETE_WORKERS ]]; then
  if [[ -n $MINICLUSTER_WAITS_FOR_LEAD ]]; then wait_for_lead || true; fi
  start_follower
  log "the broker ended with status $result"
else
  pause=1
  while true; do
    # A script that waits ends immediately on a signal, but a broker does not.
    if [[ -n $MINICLUSTER_WAITS_FOR_LEAD ]] && ! wait_for_lead; then pause=1; fi
    began=$SECONDS
    start_follower
    if [[ -n $stopping ]]; then break; fi
    if ((result > 128)); then end_tasks; fi
    # A broker that has run for a minute has joined its instance.
    if ((SECONDS - began >= 60)); then pause=1; fi
    log "the broker ended with status $result; next try in $pause s"
    rest $pause
    pause=$((pause * 2 < 15 ? pause * 2 : 15))
  done
fi
