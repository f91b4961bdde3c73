import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { connect } from "node:net";
import { sourceText } from "../../../../provider/shared/sources";
import { waitFor } from "../../../sandbox/waiting";
import {
  accountsOf,
  type ConsoleServer,
  readEvents,
  runRestfulClient,
  seenByRestfulClient,
  secretKey,
  tokenOf,
  withConsole,
} from "../../../support/consoleServer";
import { printedBy } from "../../../support/pythonPrograms";
import { installedByPip } from "../../../support/pip";

/** Submits a job, and returns its number. */
async function submit({ ask }: ConsoleServer, user: string, job: Record<string, unknown>): Promise<number> {
  const { status, json } = await ask(user, "POST /v1/jobs/submit", job);
  assert.equal(status, 200, JSON.stringify(json));
  return json["id"] as number;
}

const jobOf = async ({ ask }: ConsoleServer, id: number) => (await ask("guest", `GET /v1/jobs/${id}`)).json;

const reaches = (server: ConsoleServer, id: number, state: string) =>
  waitFor(`the state ${state}`, async () => (await jobOf(server, id))["state"] === state, 30_000);

describe("the REST API of an instance", function () {
  this.timeout(180_000);

  it("serves the client of flux-restful-api as it was published", () =>
    withConsole(async ({ url }) => {
      const nodes = ["home-0", "home-1", "home-2", "far-0"];
      assert.deepEqual(await runRestfulClient(url, "ann"), seenByRestfulClient(nodes));
    }));

  it("lets each user do what the role allows, and logs each change with its user", () =>
    withConsole(async (server) => {
      const { ask, log } = server;
      const job = await submit(server, "ann", { command: ["sleep", "60"], name: "long", num_nodes: 2 });
      await reaches(server, job, "RUN");
      const { name, owner, nnodes, ntasks } = await jobOf(server, job);
      assert.deepEqual([name, owner, nnodes, ntasks], ["long", "ann", 2, 2]);
      const cancel = `POST /v1/jobs/${job}/cancel`;
      const refused: [user: string, request: string, status: number, message: string][] = [
        ["guest", "POST /v1/jobs/submit", 403, "This requires the role user; yours is viewer."],
        ["guest", cancel, 403, "This requires the role user; yours is viewer."],
        ["bob", cancel, 403, "This job belongs to another user."],
        ["ann", "POST /v1/hosts/home-1/drain", 403, "This requires the role admin; yours is user."],
        ["ann", "POST /v1/service/stop", 403, "This requires the role admin; yours is user."],
        ["ann", "GET /v1/nothing", 404, "There is no such resource."],
        ["ann", "GET /v1/jobs/../../etc/passwd", 404, "There is no such resource."],
        ["ann", "GET /v1/jobs/..%2f..%2fetc%2fpasswd", 404, "'../../etc/passwd' is not the id of a job."],
        ["ann", "DELETE /v1/jobs", 405, "DELETE is not supported here."],
        ["root", "POST /v1/hosts/home-9/drain", 404, "There is no host home-9."],
      ];
      for (const [user, request, status, message] of refused) {
        const answer = await ask(user, request);
        assert.deepEqual([answer.status, answer.json["Message"]], [status, message], `${user} ${request}`);
      }
      assert.deepEqual((await ask("guest", "GET /v1/user")).json, { name: "guest", role: "viewer" });
      assert.equal((await ask("root", cancel)).status, 200);
      await reaches(server, job, "INACTIVE");
      assert.equal((await ask("ann", cancel)).json["Message"], "Job cannot be cancelled: job is inactive.");
      assert.equal((await ask("root", "POST /v1/hosts/home-1/drain?reason=broken")).status, 200);
      const said = ["ann submits job", "root cancels job", "root drains host home-1"].map((line) => `console: ${line}`);
      await waitFor("the lines of the log", () => said.every((line) => log().includes(line)));
      const isDrained = async () => {
        const { hosts } = (await ask("guest", "GET /v1/hosts")).json as {
          hosts: { state: string; drained: unknown }[];
        };
        return hosts[1]?.state === "drained" && hosts[1].drained === "broken";
      };
      await waitFor("the drained host", isDrained, 30_000);
      assert.equal((await ask("root", "POST /v1/hosts/home-1/undrain")).status, 200);
      await waitFor("the host that takes jobs again", async () => !(await isDrained()), 30_000);
    }));

  it("rejects requests without a valid token, in every form of one", () =>
    withConsole(async ({ ask, url }) => {
      const login = (claims: object, key: string, alg = "HS256") => {
        const program = `import hmac, json, sys
from console.programs import accounts
claims, key, alg = json.loads(sys.argv[1]), sys.argv[2].encode(), sys.argv[3]
text = ".".join(accounts.encode(json.dumps(part).encode()) for part in ({"alg": alg, "typ": "JWT"}, claims))
print(text + "." + ("" if alg == "none" else accounts.encode(hmac.digest(key, text.encode(), "sha256"))))`;
        return printedBy(program, [JSON.stringify(claims), key, alg]);
      };
      const ann = { user: "ann", pass: tokenOf("ann"), scope: "token" };
      const access = (token: string) =>
        fetch(`${url}/v1/token`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
      const get = (authorization: string) => fetch(`${url}/v1/jobs`, { headers: { authorization } });
      const wrong = [
        login(ann, "another-key"),
        login(ann, secretKey, "none"),
        login(ann, secretKey, "HS512"),
        login({ ...ann, pass: tokenOf("bob") }, secretKey),
        login({ ...ann, scope: "all" }, secretKey),
        "",
        "a",
        "a.b.c",
        "....",
        "e30.e30.",
        `${login(ann, secretKey)}x`,
      ];
      for (const token of wrong) assert.equal((await access(token)).status, 400, token);
      const good = await access(login(ann, secretKey));
      assert.equal(good.status, 200);
      const { access_token: token } = (await good.json()) as { access_token: string };
      assert.equal((await get(`Bearer ${token}`)).status, 200);
      // A login is no access, and neither is a token that the users could sign.
      const forged = login({ sub: "root", exp: 4e9 }, secretKey);
      const none = ["", "Bearer", "Bearer ", `Basic ${tokenOf("ann")}`, `Bearer ${tokenOf("eve")}`, `Bearer ${forged}`];
      for (const header of [...none, `Bearer ${login(ann, secretKey)}`]) {
        const answer = await get(header);
        assert.equal(answer.status, 401, header);
        assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="minicluster"');
      }
      assert.equal((await ask(undefined, "GET /v1/events")).status, 401);
    }));

  it("reports all problems of a job at once, and those of Flux in its own words", () =>
    withConsole(async ({ ask, url }) => {
      const wrong = { command: "echo 'a", num_tasks: 0, cores_per_task: "two", exclusive: "maybe", size: 5 };
      assert.deepEqual((await ask("ann", "POST /v1/jobs/submit", { ...wrong, envars: "A", urgency: 32 })).json, {
        Message: "The job is not valid.",
        Errors: [
          "command: No closing quotation",
          "'size': is unknown; known are command, num_tasks, cores_per_task, gpus_per_task, num_nodes, runtime, " +
            "urgency, exclusive, option_flags, envars, workdir, queue, name, is_launcher",
          "num_tasks: '0' must be an integer from 1 to 2147483648",
          "cores_per_task: 'two' must be an integer from 1 to 2147483648",
          "exclusive: 'maybe' must be true or false",
          "urgency: '32' must be an integer from 0 to 31",
          "envars: must be an object, or name=value, with commas between several",
        ],
      });
      const refusals: [body: unknown, status: number, message: RegExp][] = [
        [{}, 400, /"command: is required"/],
        [{ command: "a", num_nodes: 3, num_tasks: 2 }, 400, /node count must not be greater than task count/],
        [{ command: "a", queue: "gpu" }, 400, /"Error":"no queues are configured"/],
        ["{", 400, /The body is not JSON/],
        ["[]", 400, /must be an object in JSON/],
        ["[".repeat(200_000), 400, /The body is not JSON/],
        [{ command: "a".repeat(1_100_000) }, 413, /a body has 1048576 bytes at most/],
      ];
      for (const [body, status, message] of refusals) {
        const answer = await ask("ann", "POST /v1/jobs/submit", body);
        assert.equal(answer.status, status, String(message));
        assert.match(JSON.stringify(answer.json), message);
      }
      assert.equal((await ask("ann", "GET /v1/jobs?limit=no")).status, 400);
      // As curl sends what -d has.
      const type = "application/x-www-form-urlencoded";
      const headers = { "content-type": type, authorization: `Bearer ${tokenOf("ann")}` };
      for (const body of ["command=true&num_nodes=2", '{"command": "true", "num_nodes": 2}']) {
        const answer = await fetch(`${url}/v1/jobs/submit`, { method: "POST", headers, body });
        assert.equal(answer.status, 200, body);
      }
    }));

  it("sends changes as they happen, to a reader that comes back those that it has missed", () =>
    withConsole(async (server) => {
      const url = `${server.url}/v1/events`;
      const isDone = (kind: string, data: string) => kind === "jobs" && data.includes("INACTIVE");
      const reading = readEvents(url, isDone);
      await submit(server, "ann", { command: ["sh", "-c", "sleep 1", "<script>alert(1)</script>"] });
      const seen = await reading;
      assert.equal(seen[0]?.kind, "hello");
      const last = seen.at(-1)?.id ?? 0;
      // The changes of a job may come as several events.
      type Change = { command: string; result: string };
      const changesOf = (events: typeof seen) =>
        events.filter(({ kind }) => kind === "jobs").flatMap(({ data }) => JSON.parse(data) as Change[]);
      const changes = changesOf(seen);
      const job = Object.assign({}, ...changes) as Change;
      assert.deepEqual([job.command, job.result], ["sh -c sleep 1 <script>alert(1)</script>", "COMPLETED"]);
      // The job runs for longer than changes are collected: what was sent at its start is not sent again.
      assert.equal(changes.filter((change) => "command" in change).length, 1);
      await submit(server, "ann", { command: "true" });
      await waitFor("the second job", async () => {
        const { jobs } = (await server.ask("guest", "GET /v1/jobs")).json as { jobs: { state: string }[] };
        return jobs.length === 2 && jobs.every(({ state }) => state === "INACTIVE");
      });
      const missed = await readEvents(url, isDone, { "last-event-id": String(last) });
      assert.deepEqual([missed[0]?.kind, missed[0]?.id], ["hello", last]);
      const second = Object.assign({}, ...changesOf(missed)) as Change;
      assert.equal(second.command, "true");
      // For events that the server no longer has it sends a reset: the reader reads everything again.
      // Neither may a browser read it as a page, nor the script of another site at all.
      const { headers } = await server.ask("guest", "GET /v1/jobs");
      assert.deepEqual(
        [headers.get("content-type"), headers.get("x-content-type-options")],
        ["application/json", "nosniff"],
      );
      assert.equal(headers.get("access-control-allow-origin"), null);
      const lost = await readEvents(url, (kind) => kind === "reset", { "last-event-id": "100000" });
      assert.deepEqual(
        lost.map(({ kind }) => kind),
        ["hello", "reset"],
      );
    }));

  it("sends the output of a job as it is written, as text or as events, to each of its readers", () =>
    withConsole(async (server) => {
      const job = await submit(server, "ann", { command: ["sh", "-c", "echo one; sleep 0.3; echo two"] });
      const read = () => readEvents(`${server.url}/v1/jobs/${job}/output/stream`, (kind) => kind === "end");
      const want = ["output one\n", "output two\n", "end "].map((line) => line.split(/ (.*)/s).slice(0, 2));
      for (const events of await Promise.all([read(), read()]))
        assert.deepEqual(
          events.map(({ kind, data }) => [kind, (JSON.parse(data) as { data?: string }).data ?? ""]),
          want,
        );
      const { json } = await server.ask("guest", `GET /v1/jobs/${job}/output`);
      assert.deepEqual(json, { Output: ["one\n", "two\n"] });
    }));

  it("answers its users beside a thousand connections that send a byte a second, or nothing", () =>
    withConsole(async ({ url, ask }) => {
      const sockets = Array.from({ length: 1000 }, () => connect(Number(new URL(url).port), "127.0.0.1"));
      for (const socket of sockets) socket.on("error", () => undefined);
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
      for (const socket of sockets) socket.write("G");
      try {
        for (let round = 0; round < 20; round++) assert.equal((await ask("ann", "GET /v1/jobs")).status, 200);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    }));

  it("serves its description in OpenAPI, which names each endpoint with its role, and is valid", () =>
    withConsole(async ({ ask }) => {
      const { status, json } = await ask(undefined, "GET /openapi.json");
      assert.equal(status, 200);
      const paths = json["paths"] as Record<string, Record<string, { description: string }>>;
      const described = Object.entries(paths).flatMap(([at, methods]) =>
        Object.entries(methods).flatMap(([method, { description }]) => {
          const [, role] = /the role `(\w+)`/.exec(description) ?? [];
          return role === undefined ? [] : [`${method.toUpperCase()} ${at} ${role}`];
        }),
      );
      const routes = sourceText("console/programs/console.py").matchAll(/route\("(\w+)", "(.+?)", "(\w+)"/g);
      const served = [...routes].map(([, method, at, role]) => `${method} /v1/${at} ${role}`);
      assert.deepEqual(described.sort(), served.sort());
      const validator = installedByPip("openapi-spec-validator", ["openapi-spec-validator==0.7.2"], {
        withDependencies: true,
      });
      const validate = "import json, sys, openapi_spec_validator as o; o.validate(json.load(sys.stdin))";
      const judge = (text: string) =>
        spawnSync("python3", ["-c", validate], { input: text, env: { ...process.env, PYTHONPATH: validator } }).status;
      assert.equal(judge(sourceText("console/programs/openapi.json")), 0);
      assert.notEqual(judge(sourceText("console/programs/openapi.json").replace('"paths"', '"path"')), 0);
    }));

  it("writes the copy of the page when its broker ends", () =>
    withConsole(async (server) => {
      const ended = once(server.process, "exit");
      await waitFor("the first copy", () => fs.existsSync(server.kept));
      const job = await submit(server, "ann", { command: "true", name: "the last" });
      await reaches(server, job, "INACTIVE");
      server.endBroker();
      await ended;
      assert.match(fs.readFileSync(server.kept, "utf8"), /"name":"the last".*"result":"COMPLETED"/);
    }));

  it("ends when its users change, to start again with the others", () =>
    withConsole(async ({ process, setAccounts }) => {
      const ended = once(process, "exit");
      setAccounts(accountsOf({ eve: "user" }));
      assert.deepEqual(await ended, [0, null]);
    }));
});
