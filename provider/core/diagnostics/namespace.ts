import * as pulumi from "@pulumi/pulumi";
import { isFromServer, isNotFound, providerOf, providerSettings, readerOf } from "../../diagnostics/apiServer";
import { beforeCreate } from "../../diagnostics/hooks";
import type { ProviderNamespace } from "../../diagnostics/providerNamespace";
import { oncePerRun } from "../../diagnostics/oncePerRun";
import { getOrMake } from "../../shared/objects";
import { fieldsOf } from "../../shared/reading";
import { printable } from "../../shared/printable";
import type { MiniClusterSpec } from "../parse/spec";

/** Options of a cluster that show whether a resource such as its namespace comes before it. */
export interface PlaceOptions {
  parent: pulumi.ComponentResource;
  dependsOn?: pulumi.ComponentResourceOptions["dependsOn"];
}

/** A problem with the place of a cluster's objects. */
interface Problem {
  message: string;
  /** True if a resource of the same update may remove it. */
  mayBeCreated: boolean;
}

/** The problem with each namespace, by provider. */
const problems = oncePerRun(() => new Map<string, Promise<Problem | undefined>>());

/**
 * Hook on one object of a cluster that warns, in a preview, of a missing namespace and of an API server that does not respond: the
 * Kubernetes provider notices neither before the update.
 */
export function warnOfMissingNamespace(
  resourceName: string,
  { namespace }: MiniClusterSpec,
  options: PlaceOptions,
): pulumi.ResourceHookBinding {
  if (!pulumi.runtime.isDryRun()) return {};
  return beforeCreate(`minicluster:${resourceName}:place`, options.parent, async () => {
    const place = `${await providerOf(options.parent)} ${namespace}`;
    const problem = await getOrMake(problems(), place, () => problemOf(namespace, options.parent));
    const isExpected = problem?.mayBeCreated && hasDependencies(options);
    return problem && !isExpected ? [{ severity: "warning", message: problem.message }] : [];
  });
}

/** Hook that names the namespace of a new cluster if a setting of its provider determines it. */
export const tellNamespace = (
  resourceName: string,
  { name, setting }: ProviderNamespace,
  parent: pulumi.ComponentResource,
): pulumi.ResourceHookBinding =>
  beforeCreate(`minicluster:${resourceName}:namespace`, parent, () => [
    { severity: "info", message: `the namespace is "${name}", from ${setting}` },
  ]);

/**
 * Hook that rejects a new cluster without `namespace` if its Kubernetes provider has a namespace: the provider creates other
 * objects there, but the host names of the brokers depend only on the argument.
 */
export function rejectOtherNamespace(
  resourceName: string,
  { name, namespace }: MiniClusterSpec,
  parent: pulumi.ComponentResource,
  given: unknown,
): pulumi.ResourceHookBinding {
  if (given !== undefined) return {};
  return beforeCreate(`minicluster:${resourceName}:namespace`, parent, async () => {
    const { namespace: other } = await providerSettings(parent).catch((): Record<string, unknown> => ({}));
    if (typeof other !== "string" || other === "" || other === namespace) return [];
    const message =
      `the namespace of ${name} would be "${namespace}", but its Kubernetes provider has the namespace "${other}"; set ` +
      `namespace: "${other}", or namespace: "${namespace}" to keep it`;
    return [{ severity: "error", message }];
  });
}

/** Reads the namespace. Without a connection, or without the permission to read it, there is no problem to report. */
async function problemOf(namespace: string, component: pulumi.Resource): Promise<Problem | undefined> {
  const read = await readerOf(component).catch(() => undefined);
  if (!read) return undefined;
  const [found, version] = await Promise.all(
    [`/api/v1/namespaces/${namespace}`, "/version"].map((path) => read(path).catch((reason: Error) => reason)),
  );
  if (!(found instanceof Error)) return terminatingProblem(namespace, found as Namespace) ?? versionProblem(version);
  const error = found;
  if (isNotFound(error))
    return {
      message:
        `the namespace "${namespace}" does not exist yet; create it first, or in this program, with the Namespace in the ` +
        "cluster's option dependsOn (depends_on in Python)",
      mayBeCreated: true,
    };
  if (isFromServer(error)) return undefined;
  return {
    message: `the API server does not respond: ${error.message}; check the kubeconfig and its context`,
    mayBeCreated: false,
  };
}

interface Namespace {
  status?: { phase?: string; conditions?: { type: string; status: string; message?: string }[] };
}

/**
 * The problem with a namespace that is being deleted, in the words of Kubernetes, which name the remaining kinds and finalizers.
 */
function terminatingProblem(namespace: string, { status }: Namespace): Problem | undefined {
  if (status?.phase !== "Terminating") return undefined;
  const left = (status.conditions ?? []).filter(
    ({ type, status: state }) => /Remaining$/.test(type) && state === "True",
  );
  const what = left.map(({ message = "" }) => `: ${printable(message)}`).join("");
  const message =
    `the namespace "${namespace}" is being deleted and accepts no objects${what}; if it waits for pods with the finalizer ` +
    `batch.kubernetes.io/job-tracking, delete their Jobs: kubectl delete job --all --namespace ${namespace}`;
  return { message, mayBeCreated: false };
}

/** First minor version of Kubernetes 1 with the success policy of Jobs, by default (KEP 3998). */
const firstWithSuccessPolicy = 31;

/** The problem with an API server that drops the success policy of a Job without an error, from its response at `/version`. */
export function versionProblem(version: unknown): Problem | undefined {
  const { major, minor } = fieldsOf(version);
  // A cloud may write "30+".
  const number = Number.parseInt(String(minor), 10);
  if (major !== "1" || !(number < firstWithSuccessPolicy)) return undefined;
  const message =
    `Kubernetes 1.${number} of this API server ignores the success policy of a Job: a Job does not complete when its command ` +
    `has ended, because its followers keep running; use Kubernetes 1.${firstWithSuccessPolicy} or newer`;
  return { message, mayBeCreated: false };
}

/** True if a resource such as its namespace comes before a cluster. */
export const hasDependencies = ({ dependsOn }: PlaceOptions) =>
  dependsOn !== undefined && !(Array.isArray(dependsOn) && dependsOn.length === 0);
