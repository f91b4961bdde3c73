import * as rpc from "../rpc/backend";
import { formatPath } from "./paths";
import { type Json, type Obj, unknown, withoutSecrets } from "../rpc/values";
import { Checker } from "./checking";
import type { Cloud, ResourceKind } from "./cloud";
import type { Declarations } from "./declarations/shapes";
import { differences, touches } from "./differing";
import { filled } from "./filling";
import { isAutonamed, named, uniqueDigits } from "./naming";

/** A provider plugin of a simulated cloud: it checks its inputs, and keeps them in the stack's state. */
export class CloudBackend implements rpc.Backend {
  readonly version: string;
  private readonly checker: Checker;
  private config: Record<string, string> = {};

  constructor(
    private readonly provider: string,
    private readonly cloud: Cloud,
    private readonly declarations: Declarations,
  ) {
    this.version = declarations.version;
    this.checker = new Checker(declarations);
  }

  checkConfig(news: Obj): rpc.CheckResponse {
    return { inputs: news };
  }

  diffConfig(): rpc.DiffResponse {
    return rpc.noChanges();
  }

  configure(variables: Record<string, string>): Promise<void> {
    const prefix = `${this.provider}:config:`;
    const settings = Object.entries(variables).map(([key, value]) => [key.replace(prefix, ""), value]);
    this.config = Object.fromEntries(settings) as Record<string, string>;
    return Promise.resolve();
  }

  check(request: rpc.CheckRequest): Promise<rpc.CheckResponse> {
    return attempt(() => {
      const { type, kind, declared } = this.resource(request.urn);
      const inputs = named(this.cloud, kind, request);
      return { inputs, failures: this.checker.problems(type, declared.inputs, withoutSecrets(inputs)) };
    });
  }

  diff({ urn, news, oldInputs }: rpc.DiffRequest): Promise<rpc.DiffResponse> {
    return attempt(() => {
      const { kind } = this.resource(urn);
      const [before, after] = [withoutSecrets(known(oldInputs)), withoutSecrets(news)];
      const changes = differences(before, after).map((change) => {
        const replace = touches(change, kind.replacedBy);
        return [formatPath(change.path), { kind: change.kind, replace, inputDiff: true }] as const;
      });
      const replaces = changes.filter(([, { replace }]) => replace).map(([path]) => path);
      // An explicit name stays taken until the old resource is deleted.
      const keepsName = kind.name !== undefined && before[kind.name] === after[kind.name];
      const isChosen = kind.name !== undefined && !isAutonamed(this.cloud, urn, after[kind.name]);
      const deleteBeforeReplace = replaces.length > 0 && keepsName && isChosen && after[kind.name ?? ""] !== undefined;
      return { changed: changes.length > 0, replaces, deleteBeforeReplace, detailed: new Map(changes) };
    });
  }

  create({ urn, inputs, preview }: rpc.CreateRequest): Promise<rpc.ResourceState> {
    return attempt(() => {
      const { kind, declared } = this.resource(urn);
      const promised = Object.entries(declared.outputs).filter(([, { required }]) => required);
      if (preview) {
        const unknowns = Object.fromEntries(promised.map(([key]) => [key, unknown]));
        return { id: "", properties: { ...unknowns, ...this.echoed(urn, inputs) } };
      }
      refuse(kind, withoutSecrets(inputs));
      const facts = { inputs: withoutSecrets(inputs), unique: uniqueDigits(), config: this.config };
      const id = kind.id(facts);
      const outputs = { ...nameFrom(kind, facts), ...kind.outputs({ ...facts, id }) };
      const properties = { ...filled(this.declarations, declared.outputs, outputs), ...this.echoed(urn, inputs) };
      return { id, properties };
    });
  }

