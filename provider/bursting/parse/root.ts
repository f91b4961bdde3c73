import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { BurstPlan } from "../args";
import { address, hosts, property } from "../../core/parse/hosts";
import { certificate } from "../../core/parse/flux";
import { maxHostnameLength, maxPods, podHostname } from "../../core/parse/names";
import { defaultMountPath } from "../../core/parse/paths";
import {
  absolutePath,
  dnsLabel,
  flag,
  integer,
  leaf,
  list,
  object,
  plainValue,
  serviceName,
  tcpPort,
} from "../../shared/checks";
import { inputProblems, userError } from "../../shared/errors";

/** Version of the format of a plan, by which other clusters join. */
export const planVersion = 1;

const cluster = object({
  name: dnsLabel,
  group: serviceName.optional(),
  maxSize: hosts,
  size: integer(0, maxPods).optional(),
  properties: list(property).default([]),
  cores: integer(1, 100_000).optional(),
  gpus: integer(0, 100_000).optional(),
});

const fields = object({
  version: z.literal(planVersion, { error: "is missing; pass the plan of the root unchanged" }),
  clusters: list(cluster)
    .refine(({ length }) => length > 1, {
      error: "has no cluster that can join; pass the plan of the root unchanged",
    })
    .superRefine(hostRules),
  spanClusters: flag.default(false),
  mountPath: absolutePath.default(defaultMountPath),
});

/**
 * The rules on the clusters of a plan: unique names, because the rank of a host is the position of its name, names with room for
 * the number of a host, and sizes within `maxSize`.
 */
function hostRules(clusters: z.output<typeof cluster>[], context: z.core.$RefinementCtx): void {
  const addIssue = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  clusters.forEach(({ name, size = 0, maxSize }, index) => {
    const first = clusters.findIndex((other) => other.name === name);
    if (first < index)
      addIssue([index, "name"], `"${name}" is also the name of clusters[${first}], so their hosts overlap; rename one`);
    if (size > maxSize)
      addIssue([index, "size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
    if (podHostname({ name }, maxSize - 1).length > maxHostnameLength)
      addIssue([index, "name"], `its last host name has more than ${maxHostnameLength} characters; shorten it`);
  });
}

const notAPlan = "must be an object with properties";

const otherVersion = ({ input }: { input?: unknown }) =>
  `is ${JSON.stringify(input)}, and this package reads version ${planVersion}; ` +
  "use the same version of minicluster for the root and the clusters that join it";

/** Hosts of an instance, from another cluster. A plan of another version is reported as a single problem. */
const plan = z
  .looseObject({ version: z.literal(planVersion, { error: otherVersion }).optional() }, { error: notAPlan })
  .pipe(fields);

/** A parsed plan. */
export type PlanFields = z.output<typeof fields>;

const withoutBursting = "the MiniCluster has no bursting; set bursting there, and pass its output burst here";

const notYetKnown =
  "must be the output burst of a MiniCluster itself, in this program or in another stack (in TypeScript the result of " +
  "readBurstRoot), so that its plan is known before anything is created";

const planNotYetKnown =
  "must be known before anything is created; set root to the output burst of a MiniCluster itself";

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

/** A cluster to join, read from another stack, with the certificate as a secret. */
export interface BurstRootRead {
  /** The hosts of the instance. */
  plan: BurstPlan;
  /** IP address or host name of the lead broker. */
  address: string;
  /** TCP port of the lead broker. */
  port: number;
  /** The curve certificate of the instance, a secret. */
  certificate: pulumi.Output<string>;
  /** TCP port at which the lead broker's pod serves the demand of the queue. Undefined if the demand is not exposed. */
  demandPort?: number;
}

/**
 * Reads the output `burst` of a MiniCluster from the stack that has exported it, for the argument `root` of a BurstCluster. Fails
 * if the stack has no such output, if the output is not `burst` of a MiniCluster with `bursting`, or if another version of this
 * package has written it. @param stack The other stack. @param output Name under which the stack exports it. Default: "burst".
 */
export async function readBurstRoot(stack: pulumi.StackReference, output = "burst"): Promise<BurstRootRead> {
  const details: { value?: unknown; secretValue?: unknown } = await stack.getOutputDetails(output);
  const value = details.secretValue ?? details.value;
  const name = await plainName(stack);
  if (value === undefined || value === null)
    throw userError(
      `the stack ${name} has no output "${output}" of a MiniCluster with bursting; ` +
        `export the output burst of the MiniCluster in that stack, and run pulumi up there`,
    );
  const parsed = root.safeParse(value, { jitless: true });
  if (parsed.error) {
    const lines = inputProblems(parsed.error).map(
      ({ propertyPath, reason }) => `  ${propertyPath || output}: ${reason}`,
    );
    throw userError(
      [`the output "${output}" of the stack ${name} is not the output burst of a MiniCluster:`, ...lines].join("\n"),
    );
  }
  const { plan, address, port, certificate, demandPort } = parsed.data;
  return {
    plan,
    address: address as string,
    port: port as number,
    certificate: pulumi.secret(certificate),
    ...(demandPort !== undefined && { demandPort: demandPort as number }),
  };
}

/** The name of a stack, which its reference keeps as an output. */
const plainName = (stack: pulumi.StackReference) =>
  new Promise<string>((resolve) => stack.name.apply((name) => resolve(name)));
