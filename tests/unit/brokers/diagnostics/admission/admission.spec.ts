import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer, aMiniClusterArgs, aPool, withTemplate } from "../../../../support/fixtures";
import { problemsOf, validating } from "../../../../support/problems";

const { accepts, rejects, rejectsAll } = validating();

const withContainer = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });

const withResources = (resources: MiniClusterContainerArgs["resources"]) => withContainer({ resources });

const withVolume = (volume: object) => withContainer({ volumes: { data: { path: "/data", ...volume } } });

const podOf = (resources: object) => ({ pod: { resources } });
const at = (list: string) => `containers[0].resources.${list}["nvidia.com/gpu"]`;

describe("what Kubernetes refuses", () => {
  const gpus = (count: string) => ({ "nvidia.com/gpu": count });
  const above = 'resources.requests.cpu: "2" is above the limit, "1"; lower it or raise the limit';
  rejects({
    [`${at("requests")}: requires an equal limit…`]: withResources({ requests: gpus("1") }),
    [`${at("requests")}: "1" must equal the limit, "2"…`]: withResources({ limits: gpus("2"), requests: gpus("1") }),
    'containers[0].resources.requests.cpu: "2" is above the limit, "1500m"; lower it or raise the limit': withResources(
      { limits: { cpu: "1500m" }, requests: { cpu: "2" } },
    ),
    [`${at("limits")}: "500m" must be an integer; devices are indivisible`]: withResources({ limits: gpus("500m") }),
    "containers[0].resources.limits: huge pages require…": withResources({ limits: { "hugepages-2Mi": "64Mi" } }),
    'containers[0].resources.limits["hugepages-2Mi"]: "3Mi" must be a multiple of the page size': withResources({
      limits: { cpu: "1", "hugepages-2Mi": "3Mi" },
    }),
    [`podTemplate.spec.containers[0].${above}`]: {
      ...withResources({ limits: { cpu: "1" } }),
      ...withTemplate({ containers: [{ name: "demo", resources: { requests: { cpu: "2" } } }] }),
    },
    "pod.resources.requests.cpu: is below the sum that the containers request…": {
      ...withResources({ requests: { cpu: "4" } }),
      ...podOf({ requests: { cpu: "2" } }),
    },
    'pod.resources.limits["nvidia.com/gpu"]: is not a pod-level resource…': podOf({ limits: gpus("1") }),
    'pod.dnsPolicy: "None" requires nameservers; add them in dnsConfig, or use another policy': [
      { pod: { dnsPolicy: "None" } },
      { pod: { dnsPolicy: "None" }, ...withTemplate({ dnsConfig: {} }) },
    ],
    'containers[0].volumes.data.csiDriver: "a_b" must be the name of a CSI driver…': withVolume({ csiDriver: "a_b" }),
    'containers[0].secrets.A.key: "a b" must be a key of a ConfigMap or a Secret…': withContainer({
      secrets: { A: { name: "s", key: "a b" } },
    }),
    'containers[0].securityContext.procMount: "Unmasked" requires hostUsers: false in the pod…': withContainer({
      securityContext: { procMount: "Unmasked" },
    }),
    'containers[0].securityContext.seccompProfile.localhostProfile: "/p" must be a relative path': withContainer({
      securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "/p" } },
    }),
    "pod.annotations.b: the annotations have 300126 bytes, 262144 are allowed; shorten this one by 37982": {
      pod: { annotations: { a: "x".repeat(100_000), b: "x".repeat(200_000) } },
    },
    'pod.tolerations[0].value: "b c" must be a label value…': { pod: { tolerations: [{ key: "a", value: "b c" }] } },
    'services[0].resources.limits.cup: "cup" is not a container resource; did you mean cpu?': {
      services: [{ image: "i", name: "s", resources: { limits: { cup: "1" } } }],
    },
    'flux.container.resources.requests["a.com/b"]: requires an equal limit…': {
      flux: { container: { resources: { requests: { "a.com/b": "1" } } } },
    },
    'flux.container.image: " v" must not start or end with whitespace': {
      interactive: true,
      autoscale: { max: 2 },
      flux: { container: { image: " v" } },
    },
    'containers[0].image: " v" must not start or end with whitespace': {
      ...withContainer({ image: " v" }),
      interactive: true,
      autoscale: { max: 2 },
      flux: { container: { disable: true } },
    },
    "containers[0].volumes.data: excludes emptyDir; keep one of them": {
      ...withVolume({ hostPath: "/x" }),
      ...withTemplate({ volumes: [{ name: "data", emptyDir: {} }] }),
    },
    'pool.hostPaths["/opt"]: "/a/../b" must not contain ".."; write the path without it': {
      pool: aPool({ hostPaths: { "/opt": "/a/../b" } }),
    },
  });
  rejectsAll(withVolume({ hostPath: "/data/../etc" }), [
    'containers[0].volumes.data.hostPath: "/data/../etc" must not contain ".."; write the path without it',
  ]);
  rejectsAll(withResources({ limits: { Memory: "1Gi", cup: "1" } }), [
    'containers[0].resources.limits.Memory: "Memory" is not a container resource; did you mean memory?',
    'containers[0].resources.limits.cup: "cup" is not a container resource; did you mean cpu?',
  ]);
  rejectsAll(withVolume({ configMapName: "c", items: { a: "../a", b: "..b" } }), [
    'containers[0].volumes.data.items.a: "../a" must not contain ".."; write the path without it',
    'containers[0].volumes.data.items.b: "..b" must not start with "..", which is reserved',
  ]);
  const sysctls = ["a..b", "net.x", "net.x", "kernel.sem"].map((name) => ({ name, value: "1" }));
  rejectsAll({ pod: { hostIPC: true, securityContext: { sysctls } } }, [
    'pod.securityContext.sysctls[0].name: "a..b" must be the name of a sysctl such as net.core.somaxconn…',
    'pod.securityContext.sysctls[2].name: "net.x" is a duplicate; remove one',
    'pod.securityContext.sysctls[3].name: "kernel.sem" excludes hostIPC; remove one of them',
  ]);
  rejectsAll(withTemplate({ terminationGracePeriodSecond: 3, priority: "high" }), [
    "podTemplate.spec.terminationGracePeriodSecond: unknown property; did you mean terminationGracePeriodSeconds?",
    "podTemplate.spec.priority: is a string; must be an integer of 32 bits",
  ]);
  const wrong = { resources: { limits: { cpu: "1" }, requests: { cpu: "2" } }, workingDir: "relative" };
  rejectsAll({ ...withContainer(wrong), size: 2.5 }, [
    'containers[0].workingDir: "relative" must be an absolute path such as "/data", without a colon',
    "size: 2.5 must be an integer from 1 to 100000",
    `containers[0].${above}`,
  ]);
  accepts({
    "a request that equals the limit in another unit": withResources({
      limits: { memory: "1Gi" },
      requests: { memory: "1024Mi" },
    }),
    "resources whose limits are known only later": withResources({
      limits: { cpu: pulumi.output("1") },
      requests: { cpu: "2" },
    }),
    "name servers with the DNS policy None": {
      pod: { dnsPolicy: "None" },
      ...withTemplate({ dnsConfig: { nameservers: ["10.0.0.10"] } }),
    },
    "an unmasked /proc in user namespaces": {
      ...withContainer({ securityContext: { procMount: "Unmasked" } }),
      ...withTemplate({ hostUsers: false }),
    },
  });

  it("is refused with the sizes: scripts that no ConfigMap holds, at the longest of them", () => {
    const services = [{ image: "i", name: "s", command: "y\n".repeat(300_000) }];
    const [problem, ...others] = problemsOf(
      aMiniClusterArgs({ ...withContainer({ command: "x\n".repeat(350_000) }), services }),
    );
    assert.equal(problem?.propertyPath, "containers[0].command");
    assert.match(problem?.reason ?? "", /^the scripts .* have 13\d{5} bytes, above the 1048576 of a ConfigMap; move/);
    assert.deepEqual(others, []);
  });

  it("is refused with the sizes: pods that are too long for what Kubernetes stores", () => {
    const environment = Object.fromEntries([..."ABCDEFGHIJKLMNOP"].map((name) => [name, "x".repeat(100_000)]));
    const [problem] = problemsOf(aMiniClusterArgs(withContainer({ environment })));
    assert.equal(problem?.propertyPath, "containers[0].environment");
    assert.match(problem?.reason ?? "", /^the Job has 16\d{5} bytes, above the 1572864 that Kubernetes stores/);
  });
});
