import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import type { MiniClusterArgs } from "../../../provider";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { docsDirectory } from "../../../sdk/generator/docs";

const read = (page: string) => fs.readFileSync(path.join(docsDirectory, page), "utf8");
const programsOf = (page: string) => snippetsOf(read(page)).filter(({ language }) => language === "ts");
const page = read("migration.md");
const programs = programsOf("migration.md");

/** A piece of code on a page. */
interface Snippet {
  language: string;
  text: string;
}

/** Every piece of code on a page, in order. */
function snippetsOf(page: string): Snippet[] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Every manifest on a page, with the program beside it. */
function pairsOf(page: string): { title: string; manifest: string; program: Snippet }[] {
  return page
    .split(/^(?=### )/m)
    .slice(1)
    .map((section) => {
      const [manifest, program] = snippetsOf(section);
      if (manifest?.language !== "yaml" || program?.language !== "ts") throw new Error(`no pair in ${section}`);
      return { title: section.slice(4, section.indexOf("\n")), manifest: manifest.text, program };
    });
}

/** The clusters that a program asks for. Nothing is made. */
function clustersOf({ text }: Snippet): { name: string; args: MiniClusterArgs }[] {
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
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  // The program is one of our own pages.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "exports", outputText) as (require: unknown, exports: object) => void;
  run((name: string) => modules[name], {});
  return clusters;
}

/** The defaults of a program where the operator has others, and the reader so, too. */
function withOwnDefaults({ backoffLimit, network, logging, ...args }: MiniClusterArgs): MiniClusterArgs {
  assert.deepEqual([backoffLimit, network?.affinity, logging?.strict], [100, "preferred", false]);
  return { ...args, network: { ...network, affinity: undefined }, logging: { ...logging, strict: undefined } };
}

/** Values that are only known later count as the same. */
function comparable(value: unknown): unknown {
  if (pulumi.Output.isInstance(value)) return "(output)";
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]));
}

describe("the migration page", () => {
  it("has a pair for each of the usual cases", () => {
    const titles = pairsOf(page).map(({ title }) => title);
    const usual = ["Hello", "LAMMPS", "Volumes", "Sidecar", "Service", "Batch", "Interactive", "Custom configuration"];
    assert.deepEqual(titles, [...usual, "Elasticity", "Archive", "Bursting", "Security"]);
  });

  for (const { title, manifest, program } of pairsOf(page))
    it(`has the same cluster on both sides: ${title}`, () => {
      const [read, ...others] = readMiniClusterManifest(manifest);
      const [written, ...more] = clustersOf(program);
      assert.ok(read && written);
      assert.deepEqual([others, more], [[], []]);
      assert.deepEqual(
        comparable(parseMiniClusterArgs(read.name, withOwnDefaults(read.args))),
        comparable(parseMiniClusterArgs(written.name, written.args)),
      );
    });

  it("has manifests that say here what they say in the operator", () => {
    const warnings = pairsOf(page).flatMap(({ manifest }) => readMiniClusterManifest(manifest)[0]?.warnings ?? []);
    assert.deepEqual(
      warnings.map(({ path: field, message }) => `${field}: ${message}`),
      [],
    );
  });

  it("shows how a program keeps the operator's defaults", () => {
    const program = programs.find(({ text }) => text.includes("backoffLimit: 100"));
    assert.ok(program);
    const [hello] = clustersOf(program);
    assert.ok(hello);
    const [read] = readMiniClusterManifest(
      "apiVersion: flux-framework.org/v1alpha2\nkind: MiniCluster\nmetadata: {name: flux-sample}\n" +
        "spec: {containers: [{image: 'ubuntu:noble', command: echo hello world}]}",
    );
    assert.ok(read);
    assert.deepEqual(parseMiniClusterArgs(read.name, read.args), parseMiniClusterArgs(hello.name, hello.args));
  });
});
