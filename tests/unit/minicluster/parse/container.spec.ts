import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterContainerArgs } from "../../../../provider";
import { aContainer, aMiniCluster } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const one = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });
const at = "containers[0]";
const noNul = "must not hold a NUL character";
const label = "a lowercase DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends";

describe("a container", () => {
  itRefuses([
    {
      rule: "no container",
      args: { containers: [] },
      path: "containers",
      says: "a cluster needs at least one container; add one",
    },
    {
      rule: "an empty image",
      args: one({ image: " " }),
      path: `${at}.image`,
      says: '" " must be a string that is not empty',
    },
    { rule: "no image", args: { containers: [{}] }, path: `${at}.image`, says: "must be a string that is not empty" },
    {
      rule: "a name that is no host name",
      args: one({ name: "Main" }),
      path: `${at}.name`,
      says: `"Main" must be ${label}`,
    },
    { rule: "NUL in a command", args: one({ command: "a\0b" }), path: `${at}.command`, says: noNul },
    ...(["init", "pre", "post", "brokerPre", "workerPre"] as const).map((piece) => ({
      rule: `NUL in commands.${piece}`,
      args: one({ commands: { [piece]: "\0" } }),
      path: `${at}.commands.${piece}`,
      says: noNul,
    })),
    {
      rule: "a prefix whose quote stays open",
      args: one({ commands: { prefix: "strace 'a" } }),
      path: `${at}.commands.prefix`,
      says: "a quote is not closed; close it or put a backslash before it",
    },
    {
      rule: "a relative working directory",
      args: one({ workingDir: "work" }),
      path: `${at}.workingDir`,
      says: '"work" must be an absolute path such as "/data", without a colon',
    },
    {
      rule: "port 0",
      args: one({ ports: [80, 0] }),
      path: `${at}.ports[1]`,
      says: "0 must be an integer from 1 to 65535",
    },
    {
      rule: "port 65536",
      args: one({ ports: [65536] }),
      path: `${at}.ports[0]`,
      says: "65536 must be an integer from 1 to 65535",
    },
    {
      rule: "an unknown pull policy",
      args: { containers: [{ ...aContainer(), imagePullPolicy: "Sometimes" }] },
      path: `${at}.imagePullPolicy`,
      says: 'must be one of "Always", "IfNotPresent", "Never"',
    },
    {
      rule: "a pull secret that cannot exist",
      args: one({ imagePullSecret: "a_b" }),
      path: `${at}.imagePullSecret`,
      says: /^"a_b" must be the name of a Kubernetes object/,
    },
    {
      rule: "a variable that Kubernetes does not take",
      args: one({ environment: { "a=b": "a" } }),
      path: `${at}.environment["a=b"]`,
      says: '"a=b" must be the name of an environment variable: printable ASCII characters without "="',
    },
    {
      rule: "a number as a value",
      args: { containers: [{ ...aContainer(), environment: { A: 1 } }] },
      path: `${at}.environment.A`,
      says: "must be a string",
    },
    {
      rule: "a secret without a key",
      args: { containers: [{ ...aContainer(), secrets: { A: { name: "s" } } }] },
      path: `${at}.secrets.A.key`,
      says: "must be a string that is not empty",
    },
    {
      rule: "a request that is no quantity",
      args: one({ resources: { requests: { cpu: "four" } } }),
      path: `${at}.resources.requests.cpu`,
      says: '"four" must be a Kubernetes quantity such as "4", "500m" or "8Gi"',
    },
    {
      rule: "a volume whose name is no DNS label",
      args: one({ volumes: { my_data: { emptyDir: true } } }),
      path: `${at}.volumes.my_data`,
      says: `"my_data" must be ${label}`,
    },
  ]);

  itAccepts({
    "leaves that are only known later": one({
      image: pulumi.output("i"),
      workingDir: pulumi.output("/work"),
      imagePullSecret: Promise.resolve("s"),
      environment: { A: pulumi.secret("a") },
      secrets: { B: { name: pulumi.output("s"), key: Promise.resolve("k") } },
      resources: { limits: { cpu: pulumi.output("1") } },
    }),
    "every form of quantity": one({
      resources: { limits: { cpu: "500m", memory: "1.5Gi", "nvidia.com/gpu": "8", "hugepages-2Mi": "1e3", x: ".5" } },
    }),
  });

  it("is pulled when the node does not have it, unless something else is said", () => {
    const policyOf = (args: Partial<MiniClusterContainerArgs>) =>
      aMiniCluster({ containers: [aContainer(args)] }).main.imagePullPolicy;
    assert.equal(policyOf({}), "IfNotPresent");
    assert.equal(policyOf({ pullAlways: false, imagePullPolicy: "Never" }), "Never");
    assert.equal(policyOf({ pullAlways: true }), "Always");
  });
});
