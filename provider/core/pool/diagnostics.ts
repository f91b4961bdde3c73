import type * as pulumi from "@pulumi/pulumi";
import type { Diagnostic } from "../../diagnostics/hooks";
import { type Lacks, missingApi, type OptionalApi, requireInCluster } from "../../diagnostics/optionalApis";
import { ownValue } from "../../shared/objects";

/** The API of dynamic resource allocation. */
const claimsApi: OptionalApi = {
  groupVersion: "resource.k8s.io/v1",
  remedy:
    "device claims need it (Kubernetes 1.34 or later); upgrade the Kubernetes cluster, or use a pool with device plugins",
};

const nvidiaDriver = "NVIDIA's DRA driver (chart dra-driver-nvidia-gpu)";

/** The API of NVLink domains over nodes. */
export const computeDomainApi: OptionalApi = {
  groupVersion: "resource.nvidia.com/v1beta1",
  remedy: `GPUs of GB200 and GB300 need a ComputeDomain to reach each other across nodes; install ${nvidiaDriver} first`,
};

/** Drivers, by the DeviceClass that each of them installs. */
const drivers: Record<string, string> = {
  "gpu.nvidia.com": nvidiaDriver,
  "efa.networking.k8s.aws": "the DRA driver of EFA (chart aws-dranet)",
  "mrdma.google.com": "DRANET, which GKE clusters with Dataplane V2 have from version 1.34.1-gke.1829001 on",
};

/** Hooks that reject device claims in a Kubernetes cluster without their API, and warn of missing DeviceClasses. */
export const requireDeviceClasses = (name: string, component: pulumi.Resource, classes: string[]) =>
  requireInCluster(name, component, async (lacks) => {
    const errors = await missingApi(lacks, claimsApi);
    if (errors.length > 0) return errors;
    return (await Promise.all(classes.map((deviceClass) => missingClass(lacks, deviceClass)))).flat();
  });

/** A warning rather than an error: the driver may be installed after the pods, which wait for it. */
async function missingClass(lacks: Lacks, deviceClass: string): Promise<Diagnostic[]> {
  if (!(await lacks(`/apis/${claimsApi.groupVersion}/deviceclasses/${deviceClass}`))) return [];
  const remedy = `install ${ownValue(drivers, deviceClass) ?? "the driver that defines it"}`;
  return [
    {
      severity: "warning",
      message: `the Kubernetes cluster has no DeviceClass ${deviceClass}: pods stay Pending; ${remedy}`,
    },
  ];
}
