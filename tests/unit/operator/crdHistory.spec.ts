import * as assert from "node:assert/strict";
import { readMiniClusterManifest } from "../../../provider";
import { aManifest, argsOf, readOne, warningsOf } from "../../support/manifestTexts";
import fields from "./crdFields.json";

// The fields of all CRDs in the history of flux-framework/flux-operator (config/crd/bases, chart/templates,
// examples/dist), from 2022-09 to 2026-06, each with its type: `[]` for the items of a list, `{}` for a user's name.

const samples: Record<string, unknown> = { string: "a", integer: 1, boolean: true, array: ["a"], object: { a: "b" } };

/** A spec with one field. */
function specWith(path: string, type: string): object {
  const steps = path.match(/[^.[\]{}]+|\[\]|\{\}/g) ?? [];
  return steps.reduceRight<unknown>(
    (inner, step) => (step === "[]" ? [inner] : { [step === "{}" ? "a" : step]: inner }),
    samples[type] ?? assert.fail(type),
  ) as object;
}

/** What is wrong with a manifest. */
function problemsOf(apiVersion: string, spec: object): string {
  const manifest = {
    apiVersion: `flux-framework.org/${apiVersion}`,
    kind: "MiniCluster",
    metadata: { name: "c" },
    spec,
  };
  try {
    readMiniClusterManifest(JSON.stringify(manifest));
    return "";
  } catch (error) {
    return JSON.stringify(error, ["message", "errors", "reason"]) + String(error);
  }
}

describe("the fields that a CRD of the operator has had", () => {
  for (const [version, types] of Object.entries(fields)) {
    it(`are all read in ${version}: ${Object.keys(types).length} fields`, () => {
      const unknown = Object.entries(types).filter(([path, type]) =>
        problemsOf(version, specWith(path, type)).includes("unknown field"),
      );
      assert.deepEqual(
        unknown.map(([path]) => path),
        [],
      );
    });

    it(`are distinguished from others in ${version}`, () => {
      assert.match(problemsOf(version, { containerz: [] }), /unknown field/);
    });
  }
});

describe("a field that only older CRDs of v1alpha2 have", () => {
  const argsOfContainer = (text: string) => argsOf(`containers: [{image: a, ${text}}]`).containers?.[0];

  it("adds capabilities by their older place, beside those of the newer one", () => {
    for (const [given, add] of [
      ["securityContext: {addCapabilities: [SYS_PTRACE]}", ["SYS_PTRACE"]],
      ["securityContext: {addCapabilities: [SYS_PTRACE], capabilities: {add: [IPC_LOCK]}}", ["IPC_LOCK", "SYS_PTRACE"]],
    ] as const)
      assert.deepEqual(argsOfContainer(given)?.securityContext, { capabilities: { add } });
  });

  it("mounts existing volumes, and those that the cluster creates", () => {
    const text =
      "containers: [{image: a, volumes: {made: {path: /m}}, existingVolumes: {data: {path: /d, claimName: c}}}]\n" +
      "volumes: {made: {path: /host, storageClass: hostpath}}";
    const { args, volumes } = readOne(aManifest(text));
    assert.deepEqual(args.containers?.[0]?.volumes, {
      made: { path: "/m", claimName: "demo-made" },
      data: { path: "/d", claimName: "c" },
    });
    assert.deepEqual(
      volumes.map(({ name, claim }) => [name, (claim.metadata as { name: string }).name]),
      [["made", "demo-made"]],
    );
  });

  it("enables the console for its users", () => {
    const { args } = readOne(
      aManifest("containers: [{image: a}]\nusers: [{name: ada, password: long-enough-password}]"),
    );
    assert.deepEqual(args.console?.users, ["ada"]);
  });

  it("is named in a warning where nothing takes its place", () => {
    const text =
      "containers: [{image: a, securityContext: {fsGroup: 7}}]\nflux: {container: {cores: 4}, curveCertSecret: s}";
    const said = warningsOf(text).join("\n");
    for (const path of ["containers[0].securityContext.fsGroup", "flux.container.cores", "flux.curveCertSecret"])
      assert.ok(said.includes(`spec.${path}: `), said);
  });
});
