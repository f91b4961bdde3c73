import { itBuilds } from "../../../../support/manifests";

const taint = (key: string, value: string, effect: string) =>
  `{key: ${key}, operator: Equal, value: ${value}, effect: ${effect}}`;
const arch = (value: string, effect: string) => taint("kubernetes.io/arch", value, effect);

describe("a cluster on a pool", () => {
  itBuilds(`
# takes from the pool where its pods run and what they are marked with, and from the user what he says beside it
pool: !pool {annotations: {a.io/networks: ours, a.io/more: ours}}
|pod: {nodeSelector: {disk: nvme, minicluster/pool: !later theirs}, annotations: {a.io/more: theirs, b: theirs}}
  pod.nodeSelector: {kubernetes.io/arch: amd64, minicluster/pool: theirs, disk: nvme}
  template.annotations: !has {a.io/networks: ours, a.io/more: theirs, b: theirs}
# tolerates each taint, whatever it does, and what the user says
pool: !pool {taints: [{key: gpu, value: present, effect: NoSchedule}, {key: team, effect: NoExecute}, {key: spot, effect: PreferNoSchedule}]}
|pod: {tolerations: [{key: other, operator: Exists}]}
  pod.tolerations: [${taint("gpu", "present", "NoSchedule")}, ${taint("team", '""', "NoExecute")}, ${taint("spot", '""', "PreferNoSchedule")}, {key: other, operator: Exists}]
# tolerates the taint of ARM nodes once
pool: !pool {node: {arch: arm64}, taints: [{key: kubernetes.io/arch, value: arm64, effect: NoSchedule}]}
  pod.tolerations: [${arch("arm64", "NoSchedule")}]
# tolerates a taint by architecture that is another one
pool: !pool {node: {arch: arm64}, taints: [{key: kubernetes.io/arch, value: arm64, effect: NoExecute}]}
  pod.tolerations: [${arch("arm64", "NoSchedule")}, ${arch("arm64", "NoExecute")}]
pool: !pool {taints: [{key: kubernetes.io/arch, value: amd64, effect: NoSchedule}]}
  pod.tolerations: [${arch("amd64", "NoSchedule")}]
# has the Flux view of the pool's architecture, or the user's own
pool: !pool {node: {arch: arm64}}
  container.flux-view.image: ghcr.io/converged-computing/flux-view-ubuntu:arm-noble
{pool: !pool {node: {arch: arm64}}, flux: {container: {image: mine}}}
  container.flux-view.image: mine
`);
});

describe("the container that runs Flux, on a pool", () => {
  itBuilds(`
# has the pool's variables, and the user's in their place
pool: !pool {environment: {FI_PROVIDER: efa, UCX_TLS: rc, TOKEN: ours}}
|containers: [!broker {environment: {UCX_TLS: tcp, MINE: x}, secrets: {TOKEN: {name: s, key: k}}}]
  container.demo.variables: !has {FI_PROVIDER: {name: FI_PROVIDER, value: efa}, UCX_TLS: {name: UCX_TLS, value: tcp}, MINE: {name: MINE, value: x}}
  container.demo.{variables.TOKEN.value,env[5]}: !unset
# has shared memory without the limit of 64 MiB, and the directories of the node's drivers
pool: !pool {hostPaths: {/opt/nvidia: /home/nvidia, /opt/nccl: /home/nccl}}
  container.demo.mounts["/dev/shm"].name: pool-shm
  volume.pool-shm.emptyDir: {medium: Memory}
  container.demo.mounts["/opt/nvidia"].name: pool-host-0
  volume.pool-host-0.hostPath: {path: /home/nvidia}
# has only the user's volumes in their places
{pool: !pool {hostPaths: {/opt/nccl: /home/nccl}}, containers: [!broker {volumes: {own: {path: /dev/shm, claimName: c}, nccl: {path: /opt/nccl, claimName: c}}}]}
  container.demo.mounts["/dev/shm"].name: own
  container.demo.mounts["/opt/nccl"].name: nccl
  volume: !has {pool-shm: !unset , pool-host-0: !unset }
{pool: !pool {}, containers: [!broker {volumes: {own: {emptyDir: true, emptyDirMedium: Memory}}}]}
  container.demo.mounts["/dev/shm"].name: own
  volume.pool-shm: !unset
# may lock memory where the fabric does
{pool: !pool {lockMemory: true}, containers: [!broker {securityContext: {runAsUser: 0}}]}
  container.demo.securityContext: !has {capabilities: {add: [IPC_LOCK]}, runAsUser: 0}
# keeps what else it may, and what it may not
{pool: !pool {lockMemory: true}, containers: [!broker {securityContext: {capabilities: {add: [SYS_NICE], drop: [ALL]}}}]}
  container.demo.securityContext.capabilities: {add: [SYS_NICE, IPC_LOCK], drop: [ALL]}
# names a capability once
{pool: !pool {lockMemory: true}, containers: [!broker {securityContext: {capabilities: {add: [IPC_LOCK]}}}]}
  container.demo.securityContext.capabilities: {add: [IPC_LOCK]}
pool: !pool {}
  container.demo.securityContext.capabilities: !unset
`);
});
