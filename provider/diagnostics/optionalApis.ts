import * as pulumi from "@pulumi/pulumi";
import { isNotFound, readerOf } from "./apiServer";
import { beforeCreateOrUpdate, type Diagnostic } from "./hooks";

/** An API that not every Kubernetes cluster serves. */
export interface OptionalApi {
  /** Group and version, such as "karpenter.sh/v1". */
  groupVersion: string;
  /** End of the message about a Kubernetes cluster without the API: the feature that needs it, and what to change. */
  remedy: string;
}

/** A CSI driver, with the end of the message: how to install it. */
export interface Driver {
  name: string;
  remedy: string;
}

/** Resolves to true if a Kubernetes cluster serves nothing at a path. */
export type Lacks = (path: string) => Promise<boolean>;

/**
 * Hooks that reject an object whose API the Kubernetes cluster lacks. They do nothing if the cluster cannot be read.
 */
export const requireApi = (name: string, component: pulumi.Resource, api: OptionalApi) =>
  requireInCluster(name, component, (lacks) => missingApi(lacks, api));

/** Hooks that reject a volume whose CSI driver the Kubernetes cluster lacks: its pods would never start. */
export const requireCsiDriver = (hookName: string, component: pulumi.Resource, { name, remedy }: Driver) =>
  requireInCluster(hookName, component, async (lacks) => {
    const isMissing = await lacks(`/apis/storage.k8s.io/v1/csidrivers/${name}`);
    return isMissing
      ? [{ severity: "error", message: `the Kubernetes cluster has no CSI driver ${name}: ${remedy}` }]
      : [];
  });

/**
 * Hooks with diagnostics on features that the Kubernetes cluster of a component lacks. A preview reports an error as a
 * warning: the same update may remove its cause.
 */
export const requireInCluster = (
  name: string,
  component: pulumi.Resource,
  diagnose: (lacks: Lacks) => Promise<Diagnostic[]>,
): pulumi.ResourceHookBinding =>
  beforeCreateOrUpdate(name, component, async () => {
    const diagnostics = await diagnose(await lacksOf(component));
    if (!pulumi.runtime.isDryRun()) return diagnostics;
    return diagnostics.map(({ message }) => ({ severity: "warning", message }));
  });

/** The error for a Kubernetes cluster that lacks an API. */
export async function missingApi(lacks: Lacks, { groupVersion, remedy }: OptionalApi): Promise<Diagnostic[]> {
  const isMissing = await lacks(`/apis/${groupVersion}`);
  return isMissing ? [{ severity: "error", message: `the Kubernetes cluster has no ${groupVersion}: ${remedy}` }] : [];
}

async function lacksOf(component: pulumi.Resource): Promise<Lacks> {
  const read = await readerOf(component).catch(() => undefined);
  return async (path) => read !== undefined && (await read(path).then(() => false, isNotFound));
}
