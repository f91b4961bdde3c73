import * as assert from "node:assert/strict";
import { writeGo } from "../../../sdk/generator/programs/go";
import { readGoTypes } from "../../../sdk/generator/programs/goTypes";
import { readProgram } from "../../../sdk/generator/programs/model";
import { writePython } from "../../../sdk/generator/programs/python";

const invoke = (name: string, args: string, resources = "") => `
variables:
  my-nodes:
    fn::invoke:
      function: ${name}
      arguments: ${args}
resources: {${resources}}
`;
const train = "train: { type: minicluster:MiniCluster, properties: { size: 2, pool: '${my-nodes.scheduling}' } }";

describe("a program of a page with a function", () => {
  const types = readGoTypes();
  const program = readProgram(
    invoke(
      "minicluster:lookupNodes",
      "{ selector: { a: b }, node: { arch: arm64, gpuModel: H100 }, maxNodes: 4 }",
      train,
    ),
  );

  it("calls it in Python by the names of the SDK, and with the keys of labels as they are", () =>
    assert.equal(
      writePython(program, types),
      `from pulumi_minicluster import MiniCluster, lookup_nodes

my_nodes = lookup_nodes(
    selector={"a": "b"},
    node={"arch": "arm64", "gpu_model": "H100"},
    max_nodes=4,
)

MiniCluster("train", size=2, pool=my_nodes.scheduling)
`,
    ));

  it("calls it in Go in the form with outputs, whose methods are the results", () => {
    const lines = writeGo(program, types).split("\n");
    const body = lines.slice(lines.indexOf("\tpulumi.Run(func(ctx *pulumi.Context) error {") + 1, -3);
    assert.deepEqual(body, [
      "\t\tmyNodes := minicluster.LookupNodesOutput(ctx, minicluster.LookupNodesOutputArgs{",
      '\t\t\tSelector: pulumi.StringMap{"a": pulumi.String("b")},',
      "\t\t\tNode: minicluster.NodePoolNodeArgs{",
      '\t\t\t\tArch:     pulumi.StringRef("arm64"),',
      '\t\t\t\tGpuModel: pulumi.StringRef("H100"),',
      "\t\t\t},",
      "\t\t\tMaxNodes: pulumi.Int(4),",
      "\t\t})",
      '\t\t_, err := minicluster.NewMiniCluster(ctx, "train", &minicluster.MiniClusterArgs{',
      "\t\t\tSize: pulumi.IntRef(2),",
      "\t\t\tPool: myNodes.Scheduling().ToNodePoolSchedulingPtrOutput(),",
      "\t\t})",
      "\t\treturn err",
    ]);
  });

  const refused: Record<string, [name: string, args: string]> = {
    "my-nodes: not a function of this package": ["aws:ec2:getVpc", "{}"],
    "my-nodes: an argument of a function is not a literal": [
      "minicluster:lookupNodes",
      '{ kubeconfig: "${eks.kubeconfig}" }',
    ],
  };
  for (const [message, [name, args]] of Object.entries(refused))
    it(`is not written: ${message}`, () => assert.throws(() => readProgram(invoke(name, args)), new Error(message)));
});
