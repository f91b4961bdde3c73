import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import { randomCertificate } from "../../../provider/core/register/certificate";
import { allManifests, parseMiniClusterArgs } from "../../support/specs";
import { miniClusterManifestFields } from "../../../provider/operator/manifest";
import { conformanceRows, notTaken } from "../../../sdk/generator/conformance";
import { isAtOrIn } from "../../../sdk/generator/pages/schema";
import { differences } from "../../support/differences";
import { standInCertificate } from "../../support/everything";
import { matchGolden, withoutTexts } from "../../support/golden";
import { problemsIn, readOne } from "../../support/manifestTexts";
import { withValueAt } from "../../support/schemaPlaces";

/** A value for a field of the operator's. */
interface Sample {
  value: unknown;
  /** Fields that the value needs beside it, by path; `.name` is a field beside this one. */
  beside?: Record<string, unknown>;
  /** Field of the second container, which does not run Flux. */
  inSidecar?: boolean;
}

const services = "spec.services[]";

/** A sample of every field of the operator's, by its path. */
const samples = parse(fs.readFileSync(path.join(__dirname, "samples.yaml"), "utf8")) as Record<string, Sample>;
samples["spec.flux.curveCert"] = { value: standInCertificate };

/** What a field makes of a cluster: the differences from one without it, and the warnings. */
function effectOf(field: string, sample: Sample): object {
  const { beside = {}, inSidecar } = sample;
  const steps = stepsOf(field, inSidecar ? 1 : 0);
  const base = baseOf(field, inSidecar);
  const around = Object.entries(beside).reduce<unknown>((manifest, [name, value]) => {
    const place = name.startsWith(".") ? [...steps.slice(0, -1), name.slice(1)] : stepsOf(name);
    return withValueAt(manifest, place, value);
  }, base);
  const text = stringify(withValueAt(around, steps, sample.value));
  const refused = problemsIn(text);
  if (refused.length > 0) return { refused };
  // What stands beside the field may mean nothing by itself.
  const before = builtFrom(stringify(problemsIn(stringify(around)).length > 0 ? base : around));
  const warned = readOne(text).warnings.map(({ path, message }) => `${path}: ${message}`);
  return { ...(differences(builtFrom(text), before) as object), ...(warned.length > 0 && { warned }) };
}

/** A manifest of a cluster in which the field may be. */
function baseOf(field: string, inSidecar = false) {
  const command = /commands\.script|bursting\.leadBroker/.test(field) ? {} : { command: "echo hello" };
  const main = { image: "ubuntu:noble", ...command, ...(inSidecar && { runFlux: true }) };
  return {
    apiVersion: "flux-framework.org/v1alpha2",
    kind: "MiniCluster",
    metadata: { name: "demo" },
    spec: {
      containers: [main, ...(inSidecar ? [{ name: "side", image: "busybox" }] : [])],
      ...(field.startsWith(services) && { services: [{ name: "db", image: "redis" }] }),
    },
  };
}

/** The steps of a path, with the first item of every list but the containers, and the name `data` for any. */
const stepsOf = (path: string, container = 0): (string | number)[] =>
  path
    .replace("containers[]", `containers[${container}]`)
    .replaceAll("[]", "[0]")
    .replace("*", "data")
    .split(/\.|(?=\[)/)
    .map((step) => (step.startsWith("[") ? Number(step.slice(1, -1)) : step));

/** What the cluster of a manifest consists of. */
function builtFrom(text: string): unknown {
  const { name, args } = readOne(text);
  const certificate = randomCertificate(name, "a2V5");
  return withoutTexts(allManifests(parseMiniClusterArgs(name, args), { certificate }));
}

/** Every name that a value has, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];

describe("the fields of the operator's cluster", () => {
  const effects = Object.entries(samples).map(([field, sample]) => [field, effectOf(field, sample)] as const);

  it("have the effects in tests/golden/operator/fields.yaml", () =>
    matchGolden("operator/fields.yaml", Object.fromEntries(effects)));

  it("have one each, and samples of all that Kubernetes' own types hold", () => {
    assert.deepEqual(Object.keys(samples).sort(), conformanceRows.map(({ field }) => field).sort());
    const without = effects.filter(([, effect]) => Object.keys(effect).length === 0).map(([field]) => field);
    // The operator wraps no service; and the certificate is only rendered when the cluster is registered.
    assert.deepEqual(without, [`${services}.noWrapEntrypoint`, "spec.flux.curveCert"]);
    const missing = Object.entries(samples).flatMap(([field, { value }]) =>
      miniClusterManifestFields
        .filter((inner) => inner !== field && isAtOrIn(inner, field) && !inner.includes(notTaken))
        .filter((inner) => !namesIn(value).includes(inner.slice(inner.lastIndexOf(".") + 1))),
    );
    assert.deepEqual(missing, []);
  });
});
