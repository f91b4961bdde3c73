import * as pulumi from "@pulumi/pulumi";
import { type Fields, fieldsOf } from "../../../shared/reading";
import type { LateValues } from "../../objects";
import { type BuildFeatures, identityOf, type KubernetesObject, objectsOf } from "../../objects/identities";
import type { MiniClusterSpec } from "../../parse/spec";
import { originInBrokers, originInPod, originInServices } from "./origins";

type Path = readonly PropertyKey[];

/** An object that the API server checks in a dry run before any object is created. */
export interface Trial {
  /** The object in messages: its kind and its name. */
  name: string;
  /** Path of the objects of its kind in its namespace. */
  path: string;
  object: object;
  /** Path of the object itself, or for a pod of the object that creates it: if it exists, a quota already counts it. */
  existing: string;
  /** The argument that sets a field of the object, or an empty path. */
  originOf: (field: Path) => Path;
}

/**
 * The objects of a Job of brokers, and the pods that its controllers create from them: quotas, limit ranges and Pod Security
 * check only pods. The component's own secrets are empty: a verdict does not depend on them.
 */
export function trialsOf(spec: MiniClusterSpec, build: BuildFeatures): Trial[] {
  return objectsOf(spec, placeholders(spec), build).flatMap((object) => [
    trialOf(spec, object),
    ...podTrials(spec, object),
  ]);
}

/** Empty values in place of the component's own secrets. */
function placeholders(spec: MiniClusterSpec): LateValues {
  const empty = pulumi.output("");
  return {
    certificate: { text: empty, data: empty },
    ...(spec.role === "follower" && spec.lead.isLate && { leadEndpoint: empty, demandEndpoint: empty }),
  };
}

function trialOf(spec: MiniClusterSpec, object: KubernetesObject): Trial {
  const { apiVersion, kind, manifest } = object;
  const path = pathOf(spec, object);
  return {
    name: identityOf(object),
    path,
    existing: `${path}/${object.name}`,
    object: { apiVersion, kind, ...manifest },
    originOf: (field) => originIn(spec, object, field),
  };
}

/** Path of the objects of a kind in a namespace. */
function pathOf({ namespace }: MiniClusterSpec, { apiVersion, kind }: Pick<KubernetesObject, "apiVersion" | "kind">) {
  const plural = `${kind.toLowerCase().replace(/y$/, "ie")}s`;
  return `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/namespaces/${namespace}/${plural}`;
}

const controllers = ["Job", "DaemonSet", "Deployment"];

/** The pods that the controller of an object creates. */
function podTrials(spec: MiniClusterSpec, object: KubernetesObject): Trial[] {
  if (!controllers.includes(object.kind)) return [];
  const template = fieldsOf(fieldsOf((object.manifest as Fields).spec).template);
  const pod = { apiVersion: "v1", kind: "Pod" };
  const metadata = { ...fieldsOf(template.metadata), generateName: `${object.name}-`, namespace: spec.namespace };
  // The component creates the service account together with the agent.
  const own = object.kind === "Deployment" ? { serviceAccountName: undefined } : {};
  return [
    {
      name: `the pods of ${identityOf(object)}`,
      path: pathOf(spec, pod),
      existing: `${pathOf(spec, object)}/${object.name}`,
      object: { ...pod, metadata, spec: { ...fieldsOf(template.spec), ...own } },
      originOf: (field) => (field.length === 0 ? [] : originIn(spec, object, ["spec", "template", ...field])),
    },
  ];
}

/** The argument that sets a field of an object. */
function originIn(spec: MiniClusterSpec, { kind, manifest, originOf }: KubernetesObject, field: Path): Path {
  const [part, map, ...rest] = field;
  const object = manifest as Fields;
  const { template = {} } = fieldsOf(object.spec);
  const isInPod = part === "spec" && map === "template";
  if (part === "metadata" && (map === "name" || map === "namespace")) return [map];
  if (originOf) return originOf(field);
  switch (kind) {
    case "Job":
      return isInPod ? originInBrokers(spec, fieldsOf(template), rest) : originInJob(field);
    case "Pod":
      return originInServices(spec, object, field);
    case "DaemonSet":
      return isInPod ? originInPrepull(spec, fieldsOf(template), rest) : [];
    case "ResourceClaimTemplate":
      return rest[1] === "constraints" ? ["pool", "matchAttributes", ...rest.slice(2, 3)] : [];
    default:
      return [];
  }
}

/** The argument that sets a field of the pods of prepull. These have the image of each container, and nothing else of it. */
function originInPrepull(spec: MiniClusterSpec, template: Fields, path: Path): Path {
  const isImage = /^image(PullPolicy)?$/.test(String(path[3]));
  const containers = isImage ? [spec.main, ...spec.sidecars] : [];
  return originInPod({ spec, template, list: "containers", containers }, path);
}

/** Arguments by the fields of the Job outside the pod template. */
const inJob: Record<string, Path> = {
  "metadata.labels": ["jobLabels"],
  "metadata.annotations": ["jobAnnotations"],
  "spec.completions": ["size"],
  "spec.parallelism": ["size"],
  "spec.activeDeadlineSeconds": ["deadlineSeconds"],
  "spec.backoffLimit": ["backoffLimit"],
};

function originInJob([part, field, ...rest]: Path): Path {
  const origin = inJob[[part, field].map(String).join(".")];
  return origin ? [...origin, ...rest] : [];
}
