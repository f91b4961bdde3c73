import { z } from "zod";
import { absolutePath, dnsLabel, flag, integer, list, object } from "../shared/checks";
import { maxHostnameLength, maxPods, podHostname } from "../minicluster/names";
import { defaultMountPath } from "../minicluster/paths";
import { hosts, property } from "./fields";

/** Version of the form of a plan, by which a cluster tells others how to join it. */
export const planVersion = 1;

const cluster = object({
  name: dnsLabel,
  maxSize: hosts,
  size: integer(0, maxPods).optional(),
  properties: list(property).default([]),
  cores: integer(1, 100_000).optional(),
  gpus: integer(0, 100_000).optional(),
});

const fields = object({
  version: z.literal(planVersion, { error: "is missing; take the plan as the root gives it" }),
  clusters: list(cluster)
    .refine(({ length }) => length > 1, { error: "names no cluster that may join; take the plan as the root gives it" })
    .superRefine(hostRules),
  spanClusters: flag.default(false),
  mountPath: absolutePath.default(defaultMountPath),
});

/**
 * The rules on the clusters of a plan: distinct names, because the rank of a host is the place of its name, names that
 * leave room for the number of a host, and sizes within `maxSize`.
 */
function hostRules(clusters: z.output<typeof cluster>[], context: z.core.$RefinementCtx): void {
  const addIssue = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  clusters.forEach(({ name, size = 0, maxSize }, index) => {
    const first = clusters.findIndex((other) => other.name === name);
    if (first < index)
      addIssue([index, "name"], `"${name}" is the name of clusters[${first}] too, so their hosts overlap; rename one`);
    if (size > maxSize)
      addIssue([index, "size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
    if (podHostname({ name }, maxSize - 1).length > maxHostnameLength)
      addIssue([index, "name"], `its last host name has more than ${maxHostnameLength} characters; shorten it`);
  });
}

const notAPlan = "must be an object with properties";

const otherVersion = ({ input }: { input?: unknown }) =>
  `is ${JSON.stringify(input)}, and this package reads version ${planVersion}; ` +
  "use one version of minicluster for the root and for those who join it";

/** Hosts of an instance, as another cluster gives them. A plan in another version has that one problem alone. */
export const plan = z
  .looseObject({ version: z.literal(planVersion, { error: otherVersion }).optional() }, { error: notAPlan })
  .pipe(fields);

/** A parsed plan. */
export type PlanFields = z.output<typeof fields>;
