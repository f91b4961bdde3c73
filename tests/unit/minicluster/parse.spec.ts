import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../provider";
import { parseMiniClusterArgs } from "../../support/specs";
import { readSchema } from "../../../sdk/generator/docs";
import { describe as partsOf } from "../../../sdk/generator/pages/reference";
import { aContainer, aLead, aMiniCluster, aPool, aMiniClusterArgs } from "../../support/fixtures";
import { errorsAt, validating, problemsOf } from "../../support/problems";
import { valueAt } from "../../support/propertyPaths";

const { accepts, rejectsAll } = validating();

/** Where the spec has the properties of each type. */
const places: Record<string, string> = {
  MiniClusterNetwork: "network.",
  MiniClusterLogging: "logging.",
  MiniClusterPod: "pod.",
  MiniClusterContainer: "main.",
  MiniClusterFlux: "flux.",
  MiniClusterFluxContainer: "flux.container.",
  MiniClusterScheduler: "flux.scheduler.",
};

/** Every default that a doc comment has as a value, by its place in the spec. */
function statedDefaults(): [path: string, value: unknown][] {
  const { resources, types } = readSchema();
  const owners = Object.entries(places).map(([type, place]) => [place, types[`minicluster:index:${type}`]?.properties]);
  const cluster = ["", resources["minicluster:index:MiniCluster"]?.inputProperties];
  return ([cluster, ...owners] as [string, Parameters<typeof partsOf>[0][]][]).flatMap(([place, properties]) =>
    Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
      const literal = /^(\d+|true|false|"[^"]*")(,|$)/.exec(partsOf(property).defaultValue ?? "")?.[1];
      return literal === undefined ? [] : [[place + name, JSON.parse(literal)]];
    }),
  );
}

describe("the spec of a cluster", () => {
  const spec = parseMiniClusterArgs("demo", { containers: [{ image: "i" }] });

  it("has every default of a comment", () => {
    // It decides how the lead broker starts, and is not a separate setting there.
    const unsettled = ["interactive", "pod.dnsPolicy", "pod.hostIPC", "pod.hostPID", "flux.submitCommand", "forecast"];
    const stated = statedDefaults().filter(([path]) => !unsettled.includes(path));
    assert.ok(stated.length > 40);
    assert.deepEqual(
      stated.map(([path]) => [path, valueAt(spec, path)]),
      stated,
    );
  });

  it("has other defaults that depend on something, or are open", () => {
    const others: Record<string, unknown> = {
      name: "demo",
      maxSize: 1,
      minSize: undefined,
      disruptionBudget: false,
      "network.headlessName": "demo",
      "flux.submitCommand": ["flux", "submit"],
      "flux.topology": undefined,
      "main.name": "demo",
      "main.lifeCycle": {},
      "main.commands": { prefix: [] },
      "pod.dnsPolicy": undefined,
      "pod.hostIPC": undefined,
      "pod.hostPID": undefined,
      "flux.container.imagePullPolicy": "IfNotPresent",
      "main.securityContext": { allowPrivilegeEscalation: false },
      "pod.securityContext": { seccompProfile: { type: "RuntimeDefault" } },
    };
    for (const [path, want] of Object.entries(others)) assert.deepEqual(valueAt(spec, path), want, path);
    const budgets = [{ pool: aPool() }, { pool: aPool(), disruptionBudget: false }, { disruptionBudget: true }];
    assert.deepEqual(
      budgets.map((args) => aMiniCluster(args).disruptionBudget),
      [true, false, true],
    );
    assert.equal(parseMiniClusterArgs("one", { name: "two", containers: [aContainer()] }).name, "two");
  });

  it("treats undefined as absent", () => {
    const keys = Object.keys(readSchema().resources["minicluster:index:MiniCluster"]!.inputProperties);
    const args = Object.fromEntries(keys.map((key) => [key, undefined]));
    const again = parseMiniClusterArgs("demo", { ...args, containers: [{ image: "i" }] });
    const known = (value: object): unknown => JSON.parse(JSON.stringify(value));
    assert.deepEqual(known(again), known(spec));
  });

  it("leads with the container that runs Flux, and keeps the others in order", () => {
    const containers = [aContainer({ name: "a" }), aContainer({ name: "b" }), aContainer({ name: "c", runFlux: true })];
    const { main, sidecars } = aMiniCluster({ containers });
    assert.equal([main, ...sidecars].map(({ name }) => name).join(), "c,a,b");
  });

  const modes: [args: Partial<MiniClusterArgs>, mode: string][] = [
    [{}, "submit"],
    [{ containers: [{ image: "i", commands: { script: "x" } }] }, "submit"],
    [{ containers: [aContainer({ launcher: true })] }, "launcher"],
    [{ containers: [aContainer({ batch: true })] }, "batch"],
    [{ interactive: true, containers: [{ image: "i" }] }, "interactive"],
    [{ container: { image: "i" } }, "interactive"],
    [{ containers: [{ image: "i" }] }, "interactive"],
    [{ containers: [aContainer({ command: " \n" })] }, "interactive"],
  ];
  for (const [args, mode] of modes)
    it(`starts in mode ${mode} with ${JSON.stringify(args)}`, () => assert.equal(aLead(args).mode, mode));
});

