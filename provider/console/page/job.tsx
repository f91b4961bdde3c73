import { useEffect, useRef, useState } from "preact/hooks";
import type { Expected } from "../../forecast/parse/expected";
import { Problem, useAction } from "./action";
import { startOf } from "./expected";
import { amount, time } from "./format";
import { ran, jobSize, State, waited } from "./jobs";
import { type Job, mayCancel, phaseOf, type User } from "./model";
import type { Server } from "./server";

interface JobPanelProps {
  job: Job;
  expected: Expected | undefined;
  user: User | undefined;
  server: Server | undefined;
  now: number;
  close: () => void;
}

const early = ", or earlier if jobs end before their time limits";

/** One job, with its output. */
export function JobPanel({ job, expected, user, server, now, close }: JobPanelProps) {
  const [action, run] = useAction();
  const start = startOf(expected, now);
  const why = expected?.why ?? job.waits;
  return (
    <section class="panel" aria-labelledby="job">
      <header>
        <h2 id="job">
          {job.f58} <State job={job} />
        </h2>
        {server && mayCancel(user, job) && (
          <button
            type="button"
            disabled={action.isBusy}
            onClick={() => run(() => server.post(`/v1/jobs/${job.f58}/cancel`))}
          >
            Cancel job
          </button>
        )}
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <Problem action={action} />
      {why && (
        <p>
          {why} {start && `It starts ${start}${expected?.mayBeEarlier ? early : ""}.`}
        </p>
      )}
      {job.exception?.occurred && (
        <p class="problem">
          {job.exception.type}: {job.exception.note}
        </p>
      )}
      <pre class="command">{job.command}</pre>
      {server && phaseOf(job) !== "pending" && <Output key={job.f58} job={job.f58} server={server} />}
      <dl>
        {facts(job, now)
          .filter(([, value]) => value !== undefined && value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

const facts = (job: Job, now: number): [string, string | number | undefined][] => [
  ["Name", job.name],
  ["User", job.owner],
  ["Size", jobSize(job)],
  ["Tasks", job.ntasks],
  ["Cores", job.ncores],
  ["Queue", job.queue],
  ["Urgency", job.urgency],
  ["Time limit", job.duration ? `${job.duration} s` : undefined],
  ["Hosts", job.nodelist],
  ["Submitted", time(job.t_submit)],
  ["Waited", waited(job, now)],
  ["Ran", ran(job, now)],
  ["Exit status", job.returncode],
  ["Cost", costOf(job)],
  ["Placement", job.annotations?.user?.place?.why],
];

function costOf({ annotations }: Job): string | undefined {
  const cost = annotations?.user?.cost;
  return cost === undefined ? undefined : amount(cost);
}

/** Maximum number of characters of output that are shown. */
const longest = 500_000;

interface Piece {
  stream: string;
  data: string;
}

/** The output of a job, as it is written. */
function Output({ job, server }: { job: string; server: Server }) {
  const [pieces, setPieces] = useState<Piece[]>([]);
  const [isOver, setOver] = useState(false);
  const [isCut, setCut] = useState(false);
  const shown = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const stopping = new AbortController();
    const read = async () => {
      for await (const events of server.events(`/v1/jobs/${job}/output/stream`, undefined, stopping.signal)) {
        const added = events.filter(({ kind }) => kind === "output").map(({ data }) => JSON.parse(data) as Piece);
        if (events.some(({ kind }) => kind === "skipped")) setCut(true);
        if (added.length > 0) setPieces((known) => bounded([...known, ...added]));
      }
    };
    read()
      .catch(() => undefined)
      .finally(() => !stopping.signal.aborted && setOver(true));
    return () => stopping.abort();
  }, [job, server]);
  useEffect(() => {
    const { current } = shown;
    if (current) current.scrollTop = current.scrollHeight;
  }, [pieces]);
  return (
    <>
      <h3 id="output">Output {!isOver && <small>live</small>}</h3>
      {isCut && <p>Earlier output is not shown.</p>}
      <pre class="output" ref={shown} tabIndex={0} role="log" aria-labelledby="output">
        {pieces.map(({ stream, data }, index) => (
          <span key={index} class={stream}>
            {data}
          </span>
        ))}
        {pieces.length === 0 && isOver && "The job has written nothing."}
      </pre>
    </>
  );
}

/** The last pieces, of which all are shown. */
function bounded(pieces: Piece[]): Piece[] {
  let room = longest;
  const first = pieces.findLastIndex(({ data }) => (room -= data.length) < 0);
  return pieces.slice(first + 1);
}
