import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isMap, isScalar, isSeq, parse, parseDocument } from "yaml";
import type { BurstPlan, NodePoolNode } from "../../provider";
import type { InputProblem } from "../../provider/shared/errors";
import { standInCertificate } from "./everything";
import { aBursting, aContainer, aGpuPool, aMiniClusterArgs, aPlan, aPool, aRoot } from "./fixtures";
import { problemsOf } from "./problems";

/** A case: lines of YAML, and what is expected of them. */
export interface Case {
  /** What is given, on one line. */
  title: string;
  given: string;
  want: string[];
}

/**
 * The cases of a table: what is given begins at the margin, with `|` before each line but the first, and what is expected of it
 * is indented below. A line that begins with `#` says why the case below it is there.
 */
export function casesOf(table: string): Case[] {
  const blocks = table
    .trim()
    .replace(/^(#.*\n)/gm, "$1|")
    .split(/\n(?=[^\s|])/);
  return blocks.map((block) => {
    const lines = block.split("\n");
    const given = lines.filter((line) => !line.startsWith("  ")).map((line) => line.replace(/^\|/, ""));
    const title = given.map((line) => line.trim()).join(" ");
    return {
      title,
      given: given.join("\n"),
      want: lines.filter((line) => line.startsWith("  ")).map((line) => line.trim()),
    };
  });
}

/** The value that a case expects, in YAML: `same` is what was given. */
export const wanted = ({ given, want }: Case): unknown => parse(want[0] === "same" ? given : want.join("\n"));

type Fields = Record<string, unknown>;

/** Values that YAML does not have, and fixtures with what a case cares about, by their tags. */
export type Tags = Record<string, (given: never) => unknown>;

const tags: Tags = {
  "!later": (text: string) => pulumi.output(text),
  "!unset": () => undefined,
  "!certificate": () => standInCertificate,
  "!broker": (fields: Fields) => aContainer({ runFlux: true, ...fields }),
  "!side": (fields: Fields) => aContainer({ name: "side", ...fields }),
  "!pool": ({ node, ...pool }: { node?: Partial<NodePoolNode> }) => aPool(pool, node),
  "!gpus": ({ node, ...pool }: { node?: Partial<NodePoolNode> }) => aGpuPool(pool, node),
  "!lead": (fields: Fields) => ({ address: "203.0.113.7", name: "demo", size: 4, ...fields }),
  "!bursting": (fields: Fields) => aBursting(fields),
  "!balancer": (fields: Fields) =>
    aBursting({ expose: { loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...fields } } }),
  "!root": (parts: Fields) => aRoot(parts),
  "!plan": ({ others = [], ...plan }: Partial<BurstPlan> & { others?: Partial<BurstPlan["clusters"][number]>[] }) => {
    const known = aPlan();
    return { ...known, clusters: [...known.clusters, ...others.map((one) => ({ properties: [], ...one }))], ...plan };
  },
};

/** The value that lines of YAML stand for. A table may have tags of its own. */
export function valueIn(text: string, own: Tags = {}): unknown {
  const document = parseDocument(text, { logLevel: "silent" });
  assert.deepEqual(document.errors, []);
  return build(document.contents, { ...tags, ...own });
}

function build(node: unknown, tags: Tags): unknown {
  const plain = isMap(node)
    ? Object.fromEntries(node.items.map(({ key, value }) => [String(key), build(value, tags)]))
    : isSeq(node)
      ? node.items.map((item) => build(item, tags))
      : isScalar(node)
        ? node.value
        : null;
  const tag = (node as { tag?: string } | null)?.tag;
  const make = tag?.startsWith("!") && (tags[tag] ?? assert.fail(`no tag ${tag}`));
  return make ? make(plain as never) : plain;
}

/** What is wrong, each as `path: message`. */
export const told = (problems: InputProblem[]) =>
  problems.map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);

/** One test for each case of a table: arguments, and all that is wrong with them, or nothing where they are accepted. */
export function itJudges(
  table: string,
  problemsIn: (given: Fields) => InputProblem[] = ofMiniCluster,
  own: Tags = {},
): void {
  for (const { title, given, want } of casesOf(table))
    it(`${want.length > 0 ? "refuses" : "accepts"} ${title}`, () =>
      assert.deepEqual(told(problemsIn(valueIn(given, own) as Fields)), want.flatMap(eachOf)));
}

/** Lines that say the same of several places: `a.{b,c}: is wrong` is one line for `a.b` and one for `a.c`, as in a shell. */
export const eachOf = (line: string) => {
  const [, start = "", names, end = ""] = /^([^:{}]*)\{([^{}: ]*)\}(.*)$/.exec(line) ?? [];
  return names === undefined ? [line] : names.split(",").map((name) => start + name + end);
};

const ofMiniCluster = (given: Fields) => problemsOf(aMiniClusterArgs(given));

/** The same beside arguments that all cases of a table share. */
export const beside = (shared: string) => (given: Fields) =>
  ofMiniCluster({ ...(valueIn(shared) as Fields), ...given });