  update(request: rpc.UpdateRequest): Promise<Obj> {
    return attempt(() => {
      const { urn, olds, news, preview } = request;
      const { kind, declared } = this.resource(urn);
      const [before, after] = [withoutSecrets(known(request.oldInputs)), withoutSecrets(news)];
      const changes = differences(before, after);
      const refused = changes.filter((change) => touches(change, kind.fixed ?? []));
      if (refused[0] && !preview)
        throw new Error(
          `Code="PropertyChangeNotAllowed" Message="Changing property 'properties.${formatPath(refused[0].path)}' ` +
            `is not allowed." Target="properties.${formatPath(refused[0].path)}"`,
        );
      if (!preview) refuse(kind, after);
      const kept = Object.entries(olds).filter(([key]) => declared.outputs[key]?.required);
      const changed = [...new Set(changes.map(({ path }) => String(path[0])))];
      const revised = Object.entries(kind.revised?.(changed, after, withoutSecrets(olds)) ?? {});
      return {
        ...Object.fromEntries<Json | undefined>(kept),
        ...this.echoed(urn, news),
        ...Object.fromEntries<Json | undefined>(revised.map(([key, value]) => [key, preview ? unknown : value])),
      };
    });
  }

  read({ id, urn, properties, inputs }: rpc.ReadRequest): Promise<rpc.ResourceState & { inputs: Obj }> {
    return attempt(() => {
      if (Object.keys(properties).length === 0)
        throw new Error(`this stand-in has no ${rpc.urnType(urn)} but those of the stack; it cannot look up ${id}`);
      return { id, properties, inputs };
    });
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  invoke({ token, args }: rpc.InvokeRequest): Promise<rpc.InvokeResponse> {
    return attempt(() => {
      const [answer, declared] = [this.cloud.functions[token], this.declarations.functions[token]];
      if (!answer || !declared) throw unfamiliar(token);
      const failures = this.checker.problems(token, declared.args, withoutSecrets(args));
      if (failures.length > 0) return { result: {}, failures };
      const result = filled(this.declarations, declared.result, answer(withoutSecrets(args), this.config));
      const [problem] = this.checker.problems(token, declared.result, result);
      if (problem) throw new Error(`the stand-in's answer is wrong at ${problem.property}: ${problem.reason}`);
      return { result };
    });
  }

  private resource(urn: string) {
    const type = rpc.urnType(urn);
    const [kind, declared] = [this.cloud.resources[type], this.declarations.resources[type]];
    if (!kind || !declared) throw unfamiliar(type);
    return { type, kind, declared };
  }

  /** The inputs that the provider gives back as outputs. */
  private echoed(urn: string, inputs: Obj): Obj {
    const { declared, kind } = this.resource(urn);
    const isEchoed = (key: string) => key in declared.outputs && !kind.completed?.includes(key);
    return Object.fromEntries(Object.entries(inputs).filter(([key]) => isEchoed(key)));
  }
}

/** The name that the cloud itself makes up from a prefix. */
function nameFrom({ name, namePrefix }: ResourceKind, { inputs, unique }: { inputs: Obj; unique: string }): Obj {
  const prefix: Json | undefined = namePrefix === undefined ? undefined : inputs[namePrefix];
  return name !== undefined && typeof prefix === "string" ? { [name]: prefix + unique } : {};
}

/** Fails like the cloud, to which a preview sends nothing. */
function refuse({ refuses }: ResourceKind, inputs: Obj): void {
  const refusal = refuses?.(inputs);
  if (refusal !== undefined) throw new Error(refusal);
}

const unfamiliar = (token: string) =>
  new Error(`this stand-in does not know ${token}, which needs a row in tests/sandbox/standIns/cloud/clouds`);

function known(oldInputs: Obj | undefined): Obj {
  if (oldInputs === undefined) throw new Error("the engine did not say what the inputs were before");
  return oldInputs;
}

/** A promise of what a function returns or throws. */
function attempt<T>(run: () => T): Promise<T> {
  return new Promise((resolve) => resolve(run()));
}
