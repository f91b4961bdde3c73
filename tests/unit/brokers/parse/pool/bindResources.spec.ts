import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../../provider";
import { aContainer, aGpuPool, aMiniCluster, aPool } from "../../../../support/fixtures";
import { itBuilds, manifestsOf } from "../../../../support/manifests";
import { containerOf, podOf } from "../../../../support/pod";

/** A cluster on a pool of GPUs, unless another one is given. */
const onGpus = (args: Partial<MiniClusterArgs>) => aMiniCluster({ pool: aGpuPool(), ...args });

const rest = "vpc.amazonaws.com/efa: '4', hugepages-2Mi: 5120Mi";
const devices = `nvidia.com/gpu: "8", ${rest}`;
const nearlyAll = 'requests: {cpu: "86"}';
const small = (vcpus: number) => `pool: !pool {node: {vcpus: ${vcpus}, cores: 1}}`;
const more = "{name: more, image: i, resources: {limits: {nvidia.com/gpu: 2, cpu: 6}}";

describe("what a pod takes of a node", () => {
  itBuilds(
    `
# is all devices, and nearly all CPUs
{}
  pod.containers[0].resources: {limits: {${devices}}, ${nearlyAll}}
# is what the user gives in the place of what the pool says
containers: [!broker {resources: {limits: {nvidia.com/gpu: "4", ephemeral: 1Gi}}}]
  pod.containers[0].resources: {limits: {nvidia.com/gpu: "4", ${rest}, ephemeral: 1Gi}, ${nearlyAll}}
# is a request of a device as the limit, too, since Kubernetes knows one number of both
containers: [!broker {resources: {requests: {nvidia.com/gpu: "2", hugepages-2Mi: 1Gi}}}]
  pod.containers[0].resources.limits: {nvidia.com/gpu: "2", vpc.amazonaws.com/efa: "4", hugepages-2Mi: 1Gi}
  pod.containers[0].resources.requests: {cpu: "86", nvidia.com/gpu: "2", hugepages-2Mi: 1Gi}
# is what the user's template asks for of a device
podTemplate: {spec: {containers: [{name: demo, resources: {requests: {nvidia.com/gpu: 2}}}]}}
  pod.containers[0].resources: {limits: {nvidia.com/gpu: "2", ${rest}}, requests: {cpu: "86", nvidia.com/gpu: 2}}
# is no CPUs beside a limit of them, a request of memory, and those of the user's template
containers: [!broker {resources: {limits: {cpu: "4"}}}]
  pod.containers[0].resources: {limits: {${devices}, cpu: "4"}}
containers: [!broker {resources: {requests: {memory: 8Gi}}}]
  pod.containers[0].resources: {limits: {${devices}}, requests: {memory: 8Gi}}
podTemplate: {spec: {containers: [{name: demo, resources: {limits: {cpu: "4"}}}]}}
  pod.containers[0].resources: {limits: {${devices}, cpu: "4"}}
# is one CPU where pods may share a node
network: {affinity: preferred}
  pod.containers[0].resources: {limits: {${devices}}, requests: {cpu: "1"}}
# is next to nothing where the pod as a whole has its resources, but what Kubernetes wants beside huge pages
pod: {resources: {requests: {memory: 8Gi}}}
  pod.containers[0].resources: {limits: {${devices}}, requests: {cpu: 1m}}
podTemplate: {spec: {resources: {requests: {cpu: "8"}}}}
  pod.containers[0].resources: {limits: {${devices}}, requests: {cpu: 1m}}
# is nothing there without huge pages
{pool: !pool {}, pod: {resources: {requests: {cpu: "8"}}}}
  pod.containers[0].resources: !unset
# is most of the only CPU of a machine, and no more of it where pods may share the machine
${small(1)}
  pod.containers[0].resources: {requests: {cpu: 900m}}
${small(1)}
|network: {affinity: preferred}
  pod.containers[0].resources: {requests: {cpu: 900m}}
# is whole CPUs
${small(8)}
  pod.containers[0].resources: {requests: {cpu: "7"}}
# is what is left of one CPU
${small(2)}
|containers: [!side {resources: {requests: {cpu: "1"}}}, !broker {}]
  container.demo.resources: {requests: {cpu: 800m}}
# is at most one CPU
${small(2)}
|network: {affinity: preferred}
|containers: [!side {resources: {requests: {cpu: 100m}}}, !broker {}]
  container.demo.resources: {requests: {cpu: "1"}}
# is never nothing
${small(1)}
|containers: [!side {resources: {requests: {cpu: 950m}}}, !broker {}]
  container.demo.resources: {requests: {cpu: 1m}}
# is less by the CPUs of the containers beside it, requests, or limits where there are none: 96 × 0.9 - 2 - 3.5
pool: !pool {}
|containers: [!side {resources: {requests: {cpu: "2"}, limits: {cpu: "50"}}}, !side {name: b, resources: {limits: {cpu: 3500m}}}, !side {name: c, resources: {requests: {cpu: !later "9"}}}, !side {name: d}, !broker {}]
  container.demo.resources: {requests: {cpu: "80"}}
# is less by their devices, and not by huge pages, of which a node may have more
containers: [!side {resources: {limits: {nvidia.com/gpu: "1", vpc.amazonaws.com/efa: "4", hugepages-2Mi: 1Gi}}}, !broker {}]
  container.demo.resources: {limits: {nvidia.com/gpu: "7", hugepages-2Mi: 5120Mi}, ${nearlyAll}}
# is less by what the user's template gives to containers beside it, those of its own included
podTemplate: {spec: {initContainers: [{name: side, resources: {limits: {nvidia.com/gpu: 2, cpu: 6}}}]}}
|containers: [!side {}, !broker {}]
  container.demo.resources: {limits: {nvidia.com/gpu: "6", ${rest}}, requests: {cpu: "80"}}
podTemplate: {spec: {containers: [${more}}]}}
  container.demo.resources: {limits: {nvidia.com/gpu: "6", ${rest}}, requests: {cpu: "80"}}
podTemplate: {spec: {initContainers: [${more}, restartPolicy: Always}]}}
  container.demo.resources: {limits: {nvidia.com/gpu: "6", ${rest}}, requests: {cpu: "80"}}
`,
    onGpus,
  );

  it("is for the container that runs Flux alone, wherever it stands, and not for the pod of the services", () => {
    const own = { nodeSelector: { a: "b" }, annotations: { c: "d" }, tolerations: [{ operator: "Exists" as const }] };
    const containers = [aContainer({ name: "side" }), aContainer({ runFlux: true })];
    const others = { containers, services: [aContainer({ name: "store" })], pod: own };
    const pool = aGpuPool({
      ...{ lockMemory: true, environment: { A: "a" }, hostPaths: { "/opt/a": "/home/a" } },
      ...{ taints: [{ key: "gpu", effect: "NoSchedule" as const }], annotations: { networks: "rdma" } },
    });
    const sideOf = (args: Partial<MiniClusterArgs>) => containerOf(podOf(args), "side");
    assert.deepEqual(sideOf({ ...others, pool }), sideOf(others));
    assert.deepEqual(manifestsOf({ ...others, pool }).servicesPod, manifestsOf(others).servicesPod);
  });
});

