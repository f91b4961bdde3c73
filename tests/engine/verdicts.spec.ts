import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { MiniClusterContainerArgs } from "../../provider";
import { leftIn } from "../support/clusters";
import { aBalancer, aContainer, aPool, withTemplate } from "../support/fixtures";
import { judgedArgs } from "../support/judged";
import { abbreviated, type LooseArgs } from "../support/problems";
import { sharedCluster } from "../support/sandboxHooks";

const withContainer = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });
const withResources = (resources: MiniClusterContainerArgs["resources"]) => withContainer({ resources });
const withVolume = (volume: object) => withContainer({ volumes: { data: { path: "/data", ...volume } } });
const withClaim = { claims: [{ name: "gpu", deviceClass: "gpu.example.com" }] };
const gpus = (count: string) => ({ "nvidia.com/gpu": count });
const at = (list: string) => `containers[0].resources.${list}`;

/** Arguments that the API server alone rejects, by what it says of them, each line at the argument. */
const rejected: [lines: string[], args: LooseArgs][] = [
  [[`${at("limits")}: Required value: Limit must be set…`], withResources({ requests: gpus("1") })],
  [
    [`${at("requests")}: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2`],
    withResources({ limits: gpus("2"), requests: gpus("1") }),
  ],
  [
    [`${at("requests")}: Invalid value: "2": must be less than or equal to cpu limit of 1500m`],
    withResources({ limits: { cpu: "1500m" }, requests: { cpu: "2" } }),
  ],
  [
    [`${at('limits["nvidia.com/gpu"]')}: Invalid value: "500m": must be an integer`],
    withResources({ limits: gpus("500m") }),
  ],
  [
    ["containers[0].resources: Forbidden: HugePages require cpu or memory"],
    withResources({ limits: { "hugepages-2Mi": "64Mi" } }),
  ],
  [
    [`${at('limits["hugepages-2Mi"]')}: Invalid value: "3Mi"…`],
    withResources({ limits: { cpu: "1", "hugepages-2Mi": "3Mi" } }),
  ],
  [
    ['podTemplate.spec.containers[0].resources.requests: Invalid value: "2": must be less than…'],
    {
      ...withResources({ limits: { cpu: "1" } }),
      ...withTemplate({ containers: [{ name: "demo", resources: { requests: { cpu: "2" } } }] }),
    },
  ],
  [
    ['pod.resources.requests.cpu: Invalid value: "2": must be greater than or equal to aggregate…'],
    { ...withResources({ requests: { cpu: "4" } }), pod: { resources: { requests: { cpu: "2" } } } },
  ],
  [['pod.resources.limits["nvidia.com/gpu"]: Unsupported value…'], { pod: { resources: { limits: gpus("1") } } }],
  [
    ["pod.dnsPolicy: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
    { pod: { dnsPolicy: "None" } },
  ],
  [['containers[0].volumes.data.csiDriver: Invalid value: "a_b"…'], withVolume({ csiDriver: "a_b" })],
  [
    ['containers[0].secrets.A.key: Invalid value: "a b"…'],
    withContainer({ secrets: { A: { name: "s", key: "a b" } } }),
  ],
  [
    ['containers[0].securityContext.procMount: Invalid value: "Unmasked"…'],
    withContainer({ securityContext: { procMount: "Unmasked" } }),
  ],
  [
    ['containers[0].securityContext.seccompProfile.localhostProfile: Invalid value: "/p": must be a relative path'],
    withContainer({ securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "/p" } } }),
  ],
  [
    ["pod.annotations: Too long: may not be more than 262144 bytes"],
    { pod: { annotations: { a: "x".repeat(100_000), b: "x".repeat(200_000) } } },
  ],
  [['pod.tolerations[0].operator: Invalid value: "b c"…'], { pod: { tolerations: [{ key: "a", value: "b c" }] } }],
  [
    ["services[0].resources.limits.cup: Invalid value…", "services[0].resources.limits.cup: Invalid value…"],
    { services: [{ image: "i", name: "s", resources: { limits: { cup: "1" } } }] },
  ],
  [
    ["flux.container.resources.limits: Required value…"],
    { flux: { container: { resources: { requests: { "a.com/b": "1" } } } } },
  ],
  [
    ['flux.container.image: Invalid value: " v": must not have leading or trailing whitespace'],
    { interactive: true, autoscale: { max: 2 }, flux: { container: { image: " v" } } },
  ],
  [
    ['containers[0].image: Invalid value: " v": must not have leading or trailing whitespace'],
    {
      ...withContainer({ image: " v" }),
      interactive: true,
      autoscale: { max: 2 },
      flux: { container: { disable: true } },
    },
  ],
  [
    ["containers[0].volumes.data: Forbidden: may not specify more than 1 volume type"],
    { ...withVolume({ hostPath: "/x" }), ...withTemplate({ volumes: [{ name: "data", emptyDir: {} }] }) },
  ],
  [
    ['pool.hostPaths["/opt"]: Invalid value: "/a/../b": must not contain \'..\''],
    { pool: aPool({ hostPaths: { "/opt": "/a/../b" } }) },
  ],
  [
    ['pool.matchAttributes[0]: Invalid value: "x y"…', 'pool.matchAttributes[0]: Invalid value: "x y"…'],
    { pool: aPool({ ...withClaim, matchAttributes: ["x y"] }) },
  ],
  [
    ["containers[0].volumes.data.hostPath: Invalid value: \"/data/../etc\": must not contain '..'"],
    withVolume({ hostPath: "/data/../etc" }),
  ],
  [
    [
      "containers[0].volumes.data.items.a: Invalid value: \"../a\": must not contain '..'",
      "containers[0].volumes.data.items.b: Invalid value: \"..b\": must not start with '..'",
    ],
    withVolume({ configMapName: "c", items: { a: "../a", b: "..b" } }),
  ],
  [
    [
      'pod.securityContext.sysctls[0].name: Invalid value: "a..b"…',
      'pod.securityContext.sysctls[2].name: Duplicate value: "net.x"',
      'pod.securityContext.sysctls[3].name: Invalid value: "kernel.sem"…',
    ],
    {
      pod: {
        hostIPC: true,
        securityContext: { sysctls: ["a..b", "net.x", "net.x", "kernel.sem"].map((name) => ({ name, value: "1" })) },
      },
    },
  ],
  [
    [
      "podTemplate.spec.containers[0].imag: the API server does not support this field…",
      "podTemplate.spec.terminationGracePeriodSecond: the API server does not support this field…",
    ],
    withTemplate({ terminationGracePeriodSecond: 3, containers: [{ name: "demo", imag: "x" }] }),
  ],
  [
    [
      'bursting.expose.loadBalancer.sourceRanges[0]: Invalid value: "203.0.113.7/24"…',
      'bursting.expose.loadBalancer.sourceRanges[1]: Invalid value: "2001:db8::1/32"…',
    ],
    {
      interactive: true,
      bursting: aBalancer({ sourceRanges: ["203.0.113.7/24", "2001:db8::1/32", "2001:db8::/32"] }),
    },
  ],
  [["podTemplate.spec.priority: is a string; must be of type int32"], withTemplate({ priority: "high" })],
  [
    ["podTemplate.spec.containers[0].tty: is a string; must be of type bool"],
    withTemplate({ containers: [{ name: "demo", tty: "yes" }] }),
  ],
  [
    ['groups.workers.pod.tolerations[0].operator: Invalid value: "b c"…'],
    {
      size: undefined,
      interactive: true,
      groups: { workers: { size: 1, pod: { tolerations: [{ key: "a", value: "b c" }] } } },
    },
  ],
  [
    ['lead.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    {
      size: undefined,
      interactive: true,
      lead: { resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } },
      groups: { workers: { size: 1 } },
    },
  ],
];

