# shellcheck shell=bash
# Appends the Flux view to the paths of the image, and sets the variables of flux.environment.

if [ "$MINICLUSTER_FLUX" = mounted ] && [ ! -e "$MINICLUSTER_VIEW" ]; then (
  # The view in the image may be a link from the root, which would lead elsewhere in this container.
  target=$(readlink "$MINICLUSTER_IMAGE/opt/view" || echo /opt/view)
  case $target in /*) ;; *) target=/opt/$target ;; esac
  # Another container of the pod may be doing the same.
  ln -sfn "$MINICLUSTER_IMAGE$target" "$MINICLUSTER_VIEW" || true
); fi

if [ "$MINICLUSTER_FLUX" != own ]; then
  export PATH="$PATH:$MINICLUSTER_VIEW/bin"
  if [ -n "$MINICLUSTER_PYTHON_PATH" ]; then
    export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$MINICLUSTER_PYTHON_PATH"
  else
    for modules in "$MINICLUSTER_VIEW/lib"/python3*/site-packages; do
      if [ -d "$modules" ]; then export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$modules"; fi
    done
  fi
fi

if [ -e /etc/minicluster/config/environment.sh ]; then . /etc/minicluster/config/environment.sh; fi
