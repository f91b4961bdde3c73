import { useMemo, useState } from "preact/hooks";
import type { Expected } from "../../forecast/parse/expected";
import { type ExpectedStarts, startOf } from "./expected";
import { clock, count, duration } from "./format";
import { contains, type Job, newest, type Phase, phaseOf, phases } from "./model";

/** Number of rows at first, and of the rows that each click adds. */
const step = 100;

interface JobsProps {
  jobs: Map<string, Job>;
  expected: ExpectedStarts;
  selected: string | undefined;
  /** The time in seconds. */
  now: number;
}

/** The jobs as a table, the newest first. */
export function Jobs({ jobs, expected, selected, now }: JobsProps) {
  const [phase, setPhase] = useState<Phase>();
  const [text, setText] = useState("");
  const [rows, setRows] = useState(step);
  const all = useMemo(() => newest(jobs), [jobs]);
  const counts = useMemo(() => all.map(phaseOf), [all]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = useMemo(
    () => all.filter((job, index) => (!phase || counts[index] === phase) && contains(job, words)),
    [all, phase, text],
  );
  const choose = (next: Phase | undefined) => {
    setPhase(next);
    setRows(step);
  };
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      <div class="row filters">
        {[undefined, ...phases].map((each) => (
          <button key={each} type="button" aria-pressed={phase === each} onClick={() => choose(each)}>
            {each ?? "all"} {(each ? counts.filter((one) => one === each).length : all.length).toLocaleString()}
          </button>
        ))}
        <input
          type="search"
          aria-label="Search jobs"
          placeholder="Search: name, user, host, state …"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? (
        <p class="empty">{all.length === 0 ? "No job has been submitted yet." : "No job matches."}</p>
      ) : (
        <Table jobs={found.slice(0, rows)} expected={expected} selected={selected} now={now} />
      )}
      {found.length > rows && (
        <button type="button" onClick={() => setRows(rows + step)}>
          Show more: {count(found.length - rows, "job")} left
        </button>
      )}
    </section>
  );
}

function Table({ jobs, expected, selected, now }: Omit<JobsProps, "jobs"> & { jobs: Job[] }) {
  return (
    <table aria-labelledby="jobs">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Name</th>
          <th scope="col">User</th>
          <th scope="col">Size</th>
          <th scope="col">State</th>
          <th scope="col">Submitted</th>
          <th scope="col">Waited</th>
          <th scope="col">Ran</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <Row key={job.f58} job={job} expected={expected.get(job.f58)} isSelected={job.f58 === selected} now={now} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  job: Job;
  expected: Expected | undefined;
  isSelected: boolean;
  now: number;
}

function Row({ job, expected, isSelected, now }: RowProps) {
  const start = startOf(expected, now);
  const why = expected?.why ?? job.waits;
  return (
    <tr aria-current={isSelected ? "true" : undefined}>
      <td>
        <a href={`#job=${job.f58}`}>{job.f58}</a>
      </td>
      <td class="name">{job.name}</td>
      <td data-label="user">{job.owner}</td>
      <td data-label="size">{jobSize(job)}</td>
      <td>
        <State job={job} />
        {start && <small> starts {start}.</small>}
        {why && <small> {why}</small>}
      </td>
      <td data-label="at">{clock(job.t_submit)}</td>
      <td data-label="waited">{waited(job, now)}</td>
      <td data-label="ran">{ran(job, now)}</td>
    </tr>
  );
}

/** The state of a job, or its result. */
export function State({ job }: { job: Job }) {
  const phase = phaseOf(job);
  const text = phase === "ended" ? (job.result ?? "ended").toLowerCase() : phase;
  return <b class={`state ${text}`}>{text}</b>;
}

/** The hosts, cores or tasks that a job has or requests. */
export function jobSize({ nnodes, ntasks, ncores }: Job): string {
  if (nnodes !== undefined) return count(nnodes, "host");
  if (ncores !== undefined) return count(ncores, "core");
  return ntasks === undefined ? "" : count(ntasks, "task");
}

export const waited = (job: Job, now: number) =>
  duration((job.t_run ?? job.t_inactive ?? job.t_cleanup ?? now) - job.t_submit);

export const ran = (job: Job, now: number) =>
  job.t_run === undefined ? "" : duration((job.t_cleanup ?? job.t_inactive ?? now) - job.t_run);
