import { z } from "zod";
import contract from "../../core/contract.json";
import type { Read } from "../../diagnostics/apiServer";
import { hasGroups, type MiniClusterSpec } from "../../core/parse/spec";
import { autoscaledJobs } from "../spec";

const { annotations, autoscale } = contract;

type Codes<Meanings> = { [Code in keyof Meanings]: Code };

/** Codes by their own names: a name that the contract does not have does not compile. */
const codesOf = <Meanings extends object>(meanings: Meanings) =>
  Object.fromEntries(Object.keys(meanings).map((code) => [code, code])) as Codes<Meanings>;

/** Reasons of an agent's state, its peers, and the problems of a connection to one of them (`core/contract.json`). */
export const reasons = codesOf(autoscale.reasons);
export const peers = codesOf(autoscale.peers);
export const problems = codesOf(autoscale.problems);

/** A text of another program as one line of printable characters. */
export const oneLine = (text: string) =>
  text
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, 500);

/** The state of an agent for a Job, which an annotation of the Job and the console have (`autoscale/programs/reporting.py`). */
export const agentState = z.object({
  /** Size that the agent has set or is about to set. */
  size: z.int().min(0),
  reason: z.enum(reasons),
  /** A sentence for people, with the numbers of the time when the reason began. */
  message: z.string().transform(oneLine),
  /** Time since which the agent has had this reason. */
  since: z.iso.datetime(),
  /** The problem of the connection to a peer. */
  problem: z.object({ peer: z.enum(peers), code: z.enum(problems) }).optional(),
});
export type AgentState = z.output<typeof agentState>;

/** The state in the text of an annotation. Undefined for the text of another client or of an agent of another version. */
export function stateIn(annotation: unknown): AgentState | undefined {
  try {
    return typeof annotation === "string" ? agentState.safeParse(JSON.parse(annotation)).data : undefined;
  } catch {
    return undefined;
  }
}

interface Job {
  metadata: { annotations?: Record<string, unknown> };
}

/** The state of the agent for a Job, unless the agent has not written it yet. */
export async function readState(read: Read, { namespace, name }: MiniClusterSpec): Promise<AgentState | undefined> {
  const job = (await read(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`)) as Job;
  return stateIn(job.metadata.annotations?.[annotations.autoscaleState]);
}

/** The states of the agent for all its Jobs. Its messages name the Job if there are several. */
export async function readStates(read: Read, spec: MiniClusterSpec): Promise<AgentState[]> {
  const states = await Promise.all(
    autoscaledJobs(spec).map(async (job) => ({ job, state: await readState(read, job) })),
  );
  const label = ({ name }: MiniClusterSpec) => (hasGroups(spec) ? `${name}: ` : "");
  return states.flatMap(({ job, state }) => (state ? [{ ...state, message: `${label(job)}${state.message}` }] : []));
}
