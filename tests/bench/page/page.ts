import type { Figures, Recording } from "../figures";
import {
  consoleLoadTable,
  consolePageTable,
  realNodesTable,
  surroundingsTable,
  tablesWithoutCluster,
} from "./otherTables";
import { drawPlots } from "./plots";
import { previewTable, stepTables } from "./scaleTables";
import { renderTable, type Table } from "./table";
import { targetTable } from "./targets";

/** The page of the figures, all of it from what was recorded. */
export function renderPage(figures: Figures): string {
  const plots = drawPlots(figures);
  const picture = (file: string, says: string) => (plots.has(file) ? [`![${says}](pictures/${file})`] : []);
  const { cluster, previews, stack, pools, groups, real, console, page } = figures;
  return [
    "# Figures",
    `How long things take, and how much of what there is. \`npm run bench\` records
<a href="./figures.json" download>figures.json</a> (\`docs/public/figures.json\`), and this page and its plots are
made of that; each part says when and on what it was measured. \`npm run bench -- cluster\` measures one part alone,
\`-- --quick\` looks at small sizes and records nothing. All of it takes a working day; what is ended early
keeps what it has, and \`-- cluster --continue\` goes on with it.`,
    ...text([targetTable(figures)]),
    ...(cluster ? ["## One cluster", whatIsMeasured] : []),
    ...picture("figures-create.svg", "Time to all Ready against the number of pods: pulumi up beside plain requests"),
    ...picture("figures-resize.svg", "Time of a resize against the pods that come: pulumi up beside a bare patch"),
    ...part(cluster, (recording) => stepTables("one cluster", recording)),
    ...(previews ? ["## Previews"] : []),
    ...part(previews, (recording) => [previewTable(recording)]),
    ...(stack ? ["## Many clusters in one stack"] : []),
    ...picture("figures-stack.svg", "Preview and time to all Ready against the number of clusters in one stack"),
    ...part(stack, (recording) => stepTables("many clusters", recording)),
    ...(pools ? ["## Node pools", whatPoolsAre] : []),
    ...part(pools, (recording) => stepTables("many clusters, each on a separate pool", recording)),
    ...(groups ? ["## Groups of workers", whatGroupsAre] : []),
    ...part(groups, (recording) => stepTables("one cluster with groups", recording)),
    ...(real ? ["## Real nodes"] : []),
    ...part(real, (recording) => [realNodesTable(recording)]),
    ...(console || page ? ["## The console"] : []),
    ...part(console, (recording) => [consoleLoadTable(recording)]),
    ...part(page, (recording) => [consolePageTable(recording)]),
    "## Without a cluster",
    ...text([
      ...tablesWithoutCluster(figures),
      ...(figures.rendering ? [surroundingsTable(figures.rendering.recorded)] : []),
    ]),
    executable,
  ]
    .join("\n\n")
    .concat("\n");
}

const whatIsMeasured = `Pods come up on simulated nodes, which pull no image and start no broker: the figures are the
cost of the control plane and of the engine, on the same cores. Kubernetes' default rates are those of its
binaries; a cloud may raise them, and the sandbox of the tests does. Both are in the tables, and what they are at
their end.

- **up** is \`pulumi up --skip-preview\` of a program that leaves the making to the plugin, as programs in any
  language do. The Kubernetes plugin is the one that the last table names.
- **requests** are plain HTTPS requests for the same Secret, Service, ConfigMap and Job, one after the other, and for
  a resize one patch of the Job. **No anti-affinity** leaves out all that pods say of each other: that no two of a
  cluster share a node, and that they prefer one zone.
- Times count from the start of \`up\`, or of the first request. **First pod** and **last pod** are the first and the
  last that came or went; **all Ready** is when there were as many as there shall be, each of them Ready;
  **returned** is the end of \`up\`, or of the last request. What did not end has a row that shows what
  was seen.
- **Own requests** are those of the engine's plugins, or the plain ones, by the API server's audit; those **of
  everybody**, with controllers and nodes, are by its metrics, which count no request for its version or its OpenAPI
  document. Memory is the greatest resident set.
- **Beyond digits** are bytes without what the API server and the engine add (times, versions, field managers,
  status), and with one character for the size.`;

const whatPoolsAre = `Each cluster is on a separate pool of EKS, and a resize also changes the pool. The cloud is a
stand-in that takes every pool for made at once, and the nodes of the largest size are there from the start. The
plain requests are those for the clusters alone.`;

const whatGroupsAre = `One cluster with a separate lead broker. The pods are those of each group, and a resize
changes all groups at once.`;

const executable = `## The plugin as an executable

Releases carry the plugin as one executable per platform, with Node.js inside: 98 MiB and 33 MiB packed, where the
script that needs Node.js 20 has 3 MiB and 0.6 MiB packed. It was built and started on Linux (x86) only, and was
ready as soon as the script, in about a second with other work on the machine.`;

const part = <T>(recording: Recording<T> | undefined, tablesOf: (recording: Recording<T>) => Table[]): string[] =>
  recording ? text([...tablesOf(recording), surroundingsTable(recording.recorded)]) : [];

const text = (tables: Table[]) => tables.map((table) => `\`\`\`text\n${renderTable(table).trimEnd()}\n\`\`\``);
