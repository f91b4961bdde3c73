# shellcheck shell=bash
# Runs the command of a container beside Flux, and the user's code after it.

child=
# When the first process of a container ends, the kernel kills all others, so this script waits until the command has
# ended.
trap '
  if [[ -n $child ]] && kill -TERM "$child" 2>/dev/null; then wait "$child" || true; fi
  exit "$MINICLUSTER_LEFT_STATUS"
' TERM INT

# Bash would handle the signal that ends a pod only after the end of a program or of code in the foreground.
run_command() {
  "${MINICLUSTER_COMMAND[@]}" &
  child=$!
  wait "$child"
  local status=$?
  if [[ ! -e ${0%.start.sh}.post.sh ]]; then return $status; fi
  (if (exit "$status"); then . "${0%.start.sh}.post.sh"; else . "${0%.start.sh}.post.sh"; fi) <&0 &
  child=$!
  wait "$child"
}
