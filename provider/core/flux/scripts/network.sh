# shellcheck shell=bash
# Adapts a copy of the brokers' configuration to the network of this pod: to its address family, and to the domain of the
# Kubernetes cluster. Kubernetes writes both into files of the pod, and the ConfigMap is the same for all pods.

# Sets the first address of this pod in /etc/hosts: with two families, that is the primary one, in which DNS answers.
find_address() {
  local words word
  address=
  while read -r -a words || [[ ${#words[@]} -gt 0 ]]; do
    for word in "${words[@]:1}"; do
      if [[ $word == "$HOSTNAME" ]]; then
        address=${words[0]}
        return
      fi
    done
  done </etc/hosts
}

# Sets the domain of the services of this namespace, such as hpc.svc.cluster.local. With another DNS policy, the pod may
# have no such search domain.
find_domain() {
  local words word
  domain=
  while read -r -a words || [[ ${#words[@]} -gt 0 ]]; do
    if [[ ${words[0]:-} != search ]]; then continue; fi
    for word in "${words[@]:1}"; do
      if [[ $word == *.svc.* ]]; then
        domain=${word%.}
        return
      fi
    done
  done </etc/resolv.conf
}

adapt_network() {
  local file=${MINICLUSTER_LATE_CONFIG:-/etc/minicluster/config/broker.toml} given toml address domain
  # The status of a read up to the end of a file is 1.
  IFS= read -r -d '' given <"$file" || true
  toml=$given
  find_address
  if [[ $address == *:* ]]; then
    # By default a broker has IPv4 alone. With IPv6 enabled it does not listen at an interface by the address that DNS has, if
    # the interface has one of each family (flux-config-bootstrap(5)); at all addresses it does.
    toml=${toml/'default_bind = "tcp://eth0:%p"'/$'enable_ipv6 = true\ndefault_bind = "tcp://*:%p"'}
  fi
  find_domain
  if [[ -n $domain && $toml =~ [.]"${domain%%.*}"[.]svc[.]([-a-z0-9.]+)[.]: ]]; then
    local other=.${domain%%.*}.svc.${BASH_REMATCH[1]}.:
    toml=${toml//"$other"/".$domain.:"}
    MINICLUSTER_ENDPOINT=${MINICLUSTER_ENDPOINT/"$other"/".$domain.:"}
  fi
  if [[ $toml == "$given" ]]; then return; fi
  file=$MINICLUSTER_MOUNT/config/etc/flux/system/broker.toml
  printf '%s' "$toml" >"$file"
  options[0]=--config-path=$file
}

adapt_network
