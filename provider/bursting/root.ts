import { z } from "zod";
import { maxHostnameLength, maxPods, podHostname } from "../minicluster/names";
import { certificate } from "../minicluster/parse/flux";
import { defaultMountPath } from "../minicluster/paths";
import { absolutePath, dnsLabel, flag, integer, leaf, list, object, plainValue, tcpPort } from "../shared/checks";
import { address, hosts, property } from "./fields";

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
const plan = z
  .looseObject({ version: z.literal(planVersion, { error: otherVersion }).optional() }, { error: notAPlan })
  .pipe(fields);

/** A parsed plan. */
export type PlanFields = z.output<typeof fields>;

const withoutBursting =
  "is of a MiniCluster that nobody may join; give that one the argument bursting, and this its output burst";

const notYetKnown =
  "must be the output burst of a MiniCluster itself, or what readBurstRoot has read; in other languages than TypeScript give " +
  "its parts: plan, address, port and certificate, of the outputs burstPlan, burstAddress, burstPort and burstCertificate";

const planNotYetKnown = "must be the output burstPlan of a MiniCluster itself, known before anything is created";

const rootProblem = (root: unknown) =>
  root === undefined || root === null ? withoutBursting : "must be an object with plan, address, port and certificate";

/** A cluster to join, from a component of this program or read from another stack. */
export const root = plainValue(
  object(
    {
      plan: plainValue(plan, planNotYetKnown),
      address: leaf(address),
      port: leaf(tcpPort),
      certificate: leaf(certificate),
      demandPort: leaf(tcpPort).optional(),
    },
    rootProblem,
  ),
  notYetKnown,
);

/** Parsed cluster to join: its plan is plain, its other parts may be known only later. */
export type RootFields = z.output<typeof root>;
