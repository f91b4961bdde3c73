import { z } from "zod";
import { integer, isDeferred, leaf, object, text } from "../shared/checks";
import { isPlainObject } from "../shared/objects";
import { knownValue } from "../shared/plain";
import { certificateProblem } from "../minicluster/flux/curve";
import { address } from "../minicluster/parse/burst/bursting";
import { plan } from "../minicluster/parse/burst/plan";
import type { BurstRootArgs } from "./args";

/** The text of a certificate. What is wrong with one is told without a character of it. */
export const certificate = text.superRefine((value, context) => {
  const problem = certificateProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** The TCP port of the lead broker. */
export const port = integer(1, 65_535);

const fields = object({ plan, address: leaf(address), port: leaf(port), certificate: leaf(certificate) });

/** A cluster to join, as far as it has to be plain. */
export type RootSpec = z.output<typeof fields>;

const withoutBursting =
  "is of a MiniCluster that nobody may join; give that one the argument bursting, and this its output burst";

const notYetKnown =
  "must be the output burst of a MiniCluster itself, or what readBurstRoot has read; in other languages than TypeScript give " +
  "its parts: plan, address, port and certificate, of the outputs burstPlan, burstAddress, burstPort and burstCertificate";

const planNotYetKnown = "must be the output burstPlan of a MiniCluster itself, known before anything is created";

/** A cluster to join, whether it is told by a component of this program or read from another stack. */
export const root = z.custom<BurstRootArgs>().transform((given, context): RootSpec => {
  const plain = knownValue(given);
  const addIssue = (message: string, path: PropertyKey[] = []) => context.addIssue({ code: "custom", path, message });
  if (plain === undefined || plain === null) addIssue(withoutBursting);
  else if (isDeferred(plain)) addIssue(notYetKnown);
  else if (!isPlainObject(plain)) addIssue("must be an object with plan, address, port and certificate");
  else {
    const parts: Partial<BurstRootArgs> = plain;
    const told = parts.plan === undefined ? undefined : knownValue(parts.plan);
    if (isDeferred(told)) addIssue(planNotYetKnown, ["plan"]);
    const parsed = fields.safeParse({ ...plain, ...(parts.plan !== undefined && { plan: told }) }, { jitless: true });
    if (parsed.success) return parsed.data;
    const isOfPlan = ({ path }: z.core.$ZodIssue) => path[0] === "plan";
    context.issues.push(
      ...(parsed.error.issues.filter((issue) => !isDeferred(told) || !isOfPlan(issue)) as z.core.$ZodRawIssue[]),
    );
  }
  return z.NEVER;
});
