# shellcheck shell=bash
# The variables of the Flux Operator's scripts that are known only later, and exports of the variables that the command
# names.

provide() {
  if [[ ! -v $1 ]]; then printf -v "$1" %s "$2"; fi
}

provide workdir "$PWD"
if [[ $MINICLUSTER_FLUX != own ]]; then
  for foundroot in "$MINICLUSTER_VIEW/lib"/python3*; do :; done
  provide pythonversion "$MINICLUSTER_VIEW/bin/${foundroot##*/}"
fi
unset -f provide
if ((${#MINICLUSTER_EXPORTS[@]} > 0)); then export "${MINICLUSTER_EXPORTS[@]}"; fi
