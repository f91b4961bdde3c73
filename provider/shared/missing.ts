import type * as pulumi from "@pulumi/pulumi";
import { isNotFound, lookAtCluster } from "./apiServer";
import { type Remark, remarkNow } from "./changes";
import { userError } from "./errors";

/** An API that not every cluster has. */
export interface OptionalApi {
  /** Group and version, such as "karpenter.sh/v1". */
  groupVersion: string;
  /** End of the sentence on a cluster without it: what needs it, and what to change. */
  remedy: string;
}

/** The API of dynamic resource allocation. */
const claimsApi: OptionalApi = {
  groupVersion: "resource.k8s.io/v1",
  remedy:
    "device claims need it (Kubernetes 1.34 or later); upgrade the cluster, or use a pool whose devices come by plugins",
};

const nvidiaDriver = "NVIDIA's DRA driver (chart dra-driver-nvidia-gpu)";

/** The API of NVLink domains over nodes. */
export const computeDomainApi: OptionalApi = {
  groupVersion: "resource.nvidia.com/v1beta1",
  remedy: `GPUs of GB200 and GB300 reach each other over nodes by a ComputeDomain; install ${nvidiaDriver} before`,
};

/** Drivers, by the DeviceClass that comes with them. */
const drivers: Record<string, string> = {
  "gpu.nvidia.com": nvidiaDriver,
  "efa.networking.k8s.aws": "the DRA driver of EFA (chart aws-dranet)",
  "mrdma.google.com": "DRANET, which GKE has from 1.34.1-gke.1829001 on in clusters with Dataplane V2",
};

/** The answer whether a cluster has nothing at a path. */
type Lacks = (path: string) => Promise<boolean>;

/** Looks at a cluster once, for several questions. One that cannot be asked lacks nothing. */
async function lookFor(component: pulumi.Resource): Promise<Lacks> {
  const read = await lookAtCluster(component).catch(() => undefined);
  return async (path) => read !== undefined && (await read(path).then(() => false, isNotFound));
}

/**
 * Hooks that refuse to create or update an object whose API the cluster lacks. A cluster that cannot be asked is not refused. A
 * preview only warns: what brings the API may be part of the same update.
 */
export const refuseMissingApi = (name: string, component: pulumi.Resource, api: OptionalApi) =>
  remarkNow(name, component, async () => missingApi(await lookFor(component), api));

/** Hooks that refuse device claims in a cluster without their API, and warn of one without the classes of the devices. */
export const remarkOnDrivers = (name: string, component: pulumi.Resource, classes: string[]) =>
  remarkNow(name, component, async () => {
    const lacks = await lookFor(component);
    const refusals = await missingApi(lacks, claimsApi);
    if (refusals.length > 0) return refusals;
    return (await Promise.all(classes.map((deviceClass) => missingClass(lacks, deviceClass)))).flat();
  });

async function missingApi(lacks: Lacks, { groupVersion, remedy }: OptionalApi): Promise<Remark[]> {
  const isMissing = await lacks(`/apis/${groupVersion}`);
  return isMissing ? [{ severity: "error", text: `the cluster has no ${groupVersion}: ${remedy}` }] : [];
}

/** A warning, and no refusal: a driver may come after the pods, which wait for it. */
async function missingClass(lacks: Lacks, deviceClass: string): Promise<Remark[]> {
  if (!(await lacks(`/apis/${claimsApi.groupVersion}/deviceclasses/${deviceClass}`))) return [];
  const remedy = `install ${drivers[deviceClass] ?? "the driver that brings it"}`;
  return [{ severity: "warning", text: `the cluster has no DeviceClass ${deviceClass}: pods stay Pending; ${remedy}` }];
}

/** A CSI driver, and how it comes to a cluster: the end of a sentence. */
export interface Driver {
  name: string;
  remedy: string;
}

/** Hooks that refuse a volume whose CSI driver the cluster lacks: pods would wait for it for ever. A preview only warns. */
export const refuseMissingDriver = (hook: string, component: pulumi.Resource, { name, remedy }: Driver) =>
  remarkNow(hook, component, async () => {
    const lacks = await lookFor(component);
    const isMissing = await lacks(`/apis/storage.k8s.io/v1/csidrivers/${name}`);
    return isMissing ? [{ severity: "error", text: `the cluster has no CSI driver ${name}: ${remedy}` }] : [];
  });

/**
 * Loads a cloud's SDK, which happens when a pool is made there and in no other program. The SDKs are optional peer
 * dependencies: they may be missing.
 */
export function withCloudSdk<T>(packageName: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A module that the SDK itself lacks is another matter; the stack in its message names the SDK, too.
    if (code !== "MODULE_NOT_FOUND" || !message.includes(`'${packageName}/`)) throw error;
    throw userError(`the package ${packageName} is missing; run: npm install ${packageName}`);
  }
}
