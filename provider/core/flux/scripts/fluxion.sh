# shellcheck shell=bash
# Adds Fluxion to the paths of a broker whose Flux does not find it: Spack installs Fluxion in a separate prefix,
# where Flux does not look. Flux from 0.77 on reads FLUX_MODPROBE_PATH_APPEND, older versions read FLUX_RC_EXTRA
# (flux-environment(7)).

if [[ $(type -P flux) == "$MINICLUSTER_VIEW/bin/flux" ]]; then
  prefix=$(readlink -f "$MINICLUSTER_VIEW/bin/flux")
  prefix=${prefix%/bin/flux}
  for module in \
    "$prefix"/lib*/flux/modules/sched-fluxion-qmanager.so \
    "$MINICLUSTER_VIEW"/lib*/flux/modules/sched-fluxion-qmanager.so \
    /opt/software/{,*/,*/*/}flux-sched*/lib*/flux/modules/sched-fluxion-qmanager.so; do
    if [[ ! -e $module ]]; then continue; fi
    # Flux itself finds Fluxion in its own prefix.
    if [[ $module == "$prefix"/* ]]; then break; fi
    prefix=${module%/lib*/flux/modules/*}
    export FLUX_MODULE_PATH="${FLUX_MODULE_PATH:+$FLUX_MODULE_PATH:}${module%/*}"
    export FLUX_MODPROBE_PATH_APPEND="${FLUX_MODPROBE_PATH_APPEND:+$FLUX_MODPROBE_PATH_APPEND:}$prefix/etc/flux/modprobe"
    export FLUX_RC_EXTRA="${FLUX_RC_EXTRA:+$FLUX_RC_EXTRA:}$prefix/etc/flux"
    break
  done
fi
