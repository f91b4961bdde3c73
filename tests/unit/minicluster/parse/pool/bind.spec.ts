import * as assert from "node:assert/strict";
import { aPool } from "../../../../support/fixtures";
import { itBuilds, manifestsOf } from "../../../../support/manifests";
import { changedPaths } from "../../../../support/propertyPaths";

const arch = (value: string, effect: string) =>
  `{key: kubernetes.io/arch, operator: Equal, value: ${value}, effect: ${effect}}`;

describe("a cluster on a pool", () => {
  it("differs from one without a pool in nothing but what the pool says", () => {
    const [without, on] = [manifestsOf({ flux: { arch: "amd64" } }), manifestsOf({ pool: aPool() })];
    assert.deepEqual(changedPaths({ pod: without.job.spec.template.spec }, { pod: on.job.spec.template.spec }), [
      "pod.affinity.podAntiAffinity",
      "pod.containers[0].resources",
      "pod.containers[0].volumeMounts[3].mountPath",
      "pod.containers[0].volumeMounts[3].name",
      "pod.containers[0].volumeMounts[3].readOnly",
      "pod.containers[0].volumeMounts[4].mountPath",
      "pod.containers[0].volumeMounts[4].name",
      "pod.containers[0].volumeMounts[5]",
      'pod.nodeSelector["minicluster/pool"]',
      "pod.volumes[4]",
    ]);
  });

  itBuilds(`
# takes from the pool where its pods run and what they are marked with, and from the user what he says beside it
pool: !pool {annotations: {a.io/networks: ours, a.io/more: ours}}
|pod: {nodeSelector: {disk: nvme, minicluster/pool: !later theirs}, annotations: {a.io/more: theirs, b: theirs}}
  pod.nodeSelector: {kubernetes.io/arch: amd64, minicluster/pool: theirs, disk: nvme}
  template.annotations["a.io/networks"]: ours
  template.annotations["a.io/more"]: theirs
  template.annotations.b: theirs
# tolerates each taint, whatever it does, and what the user says
pool: !pool {taints: [{key: gpu, value: present, effect: NoSchedule}, {key: team, effect: NoExecute}, {key: spot, effect: PreferNoSchedule}]}
|pod: {tolerations: [{key: other, operator: Exists}]}
  pod.tolerations[0]: {key: gpu, operator: Equal, value: present, effect: NoSchedule}
  pod.tolerations[1]: {key: team, operator: Equal, value: "", effect: NoExecute}
  pod.tolerations[2]: {key: spot, operator: Equal, value: "", effect: PreferNoSchedule}
  pod.tolerations[3]: {key: other, operator: Exists}
  pod.tolerations[4]: !unset
# tolerates the taint of ARM nodes once
pool: !pool {node: {arch: arm64}, taints: [{key: kubernetes.io/arch, value: arm64, effect: NoSchedule}]}
  pod.tolerations: [${arch("arm64", "NoSchedule")}]
# tolerates a taint by architecture that is another one
pool: !pool {node: {arch: arm64}, taints: [{key: kubernetes.io/arch, value: arm64, effect: NoExecute}]}
  pod.tolerations: [${arch("arm64", "NoSchedule")}, ${arch("arm64", "NoExecute")}]
pool: !pool {taints: [{key: kubernetes.io/arch, value: amd64, effect: NoSchedule}]}
  pod.tolerations: [${arch("amd64", "NoSchedule")}]
# has the Flux view of the pool's architecture, or the user's own
pool: !pool {}
  container.flux-view.image: ghcr.io/converged-computing/flux-view-ubuntu:tag-noble
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
  container.demo.variables.FI_PROVIDER.value: efa
  container.demo.variables.UCX_TLS.value: tcp
  container.demo.variables.MINE.value: x
  container.demo.variables.TOKEN.value: !unset
  container.demo.env[5]: !unset
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
  volume.pool-shm: !unset
  volume.pool-host-0: !unset
{pool: !pool {}, containers: [!broker {volumes: {own: {emptyDir: true, emptyDirMedium: Memory}}}]}
  container.demo.mounts["/dev/shm"].name: own
  volume.pool-shm: !unset
# may lock memory where the fabric does
{pool: !pool {lockMemory: true}, containers: [!broker {securityContext: {runAsUser: 0}}]}
  container.demo.securityContext.capabilities: {add: [IPC_LOCK]}
  container.demo.securityContext.runAsUser: 0
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
