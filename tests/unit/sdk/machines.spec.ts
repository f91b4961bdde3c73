import * as assert from "node:assert/strict";
import { compareMachines } from "../../../sdk/generator/machines";

/** An entry of a Go map, as the cluster autoscaler and Karpenter have them. */
const entry = (name: string, ...fields: string[]) =>
  [`\t"${name}": {`, ...fields.map((field) => `\t\t${field},`), "\t},", ""].join("\n");

const autoscaler = (name: string, vcpus: number, memory: number) =>
  entry(name, `InstanceType: "${name}"`, `VCPU: ${vcpus}`, `MemoryMb: ${memory}`, "GPU: 0", 'Architecture: "arm64"');

const page = (name: string, cpus: number, efa: number) =>
  [
    `### \`${name}\``,
    ...["|kubernetes.io/arch|amd64|", `|karpenter.k8s.aws/instance-cpu|${cpus}|`, `|vpc.amazonaws.com/efa|${efa}|`],
  ].join("\n ");

const lists: [name: string, text: string, want: string[]][] = [
  [
    "the cluster autoscaler's",
    autoscaler("hpc7g.4xlarge", 16, 131_072) +
      autoscaler("hpc7g.8xlarge", 99, 131_072) +
      autoscaler("hpc7g.9xlarge", 1, 1),
    [
      "hpc7g.8xlarge: vcpus 32 here, 99 there",
      "hpc7g.9xlarge: not here, and others of its family are",
      "instance types of the cluster autoscaler: 2 types in common, 1 differences, 1 missing",
    ],
  ],
  [
    "Karpenter's documents",
    `${page("p5.48xlarge", 192, 31)}\n${page("z9.large", 2, 0)}`,
    [
      "p5.48xlarge: gpus 8 here, 0 there",
      "p5.48xlarge: efa 32 here, 31 there",
      "instance types of Karpenter's documents: 1 types in common, 2 differences, 0 missing",
    ],
  ],
];

describe("the comparison of the machine tables with a downloaded list", () => {
  for (const [name, text, want] of lists) it(`reads ${name}`, () => assert.deepEqual(compareMachines(text), want));

  it("refuses a text that is no such list", () => assert.throws(() => compareMachines("a"), /none of the lists/));
});
