import * as assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import type { LookupNodesArgs } from "../../../../provider";
import { nodesBy } from "../../../../provider/clouds/existing/lookup";
import { invoke } from "../../../../provider/server/functions";
import { abbreviated, described } from "../../../support/problems";
import { mockEngine, withWarnings } from "../../../support/mocks";
import { aNode, nodesOf } from "./fixtures";

/** A response of the stand-in for the API server: a status of failure, or an object. */
type Answer = number | object | string;

const listOf = (items: object[], more = "") => ({ items, metadata: { continue: more } });

/** A kubeconfig with one context. */
const kubeconfigOf = (server: string, context = "there") => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": context,
  clusters: [{ name: "there", cluster: { server } }],
  contexts: [{ name: "there", context: { cluster: "there", user: "me" } }],
  users: [{ name: "me", user: { token: "secret" } }],
});

/** Runs a test with a stand-in for the API server, which answers by the path of a request, and notes the requests. */
async function withServer<T>(
  answer: (url: string) => Answer,
  run: (kubeconfig: string, asked: string[]) => Promise<T>,
): Promise<T> {
  const asked: string[] = [];
  const server = http.createServer(({ url = "" }, response) => {
    asked.push(url);
    const body = answer(url);
    response.statusCode = typeof body === "number" ? body : 200;
    response.setHeader("content-type", typeof body === "string" ? "text/html" : "application/json");
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await run(JSON.stringify(kubeconfigOf(`http://127.0.0.1:${port}`)), asked);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The errors of arguments, each as `path: message`. */
const refusals = (args: LookupNodesArgs, settings: object = {}) =>
  nodesBy(args, settings as Record<string, unknown>).then(
    () => [],
    (error: { errors: Parameters<typeof described>[0] }) => described(error.errors),
  );

const rack = { selector: { "example.com/rack": "gpu" }, name: "rack" };
const rackNode = { labels: rack.selector };
const rackNodes = (count: number) => nodesOf(...Array.from({ length: count }, () => rackNode));

describe("a look-up of nodes without an answer", () => {
  const problems: Record<string, [answer: (url: string) => Answer, args?: LookupNodesArgs]> = {
    "the API server does not accept the credentials; log in again": [() => 401],
    "listing nodes is not allowed; a ClusterRole with list of nodes allows it": [() => 403],
    "listing deviceclasses is not allowed; a ClusterRole with list of deviceclasses allows it": [
      (url) => (url.includes("deviceclasses") ? 403 : listOf(rackNodes(1))),
      { deviceClasses: ["dranet"] },
    ],
    "the API server has answered 500": [() => 500],
    "…": [() => "<html>log in</html>"],
  };
  for (const [problem, [answer, args]] of Object.entries(problems))
    it(`warns, and returns what the arguments give: ${problem === "…" ? "a page of a proxy" : problem}`, () =>
      withServer(answer, async (kubeconfig) => {
        const { warnings, scheduling, nodeCount } = await nodesBy({ ...rack, ...args, maxNodes: 4 }, { kubeconfig });
        const want = [`rack: the nodes were not read (${problem}); only the given values count`];
        assert.deepEqual(abbreviated(warnings, want), want);
        assert.deepEqual([scheduling.nodeSelector, scheduling.maxNodes, nodeCount], [rack.selector, 4, undefined]);
      }));

  const settings: Record<string, [settings: object, want: string]> = {
    "a context that the kubeconfig does not have": [
      { kubeconfig: JSON.stringify(kubeconfigOf("http://127.0.0.1:1")), context: "elsewhere" },
      'rack: the nodes were not read (…"elsewhere"…); only the given values count',
    ],
    "a server that does not respond": [
      { kubeconfig: JSON.stringify(kubeconfigOf("http://127.0.0.1:1")) },
      "rack: the nodes were not read (connect ECONNREFUSED 127.0.0.1:1); only the given values count",
    ],
    "a kubeconfig that is only known later": [
      { kubeconfig: JSON.stringify({ clusters: [] }) },
      "rack: the nodes were not read (there is no kubeconfig yet); only the given values count",
    ],
    "a provider that writes files": [
      { renderYamlToDirectory: "/tmp/out" },
      "rack: the nodes were not read (the provider writes files); only the given values count",
    ],
  };
  for (const [name, [given, want]] of Object.entries(settings))
    it(`warns of ${name}`, async () => {
      const { warnings } = await nodesBy(rack, given as Record<string, unknown>);
      assert.deepEqual(abbreviated(warnings, [want]), [want]);
    });
});

describe("a look-up of nodes", () => {
  it("reads every page of a long list, of the nodes with the labels alone", () =>
    withServer(
      (url) =>
        url.includes("continue=two") ? listOf([aNode({ ...rackNode, name: "b" })]) : listOf(rackNodes(1), "two"),
      async (kubeconfig, asked) => {
        assert.equal((await nodesBy(rack, { kubeconfig })).nodeCount, 2);
        assert.deepEqual(asked, [
          "/api/v1/nodes?labelSelector=example.com%2Frack%3Dgpu&limit=500",
          "/api/v1/nodes?labelSelector=example.com%2Frack%3Dgpu&limit=500&continue=two",
        ]);
      },
    ));

  it("has no devices where the Kubernetes cluster lacks their API", () =>
    withServer(
      (url) => (url.includes("resource.k8s.io") ? 404 : listOf(rackNodes(1))),
      async (kubeconfig) =>
        assert.deepEqual(await refusals({ ...rack, deviceClasses: ["dranet"] }, { kubeconfig }), [
          "deviceClasses[0]: the Kubernetes cluster has no DeviceClass dranet; it has none; install the driver of the" +
            " devices",
        ]),
    ));

  it("warns of a network that is attached by hand if its definitions cannot be listed", () =>
    withServer(
      (url) =>
        url.includes("network-attachment")
          ? 403
          : listOf(nodesOf({ ...rackNode, capacity: { "nvidia.com/rdma-vf": "1" } })),
      async (kubeconfig) => {
        const { warnings, scheduling } = await nodesBy(rack, { kubeconfig });
        const want = ["rack: Multus attaches nvidia.com/rdma-vf by a NetworkAttachmentDefinition, and the…"];
        assert.deepEqual(abbreviated(warnings, want), want);
        assert.equal(scheduling.annotations, undefined);
      },
    ));

  const others = nodesOf(
    { labels: { "example.com/rack": "cpu", disk: "ssd" } },
    { labels: { "example.com/rack": "io" } },
  );
  const none: Record<string, [selector: Record<string, string>, nodes: object[]]> = {
    "selector: no node has example.com/rack=gpu; the nodes have example.com/rack: cpu, io": [rack.selector, others],
    "selector: no node has the label example.com/rak; did you mean example.com/rack?": [
      { "example.com/rak": "cpu" },
      others,
    ],
    "selector: no node has the label zzz; correct it": [{ zzz: "cpu" }, others],
    "selector: no node has all of these labels together; remove one of them": [
      { "example.com/rack": "io", disk: "ssd" },
      others,
    ],
    "selector: the Kubernetes cluster has no nodes; add nodes, or describe them as node": [rack.selector, []],
  };
  for (const [message, [selector, nodes]] of Object.entries(none))
    it(message, () =>
      withServer(
        (url) => listOf(url.includes("labelSelector") ? [] : nodes),
        async (kubeconfig) => assert.deepEqual(await refusals({ selector }, { kubeconfig }), [message]),
      ),
    );

  it("returns what the arguments give while no node has the labels, as GKE Autopilot makes nodes for pods", () =>
    withServer(
      (url) => listOf(url.includes("labelSelector") ? [] : others),
      async (kubeconfig) => {
        const selector = { "cloud.google.com/gke-accelerator": "nvidia-l4" };
        const node = { arch: "amd64", vcpus: 8, cores: 4, gpus: 1, gpuModel: "L4" } as const;
        const price = { perHour: 0.7, currency: "USD" };
        const found = await nodesBy({ selector, name: "l4", node, price }, { kubeconfig });
        assert.deepEqual(found, {
          scheduling: {
            pool: "l4",
            nodeSelector: selector,
            taints: [],
            node: { ...node, fabricInterfaces: 0 },
            pricePerHour: 0.7,
            currency: "USD",
            resources: { "nvidia.com/gpu": "1" },
          },
          nodeCount: 0,
          warnings: ["l4: no node has the labels of the selector now; what is given as node counts"],
        });
      },
    ));

  it("returns the network of the arguments without nodes, in the number of its interfaces", () =>
    withServer(
      () => listOf([]),
      async (kubeconfig) => {
        const node = { gpus: 8, fabricInterfaces: 4 };
        const { scheduling } = await nodesBy({ ...rack, node, fabric: "vpc.amazonaws.com/efa" }, { kubeconfig });
        assert.deepEqual(
          [scheduling.resources, scheduling.node, scheduling.environment],
          [{ "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "4" }, { ...node, fabric: "efa" }, { FI_PROVIDER: "efa" }],
        );
      },
    ));
});

describe("wrong arguments of a look-up of nodes", () => {
  it("are refused all at once, with their paths", async () => {
    const wrong = {
      selector: { "a b": "c", d: "e f" },
      name: "Rack",
      fabric: "infiniband",
      node: { vcpus: 0, gpu: 8 },
      taints: [{ key: "gpu", effect: "Never" }],
      price: { perHour: -1 },
      maxNodes: 0,
      rack: "gpu",
    };
    const paths = (await refusals(wrong as never)).map((problem) => problem.slice(0, problem.indexOf(": ")));
    assert.deepEqual(paths.sort(), [
      "fabric",
      "maxNodes",
      "name",
      "node.gpu",
      "node.vcpus",
      "price.perHour",
      "rack",
      "selector.d",
      'selector["a b"]',
      "taints[0].effect",
    ]);
  });

  const messages: Record<string, LookupNodesArgs> = {
    'node.fabric: the kind of the network follows from its resource; set fabric, such as "rdma/ib"': {
      node: { fabric: "infiniband" },
    },
    "fabric: nvidia.com/gpu is no network; pods request the GPUs of the nodes without it": { fabric: "nvidia.com/gpu" },
    "node.arch: is not the architecture of the selector, arm64; remove one of the two": {
      selector: { "kubernetes.io/arch": "arm64" },
      node: { arch: "amd64" },
    },
  };
  for (const [message, args] of Object.entries(messages))
    it(message, async () => assert.deepEqual(await refusals(args), [message]));
});

describe("the function lookupNodes of the schema", () => {
  const invoked = async (args: object) => {
    const result = await invoke("minicluster:index:lookupNodes", args);
    return result as { outputs: { scheduling?: object }; failures?: { property: string }[] };
  };

  it("reports wrong arguments as failures with their paths", async () => {
    await mockEngine();
    const { outputs, failures = [] } = await invoked({ name: "Rack", maxNodes: 0 });
    assert.deepEqual([outputs, failures.map(({ property }) => property).sort()], [{}, ["maxNodes", "name"]]);
  });

  it("takes the names of the SDK for Python inside its arguments, and the values of labels as they are", () =>
    withServer(
      () => 403,
      (kubeconfig) =>
        withWarnings(async (warnings) => {
          await mockEngine();
          const { outputs } = await invoked({
            selector: { rack_name: "gpu_a" },
            node: { gpu_model: "H100", memory_mib: 1024 },
            price: { per_hour: 2.5 },
            kubeconfig,
          });
          assert.deepEqual(outputs.scheduling, {
            pool: "nodes",
            nodeSelector: { rack_name: "gpu_a" },
            taints: [],
            node: { gpuModel: "H100", memoryMib: 1024, gpus: 0, fabricInterfaces: 0 },
            pricePerHour: 2.5,
            resources: {},
          });
          assert.match(warnings().join(), /^warning: .*nodes: the nodes were not read \(listing nodes is not allowed/);
        }),
    ));

  it("is refused under another name", () =>
    assert.rejects(invoke("minicluster:index:lookupNode", {}), /no function minicluster:index:lookupNode$/));
});
