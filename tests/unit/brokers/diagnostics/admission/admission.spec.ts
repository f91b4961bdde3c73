import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer, aMiniClusterArgs, aPool } from "../../../../support/fixtures";
import { aManifest, problemsIn } from "../../../../support/manifestTexts";
import { problemsOf } from "../../../../support/problems";

interface Case {
  name: string;
  args: Partial<MiniClusterArgs>;
  errors: string[];
}

const withContainer = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });

const withResources = (resources: MiniClusterContainerArgs["resources"]) => withContainer({ resources });

const withVolume = (volume: object) => withContainer({ volumes: { data: { path: "/data", ...volume } } });

const inLimits = 'containers[0].resources.limits["nvidia.com/gpu"]';
const inRequests = 'containers[0].resources.requests["nvidia.com/gpu"]';

const cases: Case[] = [
  {
    name: "a request of a device without a limit",
    args: withResources({ requests: { "nvidia.com/gpu": "1" } }),
    errors: [`${inRequests}: requires an equal limit; set limits["nvidia.com/gpu"], and remove the request`],
  },
  {
    name: "a request of a device that is not its limit",
    args: withResources({ limits: { "nvidia.com/gpu": "2" }, requests: { "nvidia.com/gpu": "1" } }),
    errors: [`${inRequests}: "1" must equal the limit, "2"; remove the request`],
  },
  {
    name: "a request above the limit",
    args: withResources({ limits: { cpu: "1500m" }, requests: { cpu: "2" } }),
    errors: ['containers[0].resources.requests.cpu: "2" is above the limit, "1500m"; lower it or raise the limit'],
  },
  {
    name: "a request that equals the limit in another unit",
    args: withResources({ limits: { memory: "1Gi" }, requests: { memory: "1024Mi" } }),
    errors: [],
  },
  {
    name: "names of resources that Kubernetes does not have",
    args: withResources({ limits: { Memory: "1Gi", cup: "1" } }),
    errors: [
      'containers[0].resources.limits.Memory: "Memory" is not a container resource; did you mean memory?',
      'containers[0].resources.limits.cup: "cup" is not a container resource; did you mean cpu?',
    ],
  },
  {
    name: "a part of a device",
    args: withResources({ limits: { "nvidia.com/gpu": "500m" } }),
    errors: [`${inLimits}: "500m" must be an integer; devices are indivisible`],
  },
  {
    name: "huge pages without CPU and memory",
    args: withResources({ limits: { "hugepages-2Mi": "64Mi" } }),
    errors: ["containers[0].resources.limits: huge pages require cpu or memory; add one"],
  },
  {
    name: "a part of a huge page",
    args: withResources({ limits: { cpu: "1", "hugepages-2Mi": "3Mi" } }),
    errors: ['containers[0].resources.limits["hugepages-2Mi"]: "3Mi" must be a multiple of the page size'],
  },
  {
    name: "resources that only become wrong with the user's pod template",
    args: {
      ...withResources({ limits: { cpu: "1" } }),
      podTemplate: { spec: { containers: [{ name: "demo", resources: { requests: { cpu: "2" } } }] } },
    },
    errors: [
      'podTemplate.spec.containers[0].resources.requests.cpu: "2" is above the limit, "1"; lower it or raise the limit',
    ],
  },
  {
    name: "resources whose limits are known only later",
    args: withResources({ limits: { cpu: pulumi.output("1") }, requests: { cpu: "2" } }),
    errors: [],
  },
  {
    name: "less for a pod as a whole than its containers request",
    args: { ...withResources({ requests: { cpu: "4" } }), pod: { resources: { requests: { cpu: "2" } } } },
    errors: [
      "pod.resources.requests.cpu: is below the sum that the containers request; raise it or lower the requests of " +
        "the containers",
    ],
  },
  {
    name: "a device for a pod as a whole",
    args: { pod: { resources: { limits: { "nvidia.com/gpu": "1" } } } },
    errors: [
      'pod.resources.limits["nvidia.com/gpu"]: is not a pod-level resource (cpu, memory, huge pages); set it on a ' +
        "container",
    ],
  },
  {
    name: "no name servers with the DNS policy None",
    args: { pod: { dnsPolicy: "None" } },
    errors: ['pod.dnsPolicy: "None" requires nameservers; add them in dnsConfig, or use another policy'],
  },
  {
    name: "an empty DNS configuration with the DNS policy None",
    args: { pod: { dnsPolicy: "None" }, podTemplate: { spec: { dnsConfig: {} } } },
    errors: ['pod.dnsPolicy: "None" requires nameservers; add them in dnsConfig, or use another policy'],
  },
  {
    name: "name servers with the DNS policy None",
    args: { pod: { dnsPolicy: "None" }, podTemplate: { spec: { dnsConfig: { nameservers: ["10.0.0.10"] } } } },
    errors: [],
  },
  {
    name: "a way up in a directory of the node",
    args: withVolume({ hostPath: "/data/../etc" }),
    errors: ['containers[0].volumes.data.hostPath: "/data/../etc" must not contain ".."; write the path without it'],
  },
  {
    name: "a way up among the files of a ConfigMap",
    args: withVolume({ configMapName: "c", items: { a: "../a", b: "..b" } }),
    errors: [
      'containers[0].volumes.data.items.a: "../a" must not contain ".."; write the path without it',
      'containers[0].volumes.data.items.b: "..b" must not start with "..", which is reserved',
    ],
  },
  {
    name: "the name of a CSI driver that is none",
    args: withVolume({ csiDriver: "a_b" }),
    errors: [
      'containers[0].volumes.data.csiDriver: "a_b" must be the name of a CSI driver such as csi.example.com: at most ' +
        "63 " +
        "letters, digits, - and .",
    ],
  },
  {
    name: "a key that no Secret has",
    args: withContainer({ secrets: { A: { name: "s", key: "a b" } } }),
    errors: [
      'containers[0].secrets.A.key: "a b" must be a key of a ConfigMap or a Secret: at most 253 letters, digits, -, ' +
        "_ and ., " +
        'not "." and not with ".." at its start',
    ],
  },
  {
    name: "an unmasked /proc without user namespaces",
    args: withContainer({ securityContext: { procMount: "Unmasked" } }),
    errors: [
      'containers[0].securityContext.procMount: "Unmasked" requires hostUsers: false in the pod; set that or remove ' +
        "this",
    ],
  },
  {
    name: "an unmasked /proc in user namespaces",
    args: {
      ...withContainer({ securityContext: { procMount: "Unmasked" } }),
      podTemplate: { spec: { hostUsers: false } },
    },
    errors: [],
  },
  {
    name: "a profile of the node by its absolute path",
    args: withContainer({ securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "/p" } } }),
    errors: ['containers[0].securityContext.seccompProfile.localhostProfile: "/p" must be a relative path'],
  },
  {
    name: "sysctls that are none, are there twice, or belong to the node",
    args: {
      pod: {
        hostIPC: true,
        securityContext: { sysctls: ["a..b", "net.x", "net.x", "kernel.sem"].map((name) => ({ name, value: "1" })) },
      },
    },
    errors: [
      'pod.securityContext.sysctls[0].name: "a..b" must be the name of a sysctl such as net.core.somaxconn: at most ' +
        "253 of " +
        "a-z, 0-9, -, _ and .",
      'pod.securityContext.sysctls[2].name: "net.x" is a duplicate; remove one',
      'pod.securityContext.sysctls[3].name: "kernel.sem" excludes hostIPC; remove one of them',
    ],
  },
  {
    name: "annotations of more than 256 KiB together",
    args: { pod: { annotations: { a: "x".repeat(100_000), b: "x".repeat(200_000) } } },
    errors: ["pod.annotations.b: the annotations have 300126 bytes, 262144 are allowed; shorten this one by 37982"],
  },
  {
    name: "the value of a toleration that no taint has",
    args: { pod: { tolerations: [{ key: "a", value: "b c" }] } },
    errors: [
      'pod.tolerations[0].value: "b c" must be a label value: at most 63 letters, digits, -, _ and ., with a letter ' +
        "or digit " +
        "at both ends",
    ],
  },
  {
    name: "what a services pod has",
    args: { services: [{ image: "i", name: "s", resources: { limits: { cup: "1" } } }] },
    errors: ['services[0].resources.limits.cup: "cup" is not a container resource; did you mean cpu?'],
  },
  {
    name: "what the container of the view has",
    args: { flux: { container: { resources: { requests: { "a.com/b": "1" } } } } },
    errors: [
      'flux.container.resources.requests["a.com/b"]: requires an equal limit; set limits["a.com/b"], and remove the ' +
        "request",
    ],
  },
  {
    name: "an unknown field of the pod template, and one of another type",
    args: {
      podTemplate: { spec: { terminationGracePeriodSecond: 3, priority: "high" } },
    } as unknown as Partial<MiniClusterArgs>,
    errors: [
      "podTemplate.spec.terminationGracePeriodSecond: unknown property; did you mean terminationGracePeriodSeconds?",
      "podTemplate.spec.priority: is a string; must be an integer of 32 bits",
    ],
  },
  {
    name: "two sources of one volume, one of them in the pod template",
    args: { ...withVolume({ hostPath: "/x" }), podTemplate: { spec: { volumes: [{ name: "data", emptyDir: {} }] } } },
    errors: ["containers[0].volumes.data: excludes emptyDir; keep one of them"],
  },
  {
    name: "a request above the limit, beside wrong arguments",
    args: {
      ...withContainer({ resources: { limits: { cpu: "1" }, requests: { cpu: "2" } }, workingDir: "relative" }),
      size: 2.5,
    },
    errors: [
      'containers[0].workingDir: "relative" must be an absolute path such as "/data", without a colon',
      "size: 2.5 must be an integer from 1 to 100000",
      'containers[0].resources.requests.cpu: "2" is above the limit, "1"; lower it or raise the limit',
    ],
  },
  {
    name: "a directory of a pool's nodes with a way up",
    args: { pool: aPool({ hostPaths: { "/opt": "/a/../b" } }) },
    errors: ['pool.hostPaths["/opt"]: "/a/../b" must not contain ".."; write the path without it'],
  },
];

