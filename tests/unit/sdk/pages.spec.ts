import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import type { MiniClusterArgs } from "../../../provider";
import { parseMiniClusterArgs } from "../../support/specs";
import { docsDirectory } from "../../../sdk/generator/docs";
import { runProgram } from "../../support/fences";

const page = fs.readFileSync(path.join(docsDirectory, "migration.md"), "utf8");

/** Every piece of code on a page, in order. */
const snippetsOf = (page: string) =>
  [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }));

/** Every manifest on the page, with the program beside it. No program has the bursting of the operator. */
const pairs = page
  .split(/^(?=### )/m)
  .slice(1)
  .filter((section) => !section.startsWith("### Bursting\n"))
  .map((section) => {
    const [manifest, program] = snippetsOf(section);
    if (manifest?.language !== "yaml" || program?.language !== "ts") throw new Error(`no pair in ${section}`);
    return { title: section.slice(4, section.indexOf("\n")), manifest: manifest.text, program: program.text };
  });

/** The clusters of a program. Nothing is created. */
function clustersOf(text: string): { name: string; args: MiniClusterArgs }[] {
  const clusters: { name: string; args: MiniClusterArgs }[] = [];
  class MiniCluster {
    constructor(name: string, args: MiniClusterArgs) {
      clusters.push({ name, args });
    }
  }
  class Config {
    requireSecret = (key: string) => pulumi.secret(key);
  }
  const modules: Record<string, object> = { "pulumi-minicluster": { MiniCluster }, "@pulumi/pulumi": { Config } };
  runProgram(text, (name) => modules[name]);
  return clusters;
}

/** The defaults of a program where the operator has others, and so has the reader. */
function withOwnDefaults({ backoffLimit, deadlineSeconds, tasks, ...args }: MiniClusterArgs): MiniClusterArgs {
  const { network, logging } = args;
  const others = [backoffLimit, deadlineSeconds, network?.affinity, logging?.strict];
  assert.deepEqual(others, [100, 31_500_000, "preferred", false]);
  return {
    ...args,
    retryCommand: undefined,
    tasks: tasks === 1 ? undefined : tasks,
    network: { ...network, affinity: undefined },
    logging: { ...logging, strict: undefined },
  };
}

/** Values that are only known later count as the same. */
function comparable(value: unknown): unknown {
  if (pulumi.Output.isInstance(value)) return "(output)";
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]));
}

describe("the migration page", () => {
  for (const { title, manifest, program } of pairs)
    it(`has the same cluster on both sides, with no warning: ${title}`, () => {
      const [read, ...others] = readMiniClusterManifest(manifest);
      const [written, ...more] = clustersOf(program);
      assert.ok(read && written);
      assert.deepEqual([others, more, read.warnings], [[], [], []]);
      assert.deepEqual(
        comparable(parseMiniClusterArgs(read.name, withOwnDefaults(read.args))),
        comparable(parseMiniClusterArgs(written.name, written.args)),
      );
    });

  it("names every kind that is made in Kubernetes in the table of rights", () => {
    const [, rights = ""] = /\n\| With .*\n\| -+ .*\n((?:\|.*\n)+)/.exec(page) ?? [];
    const provider = path.resolve(docsDirectory, "../provider");
    const sources = fs
      .readdirSync(provider, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => fs.readFileSync(path.join(provider, file), "utf8"));
    const typed = sources.flatMap((text) =>
      [...text.matchAll(/import \{ (\w+) \} from "@pulumi\/kubernetes\/(?!apiextensions|provider)/g)].map(
        ([, kind = ""]) => kind,
      ),
    );
    const custom = sources.flatMap((text) =>
      [...text.matchAll(/kind: "(ComputeDomain|EC2NodeClass|NodePool|PodMonitor)"/g)].map(([, kind = ""]) => kind),
    );
    const kinds = [...new Set([...typed, ...custom].map((kind) => kind.replace(/Patch$/, "")))];
    assert.ok(kinds.length > 18, kinds.join());
    const plural = (kind: string) => kind.replace(/y$/, "ie").replace(/s$/, "se") + "s";
    assert.deepEqual(
      kinds.filter((kind) => !new RegExp(`\\b${plural(kind)}\\b`).test(rights)),
      [],
    );
  });
});
