import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { agentTexts } from "../../provider/brokers/flux/programs";
import { type Demand, startLead, type StandInLead } from "./lead";

const harness = path.join(__dirname, "agentLooks.py");

export const bounds = {
  min: 1,
  max: 8,
  idleSeconds: 0,
  cooldownSeconds: 0,
  maxStep: 100_000,
  suspendsAtZero: false,
  intervalSeconds: 1,
  status: {},
};
const key = "the key";
const endOfProblem = / \{.*\}$/;
export const three = { parallelism: 3, completions: 3 };

/** The Job after some rounds, and the actions of the agent. */
export interface Became {
  said: string[];
  /** Problems with which lines of the log end, in JSON. */
  problems: Record<string, string>[];
  job: object;
  asked: string[];
  sizes: number[];
  /** Versions of the Job in its patches. */
  versions: string[];
  /** Whether a round has read the Job and a demand. */
  read: boolean[];
  /** The cost of a Job with a budget. */
  spent: Record<string, number> | null;
}

/** A failure of a connection to the API server. */
type FailedConnection = "away" | "slow" | "unnamed" | "noRoute" | "closed";

/** A number of rounds, or each with its time, the changes before it, and the failures of the API server. */
export type Looks = number | [now: number, change: object, failing?: (number | FailedConnection)[]][];

/** The agent beside a stand-in of the lead broker's pod. */
export interface AgentBench {
  lead: () => StandInLead;
  run: (given?: { looks?: Looks } & Record<string, unknown>) => Promise<Became>;
}

/** Hooks of a suite that runs the agent, with a fresh stand-in of the lead broker's pod for each test. */
export function withAgentBench(): AgentBench {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "agent-"));
  let lead: StandInLead;
  before(() => {
    for (const [name, text] of Object.entries(agentTexts)) fs.writeFileSync(path.join(directory, name), text);
  });
  after(() => fs.rmSync(directory, { recursive: true }));
  beforeEach(async () => void (lead = await startLead("/demand/demo", Buffer.from(key))));
  afterEach(() => lead.stop());
  /** Its log, the Job afterwards, and its requests to the API server. */
  async function run({ looks = 1, ...own }: { looks?: Looks } & Record<string, unknown> = {}): Promise<Became> {
    const given = typeof looks === "number" ? Array.from({ length: looks }, (_, now) => [now, {}] as const) : looks;
    const each = given.map(([now, change, failing = []]) => [now, change, failing]);
    const python = promisify(execFile)("python3", ["-B", harness], {
      cwd: directory,
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: directory },
    });
    python.child.stdin?.end(JSON.stringify({ ...bounds, url: lead.url, key, job: three, ...own, looks: each }));
    const lines = (await python).stdout.trim().split("\n");
    const became = JSON.parse(lines.pop() ?? "") as Became;
    const problems = lines.flatMap((line) => {
      const [problem] = endOfProblem.exec(line) ?? [];
      return problem === undefined ? [] : [JSON.parse(problem) as Record<string, string>];
    });
    return { ...became, said: lines.map((line) => line.replace(endOfProblem, "")), problems };
  }

  return { lead: () => lead, run };
}

/** Hosts with jobs, the requests of pending jobs, and the size that they need together. */
export interface Look {
  busy?: number;
  needed?: number;
  pending?: number[];
}

/** The demand of such a round. */
export const demandOf = ({ pending = [], busy = 0, needed }: Look): Demand => ({
  running: busy > 0 ? 1 : 0,
  allocated: busy,
  ...(needed !== undefined && { needed }),
  pending: pending.map((hosts, index) => ({ id: `f${index}`, hosts })),
});