describe("The API server's verdict on the objects of a cluster", () => {
  let namespace: string;
  before(async () => (namespace = await sharedCluster().newNamespace()));

  for (const [lines, args] of rejected)
    it(lines.join(" | "), async () => {
      const found = await judgedArgs(sharedCluster().kubeconfigPath, namespace, args);
      assert.deepEqual(abbreviated(found, lines), lines);
    });

  it("is a warning where the pods need an object that does not exist yet", async () => {
    const args = withTemplate({ serviceAccountName: "stranger" });
    const [line, ...others] = await judgedArgs(sharedCluster().kubeconfigPath, namespace, args);
    assert.match(
      line ?? "",
      /^warning the pods of Job demo wait for it: .*serviceaccount "stranger" not found; create it first$/,
    );
    assert.deepEqual(others, []);
  });

  it("is open where the credentials may not create pods", async () => {
    const { kube, kubeconfigPath } = sharedCluster();
    const [line, ...others] = await judgedArgs(await asUser(kubeconfigPath, "stranger"), namespace, {});
    assert.match(
      line ?? "",
      /^info not every object was checked by the API server: .*no permission to create it: User "stranger"/,
    );
    assert.deepEqual(others, []);
    assert.deepEqual(await leftIn(namespace, kube), []);
  });
});

/** A kubeconfig by which another user sends the requests. */
async function asUser(kubeconfigPath: string, user: string): Promise<string> {
  const config = JSON.parse(await readFile(kubeconfigPath, "utf8")) as { users: { user: object }[] };
  return JSON.stringify({
    ...config,
    users: config.users.map((each) => ({ ...each, user: { ...each.user, as: user } })),
  });
}
