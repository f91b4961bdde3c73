import { z } from "zod";
import { FailedRead, labelSelector, send } from "../../diagnostics/apiServer";
import type { Connection } from "../../diagnostics/connection/kubeconfig";
import { jsonIn } from "../../diagnostics/exec";
import { printable } from "../../shared/printable";
import { leadSelector } from "../parse/names";
import { configDirectory } from "../parse/paths";

/** The Job of a lead broker. */
export interface LeadJob {
  namespace: string;
  name: string;
}

const pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).nullish() }),
      spec: z.object({
        containers: z.array(
          z.object({ name: z.string(), volumeMounts: z.array(z.object({ mountPath: z.string() })).nullish() }),
        ),
      }),
    }),
  ),
});

/** The running pod of the lead broker, and the container that runs Flux in it. */
export async function leadPodOf(connection: Connection, job: LeadJob, signal?: AbortSignal) {
  const { namespace, name } = job;
  const query = new URLSearchParams({
    labelSelector: labelSelector(leadSelector(job)),
    fieldSelector: "status.phase=Running",
  });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods?${query}`;
  const { success, data } = pods.safeParse(await send(connection, path, undefined, signal));
  if (!success) throw new Error("the API server has sent a list of pods that is not valid");
  // A pod is Ready once its broker runs.
  const lead = data.items.find(({ status }) =>
    status.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
  );
  if (!lead) throw new Error(`Job ${namespace}/${name} has no Ready pod of the lead broker`);
  // Admission may have added further containers.
  const container = lead.spec.containers.find(({ volumeMounts }) =>
    volumeMounts?.some(({ mountPath }) => mountPath === configDirectory),
  );
  if (!container) throw new Error(`pod ${lead.metadata.name} of namespace ${namespace} runs no Flux broker`);
  return { pod: lead.metadata.name, container: container.name };
}

/** The message of an error of the API server. */
export function messageOf({ body }: FailedRead): string {
  const { success, data } = z.object({ message: z.string() }).safeParse(jsonIn(body));
  return printable(success ? data.message : body)
    .trim()
    .slice(0, 1000);
}

/** Why the API server runs no command in the pod of a lead broker for the user of the provider, and what to grant. */
export const missingRights = (error: FailedRead, namespace: string): string =>
  `the API server refuses the user of the Kubernetes provider: ${messageOf(error)}; grant it list on pods, and get and create ` +
  `on pods/exec, in the namespace "${namespace}"`;
