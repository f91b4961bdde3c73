import { type CheckFailure, type DiffResponse, noChanges } from "../rpc/backend";
import { type Json, type Obj, unknown, withoutSecrets } from "../rpc/values";
import { isDeepStrictEqual } from "node:util";
import { activeCluster, readKubeconfig, type Selection } from "./kubeconfig";
import { stringAt } from "./objects";

/** The provider's settings, after environment and defaults. */
export interface Settings {
  kubeconfig: string;
  context: string;
  cluster: string;
  namespace: string;
  yamlDirectory: string;
  alwaysRender: boolean;
  serverSideApply: boolean;
  patchForce: boolean;
  upsertExisting: boolean;
  configMapMutable: boolean;
  secretMutable: boolean;
  deleteUnreachable: boolean;
  skipUpdateUnreachable: boolean;
}

/** Reads the settings from the engine's variables; a switch that is not set there can be set in the environment. */
export function parseSettings(variables: Record<string, string>, env: NodeJS.ProcessEnv = process.env): Settings {
  const text = (key: string) => variables[`kubernetes:config:${key}`] ?? "";
  const flag = (key: string, variable: string, byDefault = false) => {
    const value = variables[`kubernetes:config:${key}`] ?? env[`PULUMI_K8S_${variable}`];
    return value === undefined ? byDefault : value === "true";
  };
  return {
    kubeconfig: text("kubeconfig"),
    context: text("context"),
    cluster: text("cluster"),
    namespace: text("namespace"),
    yamlDirectory: text("renderYamlToDirectory"),
    alwaysRender: text("alwaysRender") === "true",
    serverSideApply: flag("enableServerSideApply", "ENABLE_SERVER_SIDE_APPLY", true),
    patchForce: flag("enablePatchForce", "ENABLE_PATCH_FORCE"),
    upsertExisting: flag("upsertExistingObjects", "UPSERT_EXISTING_OBJECTS"),
    configMapMutable: flag("enableConfigMapMutable", "ENABLE_CONFIGMAP_MUTABLE"),
    secretMutable: flag("enableSecretMutable", "ENABLE_SECRET_MUTABLE"),
    deleteUnreachable: flag("deleteUnreachable", "DELETE_UNREACHABLE"),
    skipUpdateUnreachable: flag("skipUpdateUnreachable", "SKIP_UPDATE_UNREACHABLE"),
  };
}

const isSet = (value: Json | undefined) => value === true || (typeof value === "string" && value !== "");

/** Settings that do not go together with rendering. The SDK's default for kubeconfig is no choice of the user. */
export function checkSettings(inputs: Obj): CheckFailure[] {
  const news = withoutSecrets(inputs);
  if (!isSet(news.renderYamlToDirectory)) {
    const always = news.alwaysRender === true || news.alwaysRender === "true";
    const reason = '"alwaysRender" requires "renderYamlToDirectory" to be set';
    return always ? [{ property: "alwaysRender", reason }] : [];
  }
  const isAmbient = process.env.KUBECONFIG !== "" && news.kubeconfig === process.env.KUBECONFIG;
  const chosen = ["cluster", "context", ...(isAmbient ? [] : ["kubeconfig"])].filter((key) => isSet(news[key]));
  return chosen.map((property) => ({
    property,
    reason: `${JSON.stringify(property)} arg is not compatible with "renderYamlToDirectory" arg`,
  }));
}

/** A provider for another cluster, or that renders elsewhere, replaces all its resources. */
export function diffSettings(oldInputs: Obj, newInputs: Obj): DiffResponse {
  const [olds, news] = [withoutSecrets(oldInputs), withoutSecrets(newInputs)];
  const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  const changed = keys.filter((key) => !isDeepStrictEqual(olds[key], news[key]));
  const [before, after] = [clusterIn(olds), clusterIn(news)];
  const moved = before !== undefined && after !== undefined && !isDeepStrictEqual(before, after);
  const replaces = changed.filter(
    (key) =>
      key === "renderYamlToDirectory" ||
      (clusterKeys.includes(key) && (moved || news[key] === unknown)) ||
      (key === "clusterIdentifier" && isSet(olds[key]) && isSet(news[key])),
  );
  const isPinned = isSet(news.clusterIdentifier) && !changed.includes("clusterIdentifier");
  const detailed = changed.map((key) => [key, { kind: "update", replace: false }] as const);
  return {
    ...noChanges(),
    changed: changed.length > 0,
    replaces: isPinned ? [] : replaces,
    detailed: new Map(
      detailed.map(([key, change]) => [key, { ...change, replace: !isPinned && replaces.includes(key) }]),
    ),
  };
}

const clusterKeys = ["kubeconfig", "context", "cluster"];

function clusterIn(inputs: Obj): Obj | undefined {
  const kubeconfig = stringAt(inputs, "kubeconfig");
  if (kubeconfig === "") return undefined;
  const selection: Selection = { context: stringAt(inputs, "context"), cluster: stringAt(inputs, "cluster") };
  return activeCluster(readKubeconfig(kubeconfig), selection);
}
