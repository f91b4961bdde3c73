import kubernetesSchema from "../../../../sdk/generator/kubernetes.json";
import type { Backend, Log } from "../rpc/backend";
import { create, remove, update } from "./apply";
import { checkSettings, diffSettings } from "./config";
import { check, diff } from "./plan";
import { read } from "./read";
import { openSession, type Session } from "./session";

const metadata = { $ref: "#/types/kubernetes:meta%2Fv1:ObjectMeta" };
const anything = { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };
const text = { type: "string" };

/** A kind of v1 in the schema. */
function kindOf(kind: string) {
  const properties = { apiVersion: { ...text, const: "v1" }, kind: { ...text, const: kind }, metadata, spec: anything };
  return { inputProperties: properties, properties };
}

/** The types that the schema of this package names, and kinds for programs in YAML, whose host reads the schema. */
const schema = {
  ...kubernetesSchema,
  types: {
    ...kubernetesSchema.types,
    "kubernetes:meta/v1:ObjectMeta": {
      type: "object",
      properties: { name: text, namespace: text },
    },
  },
  resources: {
    "kubernetes:core/v1:Namespace": kindOf("Namespace"),
    "kubernetes:core/v1:PersistentVolumeClaim": kindOf("PersistentVolumeClaim"),
  },
  provider: { inputProperties: { context: text, kubeconfig: text, renderYamlToDirectory: text } },
};

/**
 * A Kubernetes provider that does server-side apply on a real API server and follows the real plugin where the
 * components depend on it. It is test equipment.
 */
export function kubernetesBackend(version: string, log: Log): Backend {
  const canceller = new AbortController();
  let session: Session | undefined;
  const configured = () => {
    if (!session) throw new Error("the provider is not configured");
    return session;
  };
  return {
    version,
    schema: { ...schema, version },
    checkConfig: (news) => ({ inputs: news, failures: checkSettings(news) }),
    diffConfig: diffSettings,
    configure: async (variables) => {
      session = await openSession(variables, canceller.signal);
    },
    check: async (request) => check(configured(), request, log),
    diff: async (request) => diff(configured(), request),
    create: async (request) => create(configured(), request, log),
    read: async (request) => read(configured(), request, log),
    update: async (request) => update(configured(), request, log),
    delete: async (request) => remove(configured(), request, log),
    cancel: () => canceller.abort(),
  };
}
