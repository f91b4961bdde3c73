import * as pulumi from "@pulumi/pulumi";
import { type Fields, fieldsOf } from "../../../shared/reading";
import { buildJobManifests, buildManifests, type LateValues } from "../../objects";
import { identityOf, type KubernetesObject, objectsOf } from "../../objects/identities";
import { leadServiceName } from "../../parse/names";
import { isGroup, type MiniClusterSpec } from "../../parse/spec";
import { checkedSourceRanges } from "../../../bursting/diagnostics/lateValues";
import { originInBrokers, originInPod, originInServices } from "./origins";

type Path = readonly PropertyKey[];

/** An object that the API server is asked about before any object is created. */
export interface Trial {
  /** The object in messages: its kind and its name. */
  name: string;
  /** Path of the objects of its kind in its namespace. */
  path: string;
  object: object;
  /** The object that may exist already, for a pod the one that creates it: a quota then counts it. */
  existing: string;
  /** The argument that sets a field of the object, or an empty path. */
  originOf: (field: Path) => Path;
}

/**
 * The objects of a Job of brokers, and the pods that its controllers create from them: quotas, limit ranges and Pod Security judge
 * pods alone. The component's own secrets are empty: a verdict does not depend on them.
 */
export function trialsOf(spec: MiniClusterSpec): Trial[] {
  const objects = objectsOf(
    spec,
    isGroup(spec) ? buildJobManifests(spec, late(spec)) : buildManifests(spec, late(spec)),
  );
  return objects.flatMap((object) => [trialOf(spec, object), ...podTrials(spec, object)]);
}

function late(spec: MiniClusterSpec): LateValues {
  const empty = pulumi.output("");
  const sourceRanges = checkedSourceRanges(spec);
  return {
    certificate: { text: empty, data: empty },
    consoleUsers: empty,
    ...(sourceRanges && { sourceRanges }),
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
  // The component's own account is created with the agent.
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
function originIn(spec: MiniClusterSpec, { kind, name, manifest }: KubernetesObject, field: Path): Path {
  const [part, map, ...rest] = field;
  const object = manifest as Fields;
  const { template = {} } = fieldsOf(object.spec);
  const isInPod = part === "spec" && map === "template";
  if (part === "metadata" && (map === "name" || map === "namespace")) return [map];
  switch (kind) {
    case "Job":
      return isInPod ? originInBrokers(spec, fieldsOf(template), rest) : originInJob(field);
    case "Pod":
      return originInServices(spec, object, field);
    case "Deployment":
      return isInPod ? originInAgent(spec, fieldsOf(template), rest) : [];
    case "DaemonSet":
      return isInPod
        ? originInPod({ spec, template: fieldsOf(template), list: "containers", containers: [] }, rest)
        : [];
    case "Service":
      return spec.role === "lead" && name === leadServiceName(spec) ? originInBalancer(field) : [];
    case "ResourceClaimTemplate":
      return rest[1] === "constraints" ? ["pool", "matchAttributes", ...rest.slice(2, 3)] : [];
    case "PodMonitor":
      return part === "metadata" && map === "labels" ? ["metrics", "podMonitor", map, ...rest] : [];
    default:
      return [];
  }
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

/** Arguments by the fields of the load balancer's Service. */
const inBalancer: Record<string, string> = {
  "metadata.annotations": "annotations",
  "spec.loadBalancerSourceRanges": "sourceRanges",
};

function originInBalancer([part, field, ...rest]: Path): Path {
  const property = inBalancer[[part, field].map(String).join(".")];
  return property === undefined ? [] : ["bursting", "expose", "loadBalancer", property, ...rest];
}

/** The agent takes its place and its image from the arguments. */
function originInAgent(spec: MiniClusterSpec, template: Fields, path: Path): Path {
  const [part, list, index, ...rest] = path;
  const image = spec.flux.container.disable ? ["containers", spec.main.index] : ["flux", "container"];
  if (part === "spec" && list === "containers") return index === undefined ? [] : [...image, ...rest];
  return originInPod({ spec, template, list: "containers", containers: [] }, path);
}