describe("the limits of a cluster", () => {
  rejectsAll({ name: "Demo_1", namespace: "a.b", network: { headlessName: "1st" } }, [
    'name: "Demo_1" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends',
    'namespace: "a.b" must be a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends',
    'network.headlessName: "1st" must be a lowercase DNS label that starts with a letter: at most 63 of a-z, 0-9 and -',
  ]);
  rejectsAll(
    { size: 0, minSize: 0, maxSize: 0, tasks: 0, deadlineSeconds: 0, backoffLimit: -1, waitTimeoutSeconds: 0 },
    [
      "deadlineSeconds: 0 must be an integer from 1 to 9223372036",
      "backoffLimit: -1 must be an integer from 0 to 2147483647",
      "waitTimeoutSeconds: 0 must be an integer from 1 to 2147483647",
      ...errorsAt(["size", "minSize", "maxSize"], "0 must be an integer from 1 to 100000"),
      "tasks: 0 must be an integer from 1 to 2147483647",
    ],
  );
  rejectsAll(
    {
      size: 1.5,
      maxSize: 100_001,
      tasks: 2_147_483_648,
      backoffLimit: 2_147_483_648,
      waitTimeoutSeconds: 2_147_483_648,
    },
    [
      "backoffLimit: 2147483648 must be an integer from 0 to 2147483647",
      "waitTimeoutSeconds: 2147483648 must be an integer from 1 to 2147483647",
      "size: 1.5 must be an integer from 1 to 100000",
      "maxSize: 100001 must be an integer from 1 to 100000",
      "tasks: 2147483648 must be an integer from 1 to 2147483647",
    ],
  );
  accepts({
    "numbers at their limits": {
      size: 100_000,
      maxSize: 100_000,
      minSize: 1,
      tasks: 1,
      deadlineSeconds: 1,
      backoffLimit: 0,
      waitTimeoutSeconds: 1,
    },
  });
});

describe("wrong arguments", () => {
  it("make one error, with a message that names the component and every property", () => {
    const wrong = { size: 9, maxSize: 8, sise: 1, wait: "later", containers: [aContainer({ ports: [0] })] };
    const message = [
      "MiniCluster hpc: invalid arguments, nothing was created",
      "  containers[0].ports[0]: 0 must be an integer from 1 to 65535",
      '  wait: must be one of "ready", "settled", "complete", "none"',
      "  sise: unknown property; did you mean size?",
      "  size: size 9 is above maxSize 8; raise maxSize or lower size",
    ].join("\n");
    assert.throws(() => parseMiniClusterArgs("hpc", wrong as unknown as MiniClusterArgs), { message });
  });

  const { rejects, rejectsAll } = validating<object>((args) => problemsOf(aMiniClusterArgs(args)));
  rejects({
    "containers[0].image: is required; must be a string that is not empty": { containers: [{ command: "hostname" }] },
  });
  rejectsAll(
    {
      sise: 2,
      replicas: 2,
      max_size: 3,
      containers: [
        { image: "i", workDir: "/", working_dir: "/", env: { A: "b" }, colour: "blue", resources: { memory: "4Gi" } },
      ],
    },
    [
      "containers[0].resources.memory: unknown property; did you mean limits?",
      ...errorsAt(["containers[0].workDir", "containers[0].working_dir"], "unknown property; did you mean workingDir?"),
      "containers[0].env: unknown property; did you mean environment?",
      "containers[0].colour: unknown property; correct its name or remove it",
      "sise: unknown property; did you mean size?",
      "replicas: unknown property; did you mean size?",
      "max_size: unknown property; did you mean maxSize?",
    ],
  );
  rejectsAll(
    {
      szie: 2,
      logging: { quite: true },
      maxSize: 4,
      autoscale: { min_size: 1, max: 3 },
      containers: [{ image: "i", work_dir: "/", pullPolicy: "Always", env_vars: { A: "b" } }],
    },
    [
      "containers[0].work_dir: unknown property; did you mean workingDir (working_dir in Python)?",
      "containers[0].pullPolicy: unknown property; did you mean imagePullPolicy?",
      "containers[0].env_vars: unknown property; did you mean environment?",
      "logging.quite: unknown property; did you mean quiet?",
      "autoscale.min_size: unknown property; did you mean min?",
      "szie: unknown property; did you mean size?",
    ],
  );
  rejectsAll({ containers: undefined, namespace: pulumi.output("hpc") }, [
    "namespace: must be a name, known before anything is created; this is an output, and the brokers' host names are " +
      "derived from the namespace: set its name as a string, and the Namespace itself in the option dependsOn " +
      "(depends_on in Python)",
    "container: is required; a cluster has one container, or several in containers",
  ]);
  rejectsAll({ container: { image: "" } }, ['container.image: "" must be a string that is not empty']);
  rejectsAll({ container: { image: "i" }, containers: [{ image: "i" }] }, [
    "container: cannot be set with containers; keep one of them",
  ]);
  rejectsAll({ interactive: true, container: aContainer() }, [
    "interactive: an interactive cluster runs no command, and this cluster has one; remove interactive or the command",
  ]);
});
