import * as pulumi from "@pulumi/pulumi";
import { isFromServer, isNotFound, providerOf, readerOf } from "../../diagnostics/apiServer";
import { beforeCreate } from "../../diagnostics/hooks";
import { getOrMake, oncePerRun } from "../../diagnostics/oncePerRun";
import type { MiniClusterSpec } from "../parse/spec";

/** Options of a cluster that show whether a resource such as its namespace comes before it. */
interface PlaceOptions {
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

/** Reads the namespace. Without a connection, or without the right to read it, there is no problem to report. */
async function problemOf(namespace: string, component: pulumi.Resource): Promise<Problem | undefined> {
  const read = await readerOf(component).catch(() => undefined);
  const error = await read?.(`/api/v1/namespaces/${namespace}`).then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (!error) return undefined;
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

const hasDependencies = ({ dependsOn }: PlaceOptions) =>
  dependsOn !== undefined && !(Array.isArray(dependsOn) && dependsOn.length === 0);
