import { randomBytes, randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Backend, type DiffResponse, noChanges, urnType } from "../rpc/backend";
import { type Json, type Obj, secret, unknown, withoutSecrets } from "../rpc/values";

/** How one kind of resource makes its outputs from its inputs. */
interface Generator {
  outputs: (inputs: Obj) => { id: string; values: Obj };
  /** Names of the outputs, which are unknown in a preview. */
  names: string[];
  isSecret: boolean;
}

const numberIn = (inputs: Obj, key: string, byDefault = 0) => {
  const value = inputs[key];
  return typeof value === "number" ? value : byDefault;
};

function bytes(inputs: Obj) {
  const value = randomBytes(numberIn(inputs, "length"));
  const base64 = value.toString("base64");
  // An identifier is never secret: RandomPassword is for secrets.
  return { id: base64, values: { base64, hex: value.toString("hex") } };
}

function id(inputs: Obj) {
  const value = randomBytes(numberIn(inputs, "byteLength"));
  const prefix = typeof inputs.prefix === "string" ? inputs.prefix : "";
  const [hex, b64Std, b64Url] = (["hex", "base64", "base64url"] as const).map((form) => value.toString(form));
  const dec = BigInt(`0x0${hex ?? ""}`).toString();
  const values = { hex: prefix + hex, dec: prefix + dec, b64Std: prefix + b64Std, b64Url: prefix + b64Url };
  return { id: b64Url ?? "", values };
}

const classes: [key: string, characters: string][] = [
  ["upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  ["lower", "abcdefghijklmnopqrstuvwxyz"],
  ["numeric", "0123456789"],
  ["special", "!@#$%&*()-_=+[]{}<>:?"],
];

function text(inputs: Obj): string {
  const special = typeof inputs.overrideSpecial === "string" ? inputs.overrideSpecial : undefined;
  const used = classes.filter(([key]) => inputs[key] !== false);
  const alphabet = used.map(([key, characters]) => (key === "special" ? (special ?? characters) : characters)).join("");
  const pick = () => alphabet[randomInt(alphabet.length)] ?? "";
  return Array.from({ length: numberIn(inputs, "length") }, pick).join("");
}

const string = (inputs: Obj) => {
  const result = text(inputs);
  return { id: result, values: { result } };
};

const generators: Record<string, Generator> = {
  RandomBytes: { outputs: bytes, names: ["base64", "hex"], isSecret: true },
  RandomId: { outputs: id, names: ["hex", "dec", "b64Std", "b64Url"], isSecret: false },
  RandomString: { outputs: string, names: ["result"], isSecret: false },
  RandomPassword: { outputs: (inputs) => ({ ...string(inputs), id: "none" }), names: ["result"], isSecret: true },
};

function generatorOf(urn: string): Generator {
  const type = urnType(urn);
  const generator = generators[type.split(":")[2] ?? ""];
  if (!generator) throw new Error(`this stand-in does not know ${type}`);
  return generator;
}

/** Random values are generated once, so every change of an input replaces the resource. */
function diff(generator: Generator, olds: Obj, news: Obj): DiffResponse {
  const old = Object.fromEntries(Object.entries(olds).filter(([key]) => !generator.names.includes(key)));
  const [before, after] = [withoutSecrets(old), withoutSecrets(news)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => key !== "id");
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));
  const detailed = new Map(changed.map((key) => [key, { kind: "update", replace: true, inputDiff: true }] as const));
  return { ...noChanges(), changed: changed.length > 0, replaces: changed, detailed };
}

/** A provider of random values that follows the real one in its outputs and replacements. */
export function randomBackend(version: string): Backend {
  return {
    version,
    checkConfig: (news) => ({ inputs: news }),
    diffConfig: noChanges,
    configure: () => Promise.resolve(),
    check: ({ news }) => Promise.resolve({ inputs: news }),
    diff: ({ urn, olds, news }) => Promise.resolve(diff(generatorOf(urn), olds, news)),
    create: ({ urn, inputs, preview }) => {
      const generator = generatorOf(urn);
      const mark = (value: Json) => (generator.isSecret ? secret(value) : value);
      if (preview) {
        const blanks = Object.fromEntries(generator.names.map((name) => [name, unknown]));
        return Promise.resolve({ id: "", properties: { ...inputs, ...blanks } });
      }
      const made = generator.outputs(withoutSecrets(inputs));
      const values = Object.entries(made.values).map(([name, value]) => [name, mark(value ?? null)]);
      return Promise.resolve({ id: made.id, properties: { ...inputs, ...(Object.fromEntries(values) as Obj) } });
    },
    read: ({ id, properties, inputs }) => Promise.resolve({ id, properties, inputs }),
    update: ({ olds }) => Promise.resolve(olds),
    delete: () => Promise.resolve(),
  };
}
