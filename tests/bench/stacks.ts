import { MiniCluster } from "../../provider";
import type { OperationResult } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import type { Lab } from "./lab";
import { countKinds } from "./resizing";
import { spread, timesTaken, type Table } from "./report";

/** Resources and time of a preview that creates many clusters at once. */
export async function measureStacks(lab: Lab): Promise<Table> {
  const rows: Table["rows"] = [];
  for (const clusters of lab.effort.stackSizes) {
    const previews = await previewStack(lab, clusters);
    const counts = countKinds(previews[0] as OperationResult).values();
    const resources = [...counts].reduce((sum, count) => sum + count, 0);
    rows.push([clusters, resources, resources / clusters, spread(previews.map(({ durationMs }) => durationMs))]);
  }
  return {
    title: `Preview that creates many MiniClusters in one stack, seconds (${timesTaken("min / median / max", lab.effort.runs)})`,
    columns: ["clusters", "resources", "per cluster", "preview"],
    rows,
  };
}

async function previewStack(lab: Lab, clusters: number): Promise<OperationResult[]> {
  return lab.withStack(async (stack) => {
    stack.program = () => {
      for (let i = 0; i < clusters; i++) new MiniCluster(`demo${i}`, aMiniClusterArgs({ name: `demo${i}`, size: 64 }));
      return Promise.resolve({});
    };
    const previews: OperationResult[] = [];
    while (previews.length < lab.effort.runs) previews.push(await lab.operate(stack, "preview"));
    return previews;
  });
}
