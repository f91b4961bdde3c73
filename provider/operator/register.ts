import { PersistentVolume } from "@pulumi/kubernetes/core/v1/persistentVolume";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../minicluster/component";
import type { ChildOptions } from "../shared/children";
import type { MiniClusterFromManifest } from "./cluster";
import type { MiniClusterManifestVolume } from "./convert/volumes";

/** A cluster of a manifest, and the key under which the outputs have it. */
export interface RegisteredCluster {
  key: string;
  cluster: MiniCluster;
}

/** Registers the clusters of a manifest, each after the storage that it mounts. */
export function registerClusters(
  name: string,
  clusters: MiniClusterFromManifest[],
  options: ChildOptions,
): RegisteredCluster[] {
  return clusters.map((read) => {
    const own = `${name}-${read.namespace}/${read.name}`;
    const claims = read.volumes.map((volume) => registerVolume(`${own}-${volume.name}`, volume, options));
    const cluster = new MiniCluster(
      own,
      { ...read.args, namespace: read.namespace },
      { ...options, dependsOn: claims },
    );
    return { key: keyOf(read, clusters), cluster };
  });
}

/** The name of a cluster, with its namespace if the manifest has the name twice. */
function keyOf({ name, namespace }: MiniClusterFromManifest, all: MiniClusterFromManifest[]): string {
  return all.filter((other) => other.name === name).length === 1 ? name : `${namespace}/${name}`;
}

function registerVolume(
  name: string,
  { persistentVolume, claim, retain }: MiniClusterManifestVolume,
  common: ChildOptions,
): pulumi.Resource {
  // The names are fixed, so an object is deleted before its replacement is created.
  const options = {
    ...common,
    deleteBeforeReplace: true,
    // Without `retain`, the option `retainOnDelete` of the component applies.
    ...(retain && { retainOnDelete: true }),
  };
  const volume = new PersistentVolume(name, persistentVolume, options);
  return new PersistentVolumeClaim(name, claim, { ...options, dependsOn: [volume] });
}