describe("what Kubernetes refuses of a manifest", () => {
  const manifests: Record<string, [lines: string, problem: string]> = {
    "a request above the limit": [
      'containers: [{image: i, resources: {limits: {cpu: "1"}, requests: {cpu: "2"}}}]',
      'manifest:6:75: spec.containers[0].resources.requests.cpu: "2" is above the limit, "1"; lower it or raise the ' +
        "limit",
    ],
    "a directory of the node with a way up": [
      "containers: [{image: i, volumes: {v: {path: /v, hostPath: /a/../b}}}]",
      'manifest:6:61: spec.containers[0].volumes.v.hostPath: "/a/../b" must not contain ".."; write the path without ' +
        "it",
    ],
    "resources of the pod that are none of a pod": [
      "containers: [{image: i}]\npod: {resources: {nvidia.com/gpu: 1}}",
      'manifest:7:37: spec.pod.resources["nvidia.com/gpu"]: is not a pod-level resource (cpu, memory, huge pages); ' +
        "set it on a container",
    ],
  };
  for (const [name, [lines, problem]] of Object.entries(manifests))
    it(`is refused with its line: ${name}`, () => assert.deepEqual(problemsIn(aManifest(lines)), [problem]));
});

describe("what Kubernetes refuses", () => {
  for (const { name, args, errors } of cases)
    it(`${errors.length > 0 ? "is refused before anything is created" : "is told from what it accepts"}: ${name}`, () =>
      assert.deepEqual(
        problemsOf(aMiniClusterArgs(args)).map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`),
        errors,
      ));

  it("is refused with the sizes: scripts that no ConfigMap holds, at the longest of them", () => {
    const services = [{ image: "i", name: "s", command: "y".repeat(600_000) }];
    const [problem, ...others] = problemsOf(
      aMiniClusterArgs({ ...withContainer({ command: "x".repeat(700_000) }), services }),
    );
    assert.equal(problem?.propertyPath, "containers[0].command");
    assert.match(problem?.reason ?? "", /^the scripts .* have 13\d{5} bytes, above the 1048576 of a ConfigMap; move/);
    assert.deepEqual(others, []);
  });

  it("is refused with the sizes: pods that are too long for what Kubernetes stores", () => {
    const environment = { A: "x".repeat(1_600_000) };
    const [problem] = problemsOf(aMiniClusterArgs(withContainer({ environment })));
    assert.equal(problem?.propertyPath, "containers[0].environment");
    assert.match(problem?.reason ?? "", /^the Job has 16\d{5} bytes, above the 1572864 that Kubernetes stores/);
  });
});
