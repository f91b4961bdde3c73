import kubernetesSchema from "../../../../sdk/generator/kubernetes.json";
import type { Backend, Log } from "../rpc/backend";
import { create, remove, update } from "./apply";
import { checkSettings, diffSettings } from "./config";
import { check, diff } from "./plan";
import { read } from "./read";
import { openSession, type Session } from "./session";

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
    // The types that the schema of this package names.
    schema: { ...kubernetesSchema, version },
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
