import { beside, itJudges } from "../../../../support/cases";

describe("the sizes of a cluster and of its pool", () => {
  itJudges(String.raw`
# a pod for each node of a fixed pool, which is raised before a larger size comes
{pool: !pool {nodes: 3, maxNodes: 9}, size: 3, maxSize: 100}
# more pods than nodes while the cluster is suspended
{pool: !pool {nodes: 0}, size: 2, suspend: true}
# as many pods as a pool may grow to
{pool: !pool {maxNodes: 4}, size: 2, maxSize: 4}
# a pool whose limit nobody knows
{pool: !pool {}, size: 5000}
# pods that share nodes
{pool: !pool {nodes: 3, maxNodes: 9}, size: 30, network: {affinity: preferred}}
# pods that share nodes and take the part of the devices that the user's template says
pool: !gpus {nodes: 2}
|size: 4
|network: {affinity: none}
|podTemplate: {spec: {containers: [{name: demo, resources: {limits: {nvidia.com/gpu: 4, vpc.amazonaws.com/efa: 2}}}]}}
# pods that share nodes and take no devices
pool: !gpus {nodes: 2}
|size: 40
|network: {affinity: none}
|containers: [{image: i, resources: {limits: {nvidia.com/gpu: "0", vpc.amazonaws.com/efa: "0"}}}]
{pool: !pool {nodes: 3, maxNodes: 9}, size: 4, maxSize: 4}
  size: size 4 is above the 3 nodes of pool hpc; raise the pool's size or lower size
{pool: !pool {maxNodes: 4}, size: 2, maxSize: 5}
  maxSize: maxSize 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower maxSize
{pool: !pool {maxNodes: 4}, size: 5}
  size: size 5 is above the 4 nodes of pool hpc at most; raise autoscale.max of the pool or lower size
{pool: !gpus {resources: {nvidia.com/gpu: "0", vpc.amazonaws.com/efa: "4"}, nodes: 2}, size: 3, network: {affinity: none}}
  size: size 3 is above the 2 pods that pool hpc has devices for; raise the pool's size or lower size
pool: !gpus {maxNodes: 2}
|size: 5
|network: {affinity: preferred}
|containers: [{image: i, runFlux: true, resources: {limits: {nvidia.com/gpu: "3", vpc.amazonaws.com/efa: "1"}}}, {image: i, name: side, resources: {limits: {nvidia.com/gpu: "1"}}}]
  size: size 5 is above the 4 pods that pool hpc has devices for at most; raise autoscale.max of the pool or lower size
`);
});

describe("the architecture and the labels of a cluster and of its pool", () => {
  itJudges(String.raw`
# an architecture that is said twice, and a view of which nobody knows it
{pool: !pool {node: {arch: arm64}}, flux: {arch: arm64, container: {image: example.com/flux-view:tag-9}}}
# a view that is only known later
{pool: !pool {node: {arch: arm64}}, flux: {container: {image: !later x}}}
{pool: !pool {node: {arch: arm64}}, flux: {arch: amd64, container: {image: ghcr.io/converged-computing/flux-view-rocky:tag-9}}}
  flux.arch: "amd64" is not the architecture of pool hpc, arm64; leave it out
  flux.container.image: is a Flux view for amd64, and pool hpc is arm64; leave it out for the view that fits
{pool: !pool {}, flux: {container: {image: ghcr.io/converged-computing/flux-view-rocky:arm-9}}}
  flux.container.image: is a Flux view for arm64, and pool hpc is amd64; leave it out for the view that fits
# the pool's own labels, and others, which nobody knows
{pool: !pool {}, pod: {nodeSelector: {minicluster/pool: hpc, kubernetes.io/arch: amd64, disk: nvme, constructor: x}}}
# one that is only known later, and one of some that the pool has
{pool: !pool {}, pod: {nodeSelector: {minicluster/pool: !later x}, nodeAffinity: {minicluster/pool: [other, hpc]}}}
pool: !pool {}
|pod: {nodeSelector: {minicluster/pool: other, kubernetes.io/arch: arm64}, nodeAffinity: {minicluster/pool: [one, other]}}
|podTemplate: {spec: {nodeSelector: {minicluster/pool: other}}}
  {pod.nodeSelector,pod.nodeAffinity,podTemplate.spec.nodeSelector}["minicluster/pool"]: nodes of pool hpc have "hpc" here; leave it out
  pod.nodeSelector["kubernetes.io/arch"]: nodes of pool hpc have "amd64" here; leave it out
`);
});

