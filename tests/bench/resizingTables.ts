import { refuseGrowth, measureResizing, operations, type Resizing } from "./resizing";
import type { Lab } from "./lab";
import { spread, timesTaken, type Table } from "./report";

/** Resources, times and bytes of a cluster that is created and resized, at several sizes. */
export async function measureSizes(lab: Lab): Promise<Table[]> {
  const { sizes, withPods, runs } = lab.effort;
  const paused: Resizing[] = [];
  for (const size of sizes) paused.push(await measureResizing(lab, size, false));
  const running: Resizing[] = [];
  for (const size of withPods) running.push(await measureResizing(lab, size, true));
  return [resourceTable(paused), timeTable([...running, ...paused], runs), byteTable(paused)];
}

function resourceTable(figures: Resizing[]): Table {
  const kinds = [...new Set(figures.flatMap(({ kinds }) => [...kinds.keys()]))].sort();
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return {
    title: "Pulumi resources of one MiniCluster",
    columns: ["kind", ...figures.map(({ size }) => `size ${size}`)],
    rows: [
      ...kinds.map((kind) => [kind, ...figures.map(({ kinds }) => kinds.get(kind) ?? 0)]),
      ["total", ...figures.map(({ kinds }) => total(kinds))],
    ],
  };
}

function timeTable(figures: Resizing[], runs: number): Table {
  return {
    title: `Time of one operation, seconds (${timesTaken("min / median / max", runs)})`,
    columns: ["size", "pods", ...operations],
    rows: figures.map(({ size, pods, times }) => [
      size,
      pods ? "all Ready" : "none (*)",
      ...operations.map((operation) => spread(times[operation])),
    ]),
    notes: [
      "Create and resize are `pulumi up --skip-preview`; a resize goes from size to size - 1, and maxSize is size.",
      "(*) With `suspend: true` and `wait: none`: every object is in the API server, but it makes no pods. 512 and " +
        "5000 of them would be more than there are simulated nodes.",
    ],
  };
}

function byteTable(figures: Resizing[]): Table {
  refuseGrowth(
    "the ConfigMap",
    figures.map(({ size, configMap }) => ({ size, bytes: configMap.beyondDigits })),
  );
  refuseGrowth(
    "the Pulumi state",
    figures.map(({ size, state }) => ({ size, bytes: state.beyondDigits })),
  );
  return {
    title: "Bytes at each size, and the steps that the preview of a resize shows",
    columns: ["size", "ConfigMap", "ConfigMap (*)", "Pulumi state", "Pulumi state (*)", "updates", "replaced"],
    rows: figures.map(({ size, configMap, state, updates, replacements }) => [
      ...[size, configMap.all, configMap.beyondDigits, state.all, state.beyondDigits],
      ...[updates, replacements],
    ]),
    notes: [
      "(*) Without what the API server and the engine add (times, versions, field managers, status) and with one " +
        "character for the size and the highest rank wherever they stand. The run fails if this grows with the size.",
    ],
  };
}
