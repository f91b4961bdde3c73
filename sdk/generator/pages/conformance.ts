import { conformance, type ConformanceRow, newerInKubernetes, oursAlone } from "../conformance";
import { code, page, stacked, table } from "./markdown";

const introduction = `# Conformance

Every field of the Flux Operator's MiniCluster (\`flux-framework.org/v1alpha2\`), the argument for it, and the differences.
Do not edit this page: \`npm run docs\` writes it from \`sdk/generator/conformance/\`. Tests fail if a field has no row, or if a manifest with the field results in a different cluster than described (\`tests/unit/sdk\`).

- "Argument" is the argument of \`MiniCluster\` to which the field is converted, and which a program sets instead.
- A row without a text in "What differs" has the same effect in both, except for the general differences in [migration.md](migration.md).
- \`spec.containers[].resources\` and every \`securityContext\` have the types of Kubernetes, and one row each.`;

/** Fields of the object beside its spec. */
const outside = [
  ["`metadata.name`", "`name`"],
  ["`metadata.namespace`", "`namespace`"],
  ["`metadata.labels`", "Ignored, with a warning: they belong to the MiniCluster object, which is not created."],
  [
    "`metadata.annotations`",
    "Ignored, with a warning, except for annotations of kubectl, which are ignored without a warning.",
  ],
  ["`status`", "Not read. The outputs `size`, `maxSize` and `jobName` of the component show the state."],
];

/** The conformance page. */
export function renderConformance(): string {
  return page(
    introduction,
    ...Object.entries(conformance).map(([heading, rows]) => `## ${heading}\n\n${rowTable(rows)}`),
    "## Fields outside of spec",
    table(["Part of the object", "Here"], outside),
    "## Arguments that the operator does not have",
    table(
      ["Argument", "Purpose"],
      Object.entries(oursAlone).map(([path, word]) => [code(path), word]),
    ),
    `Of the security contexts ${newerInKubernetes.map(code).join(", ")} are newer than the Kubernetes version with which the operator is built.`,
  );
}

const rowTable = (rows: ConformanceRow[]) =>
  table(
    ["Field", "Argument", "What differs"],
    rows.map(({ field, args, differs }) => [code(field), args.length === 0 ? "–" : stacked(args.map(code)), differs]),
  );