describe("what a pod takes of the Neuron devices of a node", () => {
  const pool = aPool({ resources: { "aws.amazon.com/neuron": "16", "vpc.amazonaws.com/efa": "8" } });
  const limits = "container.demo.resources.limits";
  itBuilds(
    `
# is all of them, unless the user asks for some by another name, and nothing beside that
{}
  ${limits}: {aws.amazon.com/neuron: "16", vpc.amazonaws.com/efa: "8"}
containers: [!broker {resources: {limits: {aws.amazon.com/neuroncore: "0"}}}]
  ${limits}: {aws.amazon.com/neuron: "16", vpc.amazonaws.com/efa: "8", aws.amazon.com/neuroncore: "0"}
containers: [!broker {resources: {limits: {aws.amazon.com/neuroncore: "8"}}}]
  ${limits}: {vpc.amazonaws.com/efa: "8", aws.amazon.com/neuroncore: "8"}
containers: [!broker {resources: {limits: {aws.amazon.com/neurondevice: !later "9"}}}]
  ${limits}: {vpc.amazonaws.com/efa: "8", aws.amazon.com/neurondevice: "9"}
podTemplate: {spec: {containers: [{name: demo, resources: {limits: {aws.amazon.com/neuroncore: "8"}}}]}}
  ${limits}: {vpc.amazonaws.com/efa: "8", aws.amazon.com/neuroncore: "8"}
containers: [!side {resources: {limits: {aws.amazon.com/neuroncore: "8"}}}, !broker {}]
  ${limits}: {vpc.amazonaws.com/efa: "8"}
`,
    (args) => aMiniCluster({ pool, ...args }),
  );
});
