import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { count } from "./format";
import { ranksOf } from "../../forecast/parse/ranks";
import { type Host, hostStates, type HostState, type Job, phaseOf, type User } from "./model";
import { Problem, useAction } from "./action";
import type { Server } from "./server";

const states = Object.keys(hostStates) as HostState[];

/** Number of hosts up to which the cells of a cluster show numbers. */
const few = 128;

/** The hosts as a picture: a cell for each host, by cluster. */
export function Hosts({ hosts, selected, select }: HostsProps) {
  const clusters = new Map<string, Host[]>();
  for (const host of hosts) {
    const members = clusters.get(host.cluster);
    if (members) members.push(host);
    else clusters.set(host.cluster, [host]);
  }
  return (
    <section aria-labelledby="hosts">
      <h2 id="hosts">Hosts</h2>
      <ul class="legend">
        {states
          .map((state) => ({ state, number: hosts.filter((host) => host.state === state).length }))
          .filter(({ number }) => number > 0)
          .map(({ state, number }) => (
            <li key={state} title={`The host ${hostStates[state]}.`}>
              <i class={`cell ${state}`} /> {number.toLocaleString()} {state}
            </li>
          ))}
      </ul>
      {[...clusters].map(([name, members]) => (
        <Cluster key={name} name={name} hosts={members} selected={selected} select={select} />
      ))}
    </section>
  );
}

interface HostsProps {
  hosts: Host[];
  selected: string | undefined;
  select: (host: string) => void;
}

interface ClusterProps extends HostsProps {
  name: string;
}

function Cluster({ name, hosts, selected, select }: ClusterProps) {
  const present = hosts.filter(({ state }) => state !== "down" && state !== "expected").length;
  const chosen = hosts.find(({ host }) => host === selected);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const ends: Record<string, number> = { Home: 0, End: hosts.length - 1 };
    const at = chosen ? hosts.indexOf(chosen) + (steps[event.key] ?? 0) : 0;
    const next = hosts[ends[event.key] ?? at];
    if (!next || !(event.key in steps || event.key in ends)) return;
    event.preventDefault();
    select(next.host);
  };
  const label = `Hosts of ${name || "the instance"}`;
  return (
    <div class="cluster">
      <h3>
        {name} <small>{`${present.toLocaleString()} of ${count(hosts.length, "host")}`}</small>
      </h3>
      <div
        class={hosts.length > few ? "cells many" : "cells"}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={chosen && `host-${chosen.rank}`}
        onKeyDown={move}
        onClick={(event) => {
          const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-host]");
          if (cell?.dataset["host"] !== undefined) select(cell.dataset["host"]);
        }}
      >
        {hosts.map((host) => (
          <Cell key={host.rank} host={host} isSelected={host === chosen} isNumbered={hosts.length <= few} />
        ))}
      </div>
    </div>
  );
}

const Cell = memo(function Cell({ host, isSelected, isNumbered }: CellProps) {
  const label = `${host.host}: ${host.state}`;
  return (
    <span
      id={`host-${host.rank}`}
      class={`cell ${host.state}`}
      role="option"
      aria-selected={isSelected}
      aria-label={label}
      title={label}
      data-host={host.host}
    >
      {isNumbered && /\d+$/.exec(host.host)?.[0]}
    </span>
  );
});

interface CellProps {
  host: Host;
  isSelected: boolean;
  isNumbered: boolean;
}

interface HostPanelProps {
  host: Host;
  jobs: Job[];
  user: User | undefined;
  server: Server | undefined;
  close: () => void;
}

/** The panel of a host: its state and its jobs. */
export function HostPanel({ host, jobs, user, server, close }: HostPanelProps) {
  const own = jobs.filter((job) => phaseOf(job) === "running" && ranksOf(job.ranks ?? "").includes(host.rank));
  return (
    <section class="panel" aria-labelledby="host">
      <header>
        <h2 id="host">{host.host}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <p>
        <i class={`cell ${host.state}`} /> {host.state}: it {hostStates[host.state]}.
        {host.drained !== null && ` Drained: ${host.drained || "no reason is given"}.`}
      </p>
      {own.length > 0 && (
        <ul>
          {own.map((job) => (
            <li key={job.f58}>
              <a href={`#job=${job.f58}`}>{job.f58}</a> {job.name}
            </li>
          ))}
        </ul>
      )}
      {user?.role === "admin" && server && <Drain host={host} server={server} />}
    </section>
  );
}

function Drain({ host, server }: { host: Host; server: Server }) {
  const [reason, setReason] = useState("");
  const [action, run] = useAction();
  const isDrained = host.drained !== null;
  const path = `/v1/hosts/${encodeURIComponent(host.host)}/${isDrained ? "undrain" : "drain"}`;
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        run(() => server.post(path, isDrained ? {} : { reason }));
      }}
    >
      {!isDrained && (
        <label>
          Reason
          <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" disabled={action.isBusy}>
        {isDrained ? "Undrain" : "Drain"}
      </button>
      <Problem action={action} />
    </form>
  );
}
