import type { z } from "zod";
import { certificate } from "../minicluster/parse/flux";
import { leaf, object, plainValue, tcpPort } from "../shared/checks";
import { address } from "./fields";
import { plan } from "./plan";

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
