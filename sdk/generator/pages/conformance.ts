import { conformance, type ConformanceRow, newerInKubernetes, oursAlone } from "../conformance";
import { code, page, stacked, table } from "./markdown";

const introduction = `# Conformance

Every field of the Flux Operator's MiniCluster (\`flux-framework.org/v1alpha2\`): what it becomes here, and what differs.
Do not edit this page: \`npm run docs\` writes it from \`sdk/generator/conformance/\`. Tests fail when a field has no row, and when
a manifest with the field gives another cluster than its row says (\`tests/unit/sdk\`).

- "Argument" is the argument of \`MiniCluster\` that the field becomes when a manifest is read, or a program is written.
- A row without a text in "What differs" means the same in both, but for what [migration.md](migration.md) says of all.
- \`spec.containers[].resources\` and every \`securityContext\` have the types of Kubernetes, and one row each.`;

/** Fields of the object beside its spec. */
const outside = [
  ["`metadata.name`", "`name`"],
  ["`metadata.namespace`", "`namespace`"],
  ["`metadata.labels`", "Not taken, with a warning: they are of the MiniCluster object, and there is none."],
  ["`metadata.annotations`", "As the labels. Those of kubectl mean nothing here, and are left out without a warning."],
  ["`status`", "Not read. The outputs `size`, `maxSize` and `jobName` of the component show the state."],
];

/** The conformance page. */
export function renderConformance(): string {
  return page(
    introduction,
    ...Object.entries(conformance).map(([heading, rows]) => `## ${heading}\n\n${rowTable(rows)}`),
    "## What stands outside of spec",
    table(["Part of the object", "Here"], outside),
    "## Arguments that the operator does not have",
    table(
      ["Argument", "What it is for"],
      Object.entries(oursAlone).map(([path, word]) => [code(path), word]),
    ),
    `Of the security contexts ${newerInKubernetes.map(code).join(", ")} are newer than the Kubernetes version that the operator is built with.`,
  );
}

const rowTable = (rows: ConformanceRow[]) =>
  table(
    ["Field", "Argument", "What differs"],
    rows.map(({ field, args, differs }) => [code(field), args.length === 0 ? "–" : stacked(args.map(code)), differs]),
  );