describe("the tolerations of a template for pods on a pool", () => {
  const says =
    "podTemplate.spec.tolerations: replaces all tolerations, and none tolerates the taint gpu=yes:NoSchedule of pool hpc; " +
    "add it here, or use pod.tolerations, which adds to those of the pool";
  const tolerations: [of: string, isTolerated: boolean][] = [
    ["{key: gpu, operator: Equal, value: yes, effect: NoSchedule}", true],
    ["{key: gpu, value: yes}", true],
    ["{key: gpu, operator: Exists}", true],
    ["{operator: Exists}", true],
    ["{key: !later x, value: yes}", true],
    ["{key: cpu, value: yes, effect: NoSchedule}", false],
    ["{key: gpu, value: no, effect: NoSchedule}", false],
    ["{key: gpu}", false],
    ["{key: gpu, operator: Exists, effect: NoExecute}", false],
    ["{key: cpu, operator: Exists}", false],
    ["", false],
  ];
  const cases = tolerations.map(
    ([of, isTolerated]) => `podTemplate: {spec: {tolerations: [${of}]}}${isTolerated ? "" : `\n  ${says}`}`,
  );
  itJudges(
    [
      ...cases,
      "# a template without tolerations",
      "podTemplate: {spec: {}}",
      "# no tolerations where no taint keeps pods away",
      "{pool: !pool {}, podTemplate: {spec: {tolerations: []}}}",
    ].join("\n"),
    beside("pool: !pool {taints: [{key: gpu, value: yes, effect: NoSchedule}, {key: soft, effect: PreferNoSchedule}]}"),
  );
});

