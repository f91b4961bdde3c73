import { getSubnetOutput } from "@pulumi/aws/ec2/getSubnet";
import { FileSystem } from "@pulumi/aws/efs/fileSystem";
import { MountTarget } from "@pulumi/aws/efs/mountTarget";
import { Addon } from "@pulumi/aws/eks/addon";
import { getClusterOutput } from "@pulumi/aws/eks/getCluster";
import { LustreFileSystem } from "@pulumi/aws/fsx/lustreFileSystem";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../shared/children";
import { userError } from "../../shared/errors";
import { withoutEmpty } from "../../shared/objects";
import type { Subnet } from "../../nodepools/eks/pool";
import { fileSystemOptions, registerVolume, type SharedStorageOutputs } from "../register";
import type { Mount } from "../volume";
import { EksSharedStorageKind } from "./args";
import { addons, buildEfs, buildLustre, describe, efsMount, efsProblem, lustreMount, subnetIn } from "./fileSystem";
import type { EksStorageSpec } from "./parse";

/** Registers storage: a file system unless it exists, its driver if that is asked for, its volume and its claim. */
export function registerEksStorage(spec: EksStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const { mount, fileSystemId, targets } = fileSystem(spec, options);
  const addon = spec.installDriver ? [registerAddon(spec, options)] : [];
  // Pods that come before the mount targets or the driver would be tried in vain for minutes.
  const volume = registerVolume(spec, mount, { ...options, dependsOn: [...targets, ...addon] }, spec.installDriver);
  return { ...volume, fileSystemId: pulumi.output(fileSystemId) };
}

interface Made {
  mount: Mount;
  fileSystemId: pulumi.Input<string>;
  targets: pulumi.Resource[];
}

function fileSystem(spec: EksStorageSpec, options: ChildOptions): Made {
  if (spec.kind === EksSharedStorageKind.Efs) return registerEfs(spec, options);
  const { existing } = spec;
  if (existing) {
    const { fileSystemId: id, dnsName = "", mountName = "" } = existing;
    return { mount: lustreMount(spec, { id, dnsName, mountName }), fileSystemId: id, targets: [] };
  }
  const made = new LustreFileSystem(
    spec.name,
    buildLustre(spec, { subnetId: lustreSubnet(spec, options), securityGroupIds: securityGroups(spec, options) }),
    fileSystemOptions(spec, describe(spec), options),
  );
  return { mount: lustreMount(spec, made), fileSystemId: made.id, targets: [] };
}

function registerEfs(spec: EksStorageSpec, options: ChildOptions): Made {
  const { existing } = spec;
  if (existing) return { mount: efsMount(existing.fileSystemId), fileSystemId: existing.fileSystemId, targets: [] };
  const made = new FileSystem(spec.name, buildEfs(spec), fileSystemOptions(spec, describe(spec), options));
  const subnetIds = efsSubnets(spec, options);
  const groups = securityGroups(spec, options);
  const targets = spec.subnetIds.map((_, index) => {
    const inputs = { fileSystemId: made.id, subnetId: subnetIds[index]!, securityGroups: groups };
    return new MountTarget(`${spec.name}-${index}`, inputs, { ...options, retainOnDelete: spec.retainOnDelete });
  });
  return { mount: efsMount(made.id), fileSystemId: made.id, targets };
}

/** Security groups of the file system: those given, or the one that all nodes of node groups share. */
function securityGroups({ clusterName = "", securityGroupIds }: EksStorageSpec, options: pulumi.InvokeOptions) {
  if (securityGroupIds) return pulumi.output(securityGroupIds);
  const { vpcConfig } = getClusterOutput({ name: clusterName }, options);
  return vpcConfig.apply(({ clusterSecurityGroupId }) => [clusterSecurityGroupId]);
}

const lookUp = ({ subnetIds }: EksStorageSpec, options: pulumi.InvokeOptions): pulumi.Output<Subnet[]> =>
  pulumi.all(subnetIds.map((id) => getSubnetOutput({ id }, options)));

/** The subnet in the zone of the file system. Storage without one fails before anything is changed. */
const lustreSubnet = (spec: EksStorageSpec, options: pulumi.InvokeOptions) =>
  lookUp(spec, options).apply((all) => {
    const { id, problem } = subnetIn(spec.zone, all);
    if (id === undefined) throw userError(`EksSharedStorage ${spec.name}: ${problem}`);
    return id;
  });

/** The subnets of the mount targets, looked at before anything is changed. */
function efsSubnets(spec: EksStorageSpec, options: pulumi.InvokeOptions): pulumi.Output<string>[] {
  const checked = lookUp(spec, options).apply((all) => {
    const problem = efsProblem(spec, all);
    if (problem !== undefined) throw userError(`EksSharedStorage ${spec.name}: ${problem}`);
    return all;
  });
  return spec.subnetIds.map((_, index) => checked.apply((all) => all[index]!.id));
}

const registerAddon = ({ name, kind, clusterName = "", tags }: EksStorageSpec, options: ChildOptions) =>
  new Addon(`${name}-driver`, withoutEmpty({ clusterName, addonName: addons[kind], tags }), options);
