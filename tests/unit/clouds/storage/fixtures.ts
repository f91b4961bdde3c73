import type { AksSharedStorageArgs, EksSharedStorageArgs, GkeSharedStorageArgs } from "../../../../provider";
import { parseAksSharedStorageArgs } from "../../../../provider/clouds/aks/storage/parse";
import { parseEksSharedStorageArgs } from "../../../../provider/clouds/eks/storage/parse";
import { parseGkeSharedStorageArgs } from "../../../../provider/clouds/gke/storage/parse";
import { aPool } from "../../../support/fixtures";
import { problemsOfParse } from "../../../support/problems";

/** Arguments of a new file system of FSx for Lustre. */
export const anFsx: EksSharedStorageArgs = {
  kind: "fsxLustre",
  clusterName: "flux",
  subnetIds: ["subnet-a", "subnet-b"],
  zone: "us-east-1a",
  capacityGib: 2400,
};

/** Arguments of a new file system of EFS. */
export const anEfs: EksSharedStorageArgs = { kind: "efs", clusterName: "flux", subnetIds: ["subnet-a", "subnet-b"] };

/** Arguments of a bucket of S3. */
export const anS3: EksSharedStorageArgs = { kind: "s3", bucket: "genomes" };

/** Arguments of a bucket of Cloud Storage. */
export const aGcs: GkeSharedStorageArgs = { kind: "gcsFuse", bucket: "genomes" };

/** Arguments of a new container of Azure Blob. */
export const aBlob: AksSharedStorageArgs = { kind: "blob", resourceGroupName: "physics", subnetId: "/subnets/nodes" };

const network = "projects/physics/global/networks/default";

/** Arguments of a new instance of Managed Lustre. */
export const aGkeLustre: GkeSharedStorageArgs = { kind: "lustre", network, zone: "us-central1-a", capacityGib: 9000 };

/** Arguments of a new instance of Filestore. */
export const aFilestore: GkeSharedStorageArgs = {
  kind: "filestore",
  network,
  zone: "us-central1-a",
  capacityGib: 1024,
};

/** Arguments of a new file system of Azure Managed Lustre. */
export const anAksLustre: AksSharedStorageArgs = {
  kind: "lustre",
  resourceGroupName: "physics",
  subnetId: "/subnets/storage",
  capacityGib: 4096,
};

/** Arguments of a new share of Azure Files. */
export const aShare: AksSharedStorageArgs = {
  kind: "files",
  resourceGroupName: "physics",
  subnetId: "/subnets/nodes",
  capacityGib: 100,
};

/** A pool that keeps to some zones. */
export const poolIn = (...zones: string[]) => aPool({ zones });

export const eksStorageProblems = (args: unknown, name = "data") =>
  problemsOfParse(() => parseEksSharedStorageArgs(name, args as EksSharedStorageArgs));
export const gkeStorageProblems = (args: unknown, name = "data") =>
  problemsOfParse(() => parseGkeSharedStorageArgs(name, args as GkeSharedStorageArgs));
export const aksStorageProblems = (args: unknown, name = "data") =>
  problemsOfParse(() => parseAksSharedStorageArgs(name, args as AksSharedStorageArgs));
