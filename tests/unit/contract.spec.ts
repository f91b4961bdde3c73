import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import ts from "typescript";
import contract from "../../provider/core/contract.json";
import * as paths from "../../provider/core/parse/paths";

const provider = join(__dirname, "../../provider");

/** A literal in the code of a file: comments are none. */
interface Literal {
  file: string;
  value: string | number;
}

const files = (...endings: string[]) =>
  readdirSync(provider, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => endings.includes(extname(file)))
    .sort();

/** The texts and numbers in TypeScript, without those in types. */
function inTypeScript(file: string, text: string): Literal[] {
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNumericLiteral(node)) found.push({ file, value: Number(node.text) });
    else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push({ file, value: node.text });
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith("x") ? ts.ScriptKind.TSX : undefined),
  );
  return found;
}

/** The texts and numbers in Python, without docstrings. */
function inPython(sources: [file: string, text: string][]): Literal[] {
  const program = `
import ast, json, sys

found = []
for file, text in json.load(sys.stdin):
    tree = ast.parse(text)
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    docs = {id(node.body[0].value) for node in nodes if ast.get_docstring(node) is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docs:
            value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
            if type(value) in (str, int):
                found.append({"file": file, "value": value})
print(json.dumps(found))
`;
  const options = { input: JSON.stringify(sources), encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  return JSON.parse(execFileSync("python3", ["-c", program], options)) as Literal[];
}

/** The words and quoted texts in bash, each line as a whole beside them. */
const inBash = (file: string, text: string): Literal[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) => [line, ...(line.match(/[\w./-]+/g) ?? [])])
    .map((value) => ({ file, value: /^\d+$/.test(value) ? Number(value) : value }));

const read = (file: string) => readFileSync(join(provider, file), "utf8");
const literals = (): Literal[] => [
  ...files(".ts", ".tsx", ".mts", ".mjs").flatMap((file) => inTypeScript(file, read(file))),
  ...inPython(files(".py").map((file) => [file, read(file)])),
  ...files(".sh").flatMap((file) => inBash(file, read(file))),
];

/** Values that are common words or paths as well: their names are in the contract, and no literal is searched for. */
const common: string[] = [contract.autoscale.mark, contract.files.demandKey, contract.labels.demandKey];

/** Values that may be a part of a longer text. */
const distinct: string[] = [
  ...Object.values(contract.annotations),
  ...Object.values(contract.drainReasons),
  contract.files.agentReady,
  contract.files.consoleUsers,
];

/** Values that are whole literals. */
const whole: (string | number)[] = [
  ...Object.values(contract.exitStatuses),
  contract.paths.metrics,
  ...[contract.autoscale.reasons, contract.autoscale.peers, contract.autoscale.problems].flatMap(Object.keys),
];

/** Paths that TypeScript mounts, and scripts get as settings. A script has only the path of the settings itself. */
const mounted: string[] = [
  paths.curveDirectory,
  paths.certificateDirectory,
  paths.imageDirectory,
  paths.programsDirectory,
  paths.curveFile,
];

/** Where the literals of mounted paths are. */
const homeOfPaths = "core/parse/paths.ts";

/** Literals of shared values, one line each. */
const violations = (all: Literal[]): string[] =>
  all.flatMap(({ file, value }) => {
    const shared = [
      ...whole.filter((one) => one === value),
      ...distinct.filter((one) => String(value).includes(one)),
      ...(file === homeOfPaths ? [] : mounted.filter((one) => String(value).includes(one))),
    ];
    return shared.map((one) => `${file} has its own ${one}`);
  });

const leaves = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [value];

describe("the contract between the languages", function () {
  this.timeout(60_000);

  it("is the only place of its values, in TypeScript, Python and bash", () => {
    const all = literals();
    for (const ending of [".ts", ".py", ".sh"])
      assert.ok(all.filter(({ file }) => file.endsWith(ending)).length > 100, ending);
    assert.deepEqual([...new Set(violations(all))], []);
  });

  it("has no value that this test does not search for, beside common words", () => {
    const { reasons, peers, problems } = contract.autoscale;
    const meanings = [reasons, peers, problems].flatMap(leaves);
    const searched = [...common, ...distinct, ...whole];
    assert.deepEqual(
      leaves(contract).filter((value) => !meanings.includes(value) && !searched.includes(value as string)),
      [],
    );
  });

  const copies: [language: string, copy: () => Literal[], shared: string | number][] = [
    [
      "TypeScript",
      () => inTypeScript("a.ts", '// "hostsIdle"\nif (reason === "hostsIdle") end(`${one} /tmp/ready`);'),
      "hostsIdle",
    ],
    ["TypeScript, in a template", () => inTypeScript("a.ts", "run(`rm ${flag} /tmp/ready; ${more}`);"), "/tmp/ready"],
    ["Python", () => inPython([["a.py", '"""The code hostsIdle."""\nreason = "hostsIdle"\n']]), "hostsIdle"],
    ["Python, in an f-string", () => inPython([["a.py", 'name = f"{one}/tmp/ready"\n']]), "/tmp/ready"],
    ["bash", () => inBash("a.sh", "# exit 143\nexit 143\n"), 143],
    ["bash, in quotes", () => inBash("a.sh", "drain 'minicluster: the pod leaves'\n"), contract.drainReasons.podLeaves],
    ["bash, as a path", () => inBash("a.sh", "cp /etc/minicluster/programs/lead.pyz x\n"), paths.programsDirectory],
  ];
  for (const [language, copy, shared] of copies)
    it(`is not copied to ${language}`, () =>
      assert.deepEqual([...new Set(violations(copy()))].filter((line) => line.endsWith(`own ${shared}`)).length, 1));
});