describe("what the containers of a pod ask for together", () => {
  itJudges(
    String.raw`
# all devices of a node, and nearly all else
containers: [{image: i, name: c0, resources: {limits: {nvidia.com/gpu: "4"}}}, {image: i, name: c1, runFlux: true, resources: {limits: {nvidia.com/gpu: "4", cpu: 7999m, memory: 1023Mi}}}]
# limits above a node, where requests are below, and more huge pages than a pod takes by itself
containers: [{image: i, resources: {limits: {cpu: "80", memory: 2Gi, hugepages-2Mi: 10Gi}, requests: {cpu: "7", memory: 1000Mi}}}]
# none of a device that no node has, and a resource of which nobody knows
pool: !pool {}
|containers: [{image: i, resources: {limits: {nvidia.com/gpu: "0", example.com/dongle: "1"}}}]
# a device of the InfiniBand plugin that the user runs
pool: !pool {node: {fabric: infiniband}}
|containers: [{image: i, resources: {limits: {rdma/shared_ib: "1"}}}]
containers: [{image: i, name: c0, resources: {limits: {nvidia.com/gpu: "5"}}}, {image: i, name: c1, runFlux: true, resources: {limits: {nvidia.com/gpu: "3"}}}, {image: i, name: c2, resources: {limits: {nvidia.com/gpu: "1"}}}]
  containers[2].resources.limits["nvidia.com/gpu"]: the pod requests 9 in total; a node of pool hpc has 8; lower it or choose a larger machine
containers: [{image: i, resources: {limits: {vpc.amazonaws.com/efa: "5"}, requests: {cpu: "9", memory: 1Gi}}}]
  containers[0].resources.requests.cpu: the pod requests 9 CPUs in total; a node of pool hpc has 8 CPUs, less what the kubelet and the system keep; lower it or choose a larger machine
  containers[0].resources.requests.memory: the pod requests 1024Mi in total; a node of pool hpc has 1024Mi, less what the kubelet and the system keep; lower it or choose a larger machine
  containers[0].resources.limits["vpc.amazonaws.com/efa"]: the pod requests 5 in total; a node of pool hpc has 4; lower it or choose a larger machine
containers: [{image: i, name: c0, resources: {requests: {cpu: 500m}}}, {image: i, name: c1, runFlux: true, resources: {limits: {cpu: 7500m}}}]
  containers[1].resources.limits.cpu: the pod requests 8 CPUs in total; a node of pool hpc has 8 CPUs, less what the kubelet and the system keep; lower it or choose a larger machine
pool: !pool {}
|containers: [{image: i, resources: {limits: {nvidia.com/gpu: "1", aws.amazon.com/neuroncore: "1", rdma/hca: "1"}}}]
  containers[0].resources.limits{["nvidia.com/gpu"],["aws.amazon.com/neuroncore"],["rdma/hca"]}: nodes of pool hpc have none; remove it or choose another pool
# devices in the place of those that the container has
podTemplate: {spec: {containers: [{name: demo, resources: {limits: {nvidia.com/gpu: 4}}}]}}
|containers: [{image: i, resources: {limits: {nvidia.com/gpu: "9"}}}]
# resources that are only known later
podTemplate: {spec: {containers: [{name: demo, resources: !later x}]}}
|containers: [{image: i, resources: {limits: {nvidia.com/gpu: "9"}}}]
# a container of which the default leaves the devices
podTemplate: {spec: {containers: [{name: more, image: i, resources: {limits: {nvidia.com/gpu: 1, cpu: 2}}}]}}
# what is gone before the brokers start
podTemplate: {spec: {initContainers: [{name: more, image: i, resources: {limits: {nvidia.com/gpu: 8, cpu: 7}}}]}}
podTemplate: {spec: {containers: [{name: demo, resources: {limits: {nvidia.com/gpu: 16, cpu: "8", amd.com/gpu: 1}}}]}}
  podTemplate.spec.containers[0].resources.limits.cpu: the pod requests 8 CPUs in total; a node of pool hpc has 8 CPUs, less what the kubelet and the system keep; lower it or choose a larger machine
  podTemplate.spec.containers[0].resources.limits["nvidia.com/gpu"]: the pod requests 16 in total; a node of pool hpc has 8; lower it or choose a larger machine
  podTemplate.spec.containers[0].resources.limits["amd.com/gpu"]: nodes of pool hpc have none; remove it or choose another pool
containers: [{image: i, runFlux: true}, {image: i, name: side}]
|podTemplate: {spec: {initContainers: [{name: side, resources: {limits: {nvidia.com/gpu: 9}}}]}}
  podTemplate.spec.initContainers[0].resources.limits["nvidia.com/gpu"]: the pod requests 9 in total; a node of pool hpc has 8; lower it or choose a larger machine
podTemplate: {spec: {initContainers: [{name: more, image: i, resources: {limits: {nvidia.com/gpu: 9}}, restartPolicy: Always}]}}
  podTemplate.spec.initContainers[0].resources.limits["nvidia.com/gpu"]: the pod requests 9 in total; a node of pool hpc has 8; lower it or choose a larger machine
`,
    beside(
      'pool: !gpus {resources: {nvidia.com/gpu: "8", vpc.amazonaws.com/efa: "4", hugepages-2Mi: 512Mi}, node: {vcpus: 8, memoryMib: 1536}}',
    ),
  );
});

