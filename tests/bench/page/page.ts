import type { Figures, Recording } from "../figures";
import {
  consoleLoadTable,
  consolePageTable,
  forecastTable,
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
  const { cluster, previews, stack, pools, groups, real, forecast, console, page } = figures;
  return [
    "# Figures",
    `Times and sizes of this package. \`npm run bench\` records
[figures.json](public/figures.json) (\`docs/public/figures.json\`), from which this page and its plots
are generated. Each part has the date and the machine of its measurement. \`npm run bench -- cluster\` measures one
part, \`-- --quick\` measures small sizes and records nothing. All parts take a working day; an interrupted run
keeps its measurements, and \`-- cluster --continue\` continues it.`,
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
    ...(forecast ? ["## The forecast of a preview"] : []),
    ...part(forecast, (recording) => [forecastTable(recording)]),
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

const whatIsMeasured = `The pods run on simulated nodes, which pull no image and start no broker: the figures are the
cost of the control plane and of the engine, on the same cores. Kubernetes' default rates are the defaults of
its binaries; a cloud may raise them, and the sandbox of the tests does. The tables have the figures for both rates, and
the rates at their end.

- **up** is \`pulumi up --skip-preview\` of a program that uses the plugin, as programs in any
  language do. The last table has the version of the Kubernetes plugin.
- **requests** are plain HTTPS requests for the same Secret, Service, ConfigMap and Job, one after the other, and for
  a resize one patch of the Job. **No anti-affinity** omits all affinity rules of the pods: that two pods of a
  cluster do not share a node, and the preference for one zone.
- Times start with \`up\`, or with the first request. **First pod** and **last pod** are the first and the
  last pod that was added or removed; **all Ready** is when the requested number of pods exists and all are Ready;
  **returned** is the end of \`up\`, or of the last request. An interrupted measurement has a row with the state at its
  end.
- **Own requests** are the requests of the engine's plugins, or the plain requests, from the API server's audit log.
  Requests **of everybody**, with controllers and nodes, are from the API server's metrics, which do not count requests
  for its version or its OpenAPI document. Memory is the maximum resident set size.
- **Beyond digits** are bytes without the parts that the API server and the engine add (times, versions, field managers,
  status), and with one character for the size.`;

const whatPoolsAre = `Each cluster is on a separate pool of EKS, and a resize also changes the pool. The cloud is a
stand-in that creates every pool immediately, and the nodes of the largest size exist from the start. The
plain requests are only the requests for the clusters.`;

const whatGroupsAre = `One cluster with a separate lead broker. The numbers of pods are per group, and a
resize changes all groups in one update.`;

const executable = `## The plugin as an executable

Releases have the plugin as one executable per platform, which contains Node.js: 101 MiB, or 34 MiB packed. The
script, which requires Node.js 20, has 4.6 MiB, or 1.0 MiB packed. The executable was only built and started on Linux
(x86). It is ready as fast as the script.`;

const part = <T>(recording: Recording<T> | undefined, tablesOf: (recording: Recording<T>) => Table[]): string[] =>
  recording ? text([...tablesOf(recording), surroundingsTable(recording.recorded)]) : [];

const text = (tables: Table[]) => tables.map((table) => `\`\`\`text\n${renderTable(table).trimEnd()}\n\`\`\``);
