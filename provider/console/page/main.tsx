import "./language";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Problem, useAction } from "./action";
import { CostTable } from "./cost";
import { Curves } from "./curves";
import { useExpected } from "./expected";
import { clock, count, time } from "./format";
import { HostPanel, Hosts } from "./hosts";
import { JobPanel } from "./job";
import { Jobs } from "./jobs";
import { useLive } from "./live";
import { type Board, boardOf, type Decision, type Snapshot } from "./model";
import { Server } from "./server";
import { Submit } from "./submit";

/** The board in a saved page, which has no server. */
const kept = JSON.parse(document.getElementById("kept")?.textContent ?? "null") as Snapshot | null;

/** Name of the token in the session storage, which is deleted when the tab is closed. */
const tokenKey = "minicluster-token";

function App() {
  const [token, setToken] = useState(sessionStorage.getItem(tokenKey) ?? "");
  const server = useMemo(() => (token === "" ? undefined : new Server(token)), [token]);
  const { board, isLive, refusal } = useLive(server);
  const logIn = (given: string) => {
    sessionStorage.setItem(tokenKey, given);
    setToken(given);
  };
  const logOut = () => {
    sessionStorage.removeItem(tokenKey);
    location.hash = "";
    setToken("");
  };
  if (!server || refusal !== undefined) return <LogIn refusal={refusal} logIn={logIn} />;
  if (!board) return <main aria-busy="true">Reading the instance …</main>;
  return (
    <View board={board} server={server}>
      <span class={isLive ? "live" : "lost"} role="status">
        {isLive ? "live" : "The connection is lost; trying again."}
      </span>
      <span>
        {board.user?.name} <small>{board.user?.role}</small>
      </span>
      {board.user?.role !== "viewer" && <Submit server={server} />}
      {board.user?.role === "admin" && <Stop server={server} name={board.name} />}
      <button type="button" onClick={logOut}>
        Log out
      </button>
    </View>
  );
}

function LogIn({ refusal, logIn }: { refusal: string | undefined; logIn: (token: string) => void }) {
  const [token, setToken] = useState("");
  return (
    <main class="login">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          logIn(token.trim());
        }}
      >
        <h1>Flux instance</h1>
        <label>
          Token
          <input
            type="password"
            required
            autofocus
            autocomplete="current-password"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {refusal !== undefined && (
          <div role="alert" class="problem">
            {refusal}
          </div>
        )}
        <button type="submit" class="main">
          Log in
        </button>
      </form>
    </main>
  );
}

function Stop({ server, name }: { server: Server; name: string }) {
  const [action, run] = useAction();
  const stop = () => {
    if (confirm(`Shut down ${name}? Its running jobs end.`)) run(() => server.post("/v1/service/stop"));
  };
  return (
    <>
      <button type="button" disabled={action.isBusy} onClick={stop}>
        Shut down
      </button>
      <Problem action={action} />
    </>
  );
}

interface ViewProps {
  board: Board;
  server?: Server;
  children: preact.ComponentChildren;
}

/** The instance, with the job or host that the address of the page names, so that a reload shows it again. */
function View({ board, server, children }: ViewProps) {
  const [chosen, choose] = useChosen();
  const now = useNow(board, server !== undefined);
  const expected = useExpected(server, board);
  const job = board.jobs.get(chosen.get("job") ?? "");
  const host = board.hosts.find((one) => one.host === chosen.get("host"));
  const jobs = useMemo(() => [...board.jobs.values()], [board.jobs]);
  const common = { user: board.user, server, close: () => choose("") };
  return (
    <>
      <header class="top">
        <h1>{board.name}</h1>
        {children}
      </header>
      <main>
        {job && <JobPanel key={job.f58} job={job} expected={expected.get(job.f58)} now={now} {...common} />}
        {host && <HostPanel key={host.host} host={host} jobs={jobs} {...common} />}
        <div class="board">
          {board.oldSince != null && <p class="problem">The hosts were last read at {time(board.oldSince)}.</p>}
          {Object.entries(board.queues).map(([queue, reason]) => (
            <p key={queue} class="problem">
              {queue && `${queue}: `}
              {reason}
            </p>
          ))}
          <Hosts hosts={board.hosts} selected={host?.host} select={(name) => choose(`host=${name}`)} />
          <div class="charts">
            <Curves samples={board.samples} />
            {board.cost.jobs && <CostTable {...board.cost} />}
            {board.decisions.length > 0 && <Decisions decisions={board.decisions} />}
          </div>
          <Jobs jobs={board.jobs} expected={expected} selected={job?.f58} now={now} />
        </div>
      </main>
    </>
  );
}

function Decisions({ decisions }: { decisions: Decision[] }) {
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">Decisions</h2>
      <ol class="decisions" reversed>
        {decisions
          .slice(-50)
          .reverse()
          .map(({ at, cluster, text, state }) => (
            <li key={`${at} ${cluster}`}>
              <time dateTime={new Date(at * 1000).toISOString()}>{clock(at)}</time> {cluster}: {text}
              {state && ` (${state.reason})`}
            </li>
          ))}
      </ol>
    </section>
  );
}

function useChosen(): [URLSearchParams, (hash: string) => void] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  const chosen = useMemo(() => new URLSearchParams(hash.slice(1)), [hash]);
  // The Back button leaves the page instead of going through all selections.
  const choose = (next: string) => {
    history.replaceState(null, "", `#${next}`);
    setHash(`#${next}`);
  };
  return [chosen, choose];
}

/** The time of the server in seconds, each second. A saved page has the time at which it was written. */
function useNow(board: Board, isLive: boolean): number {
  const [ahead] = useState(() => (isLive ? Date.now() / 1000 - board.at : 0));
  const [now, setNow] = useState(board.at);
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setNow(Date.now() / 1000 - ahead), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Kept({ snapshot }: { snapshot: Snapshot }) {
  const board = useMemo(() => boardOf(snapshot), [snapshot]);
  return (
    <View board={board}>
      <span>
        as of {time(snapshot.at)}
        {snapshot.left ? `; without ${count(snapshot.left, "older job")}` : ""}
      </span>
    </View>
  );
}

const place = document.getElementById("app");
document.title = kept ? `${kept.name}: Flux instance` : document.title;
if (place) render(kept ? <Kept snapshot={kept} /> : <App />, place);