describe("the devices that a pod on a pool asks for", () => {
  itJudges(
    String.raw`
# Neuron devices by their older name, or cores, of which a device has several
containers: [{image: i, resources: {limits: {aws.amazon.com/neurondevice: "4"}}}]
containers: [{image: i, resources: {limits: {aws.amazon.com/neuroncore: "32"}}}]
containers: [{image: i, resources: {limits: {aws.amazon.com/neuron: "17", nvidia.com/gpu: "4"}}}]
  containers[0].resources.limits["aws.amazon.com/neuron"]: the pod requests 17 in total; a node of pool hpc has 16; lower it or choose a larger machine
  containers[0].resources.limits["nvidia.com/gpu"]: nodes of pool hpc have none; remove it or choose another pool
# whole numbers, whatever their unit, and parts of what Kubernetes itself counts
{pool: !gpus {resources: {nvidia.com/gpu: "2000"}}, containers: [{image: i, resources: {limits: {nvidia.com/gpu: 1.001k, cpu: "1.5", kubernetes.io/x: "1.5"}}}]}
containers: [{image: i, resources: {limits: {aws.amazon.com/neuron: "1.5", example.com/dongle: 1.0005k}}}]
  containers[0].resources.limits["aws.amazon.com/neuron"]: "1.5" must be an integer; devices are indivisible
  containers[0].resources.limits["example.com/dongle"]: "1.0005k" must be an integer; devices are indivisible
{pool: !gpus {}, podTemplate: {spec: {containers: [{name: demo, resources: {limits: {nvidia.com/gpu: 1.5}}}]}}}
  podTemplate.spec.containers[0].resources.limits["nvidia.com/gpu"]: "1.5" must be an integer; devices are indivisible
`,
    beside('pool: !pool {resources: {aws.amazon.com/neuron: "16"}}'),
  );
});

describe("a pool with the static CPU policy", () => {
  itJudges(
    String.raw`
# limits on every container, and requests that are the limits
containers: [{image: i, runFlux: true, resources: {limits: {cpu: "8", memory: 8Gi}, requests: {cpu: 8000m, memory: 8192Mi}}}, {image: i, name: side-0, resources: {limits: {cpu: 500m, memory: 1Gi}}}]
# amounts that are only known later
containers: [{image: i, runFlux: true, resources: {limits: {cpu: !later x, memory: 8Gi}, requests: {cpu: "7"}}}]
# no limits of a view that runs nothing
{flux: {container: {imageVolume: true}}, containers: [{image: i, resources: {limits: {cpu: "8", memory: 8Gi}}}]}
containers: [{image: i, runFlux: true, resources: {limits: {cpu: "8"}}}, {image: i, name: side-0, resources: {limits: {memory: 8Gi}}}]
|flux: {}
  {containers[0],containers[1],flux.container}.resources.limits: pool hpc has the static CPU policy, which requires limits for cpu (whole CPUs) and memory on every container; a node has 16 CPUs and 65536Mi, less what the kubelet and the system keep
containers: [{image: i, runFlux: true, resources: {limits: {cpu: 7500m, memory: 8Gi}, requests: {cpu: "4", memory: 4Gi}}}]
  containers[0].resources.requests.{cpu,memory}: pool hpc has the static CPU policy, which requires a request equal to the limit; leave it out
  containers[0].resources.limits.cpu: the static CPU policy gives whole CPUs only; make it an integer
`,
    beside(`
pool: !pool {staticCpu: true, node: {vcpus: 16, memoryMib: 65536}}
flux: {container: {resources: {limits: {cpu: 500m, memory: 1Gi}}}}`),
  );
});

describe("restricted pods on a pool", () => {
  itJudges(String.raw`
# a pool that needs nothing, and other pods
{pool: !pool {}, podSecurity: restricted}
{pool: !pool {lockMemory: true, hostPaths: {/opt/nvidia: /home/nvidia}}, podSecurity: baseline}
{pool: !pool {hostPaths: {/opt/nvidia: /home/nvidia}}, podSecurity: restricted}
  podSecurity: pods on pool hpc need directories of the node, which restricted pods cannot have; use "baseline" or another pool
{pool: !pool {lockMemory: true, hostPaths: {/opt/nvidia: /home/nvidia}}, podSecurity: restricted}
  podSecurity: pods on pool hpc need the capability IPC_LOCK and directories of the node, which restricted pods cannot have; use "baseline" or another pool
`);
});
