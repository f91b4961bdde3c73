import * as os from "node:os";
import type { Cluster } from "../sandbox/cluster";
import { engineSetup } from "../support/engineSetup";
import type { Table } from "./table";

/** What the figures were taken on. */
export async function describeMachine(cluster: Cluster, nodes: string): Promise<Table> {
  const { pulumi, plugins } = await engineSetup();
  const { gitVersion } = await cluster.api.request<{ gitVersion: string }>("GET", "/version");
  const cpus = os.cpus();
  return {
    title: "Machine",
    columns: ["part", "value"],
    rows: [
      ["cores", `${cpus.length}`],
      ["memory", `${Math.round(os.totalmem() / 2 ** 30)} GiB`],
      ["CPU", cpus[0]?.model.trim() ?? "unknown"],
      ["Node.js", process.version],
      ["Pulumi CLI", pulumi.version],
      ...plugins.map(({ name, version, kind }) => [`plugin ${name}`, `${version} (${kind})`]),
      ["Kubernetes", `${gitVersion}, ${nodes}, on the same cores as the engine`],
    ],
  };
}
