import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Study, StudyBetter } from "../../provider";
import { imageNames } from "../sandbox/real";
import { createStack } from "../support/engine";
import { ownPlugin } from "../support/plugin";
import type { Show } from "./show";

// The hosts of the demo share the processors of one machine.
const work = [
  "import os, random, time",
  "start = time.time()",
  'sum(random.random() for _ in range(4_000_000 // int(os.environ["size"])))',
  'print("Loop time of", round(time.time() - start, 3))',
].join("\n");

const program = (sizes: number[]) => () => {
  const { table, plot } = new Study("scaling", {
    cluster: {
      flux: { container: { image: imageNames.view } },
      container: { image: imageNames.base },
      // Room for the size that comes later.
      maxSize: 4,
    },
    sizes,
    repeats: 3,
    apps: {
      loop: {
        command: `python3 -c '${work}'`,
        figure: { pattern: "Loop time of ([0-9.]+)", unit: "s", better: StudyBetter.Lower },
      },
    },
  });
  return { table, plot };
};

/** Runs a study of a short loop, adds a size, and shows its table and where its plot is. */
export async function showStudy(kubeconfigPath: string, { heading, timed, options }: Show): Promise<void> {
  const config = { "kubernetes:kubeconfig": kubeconfigPath };
  const stack = await createStack({ program: program([1, 2]), kubeconfigPath, config, plugins: ownPlugin() });
  try {
    await heading("Preview a study: one application at 1 and 2 hosts, 3 times each");
    await timed("preview of 6 runs", () => stack.preview(options));
    await heading("Run it");
    await timed("6 runs, with their cluster", () => stack.up(options));
    await heading("Add a size: the preview shows which runs are new");
    stack.program = program([1, 2, 4]);
    await timed("preview of 3 runs more", () => stack.preview(options));
    await heading("Run these");
    await timed("3 runs more", () => stack.up(options));
    const { table, plot } = await stack.outputs();
    const file = path.join(os.tmpdir(), "minicluster-study.svg");
    fs.writeFileSync(file, String(plot?.value));
    await heading("The results");
    console.log(`${String(table?.value)}\n\nThe plot is in ${file}.`);
  } finally {
    await heading("Destroy");
    await timed("destroy", () => stack.destroy(options));
    stack.dispose();
  }
}
