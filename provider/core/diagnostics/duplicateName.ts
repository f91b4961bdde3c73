import type * as pulumi from "@pulumi/pulumi";
import { beforeCreate } from "../../diagnostics/hooks";
import { oncePerRun } from "../../diagnostics/oncePerRun";
import { getOrMake } from "../../shared/objects";
import { providerOf } from "../../diagnostics/apiServer";
import type { MiniClusterSpec } from "../parse/spec";

/** A cluster of the program. */
interface Claimant {
  component: pulumi.ComponentResource;
  name: string;
}

/** The clusters of the program that have an object, by provider, namespace, kind and name. */
const claims = oncePerRun(() => new Map<string, Claimant[]>());

/**
 * Hook that rejects a cluster with an object that another cluster of the program also has, by its name or by a derived name.
 * Without it the update would fail when the API server finds that the object exists.
 */
export function rejectDuplicateName(
  resourceName: string,
  { namespace, name }: MiniClusterSpec,
  component: pulumi.ComponentResource,
  objects: string[],
): pulumi.ResourceHookBinding {
  const claimed = claim({ component, name }, namespace, objects);
  return beforeCreate(`minicluster:${resourceName}:name`, component, async () => {
    const duplicates = (await claimed).flatMap(({ object, claimants }) => {
      const other = claimants.find((claimant) => claimant.component !== component);
      return other ? [{ object, other }] : [];
    });
    const [first] = duplicates;
    if (!first) return [];
    const { object, other } = duplicates.find((duplicate) => duplicate.other.name === name) ?? first;
    const conflict =
      other.name === name
        ? `another cluster of this program has the name "${name}" in the namespace "${namespace}"`
        : `conflicts with the ${object} of the cluster "${other.name}" of this program in the namespace "${namespace}"`;
    return [{ severity: "error", message: `${conflict}; give one of them another name` }];
  });
}

/** Records the objects of a cluster. Returns the clusters that have each of them, complete by the time they are read. */
async function claim(claimant: Claimant, namespace: string, objects: string[]) {
  const all = claims();
  const place = `${await providerOf(claimant.component)} ${namespace}`;
  return objects.map((object) => {
    const claimants = getOrMake(all, `${place}/${object}`, () => [] as Claimant[]);
    claimants.push(claimant);
    return { object, claimants };
  });
}
