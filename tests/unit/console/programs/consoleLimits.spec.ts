import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import type { Socket } from "node:net";
import { waitFor } from "../../../sandbox/waiting";
import { type ConsoleServer, request, submit, textOf, tokenOf, withConsole } from "../../../support/consoleServer";

const MiB = 1024 * 1024;

const reaches = (server: ConsoleServer, id: number, state: string) =>
  waitFor(
    `the state ${state}`,
    async () => (await server.ask("guest", `GET /v1/jobs/${id}`)).json["state"] === state,
    60_000,
  );

/** Open files of the server, connections among them. */
const filesOf = ({ process }: ConsoleServer) => fs.readdirSync(`/proc/${process.pid}/fd`).length;

/** The most memory that the server has used, in bytes. */
function mostMemory({ process }: ConsoleServer): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${process.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

describe("the limits of the console", function () {
  this.timeout(180_000);

  it("closes the streams of quiet, pending and ended jobs after their readers have disconnected", () =>
    withConsole(async (server) => {
      const quiet = await submit(server, { command: ["sleep", "100"] });
      const pending = await submit(server, { command: ["true"], urgency: 0 });
      await reaches(server, quiet, "RUN");
      await server.ask("guest", "GET /v1/jobs");
      const before = filesOf(server);
      for (let round = 0; round < 3; round++) {
        const targets = [`jobs/${quiet}/output/stream`, `jobs/${pending}/output/stream`, "events"];
        const readers = await Promise.all(
          Array.from({ length: 120 }, (_, index) => request(server, "guest", `/v1/${targets[index % 3]}`)),
        );
        assert.ok(readers.every(([, line]) => line === "HTTP/1.1 200 -"));
        assert.ok(filesOf(server) >= before + 120);
        for (const [socket] of readers) socket.destroy();
        await waitFor("the end of all streams", () => Promise.resolve(filesOf(server) <= before + 2), 30_000);
      }
      // The end of a job that has never run also ends its stream.
      const [socket] = await request(server, "guest", `/v1/jobs/${pending}/output/stream`);
      const closed = once(socket.resume(), "close");
      await server.ask("root", `POST /v1/jobs/${pending}/cancel`);
      await closed;
      await server.ask("root", `POST /v1/jobs/${quiet}/cancel`);
    }));

  it("stays small beside a large output with many readers, some of which read nothing", () =>
    withConsole(async (server) => {
      const line = "x".repeat(60_000);
      const script = `import sys\nfor at in range(1000): sys.stdout.write(f"{at} ${line}\\n")`;
      const job = await submit(server, { command: ["python3", "-c", script] });
      await reaches(server, job, "RUN");
      const slow = await Promise.all(
        Array.from({ length: 40 }, () => request(server, "bob", `/v1/jobs/${job}/output/stream`)),
      );
      for (const [socket] of slow) socket.pause();
      await reaches(server, job, "INACTIVE");
      const texts = await Promise.all(
        Array.from({ length: 12 }, () => textOf(server, `/v1/jobs/${job}/output/stream`)),
      );
      for (let round = 0; round < 2; round++) {
        const text = await textOf(server, `/v1/jobs/${job}/output`);
        assert.ok(text.length < 9 * MiB, `${text.length}`);
        texts.push(text);
      }
      // A stream also has what arrives while it is read.
      for (const text of texts) assert.ok(text.includes("999 xxx") && !text.includes("\n0 xxx"), `${text.length}`);
      for (const [socket] of slow) socket.destroy();
      assert.ok(mostMemory(server) < 200 * MiB, `${mostMemory(server) / MiB} MiB`);
    }));

  it("lets administrators and other users in when one user has all connections", () =>
    withConsole(async (server) => {
      const [root] = await request(server, "root", "/v1/events");
      const held: [Socket, string][] = [];
      while (held.length < 511)
        held.push(...(await Promise.all(Array.from({ length: 73 }, () => request(server, "guest", "/v1/events")))));
      assert.ok(held.every(([, line]) => line === "HTTP/1.1 200 -"));
      const refused = await server.ask("guest", "GET /v1/jobs");
      assert.equal(refused.status, 503);
      assert.equal(refused.json["Message"], "There are too many connections; close some, or try again later.");
      let closed = 0;
      for (const [socket] of held) socket.on("close", () => (closed += 1));
      for (const user of ["root", "ann", "bob", "root"])
        assert.equal((await server.ask(user, "GET /v1/user")).status, 200, user);
      const streams = await Promise.all(["root", "ann", "bob"].map((user) => request(server, user, "/v1/events")));
      assert.deepEqual(
        streams.map(([, line]) => line),
        Array(3).fill("HTTP/1.1 200 -"),
      );
      assert.ok(closed > 0 && !root.destroyed, `${closed} connections`);
      for (const [socket] of [...held, ...streams]) socket.destroy();
      root.destroy();
    }));

  it("keeps reading the hosts when the file of the size or Flux fails, and says when they are old", () =>
    withConsole(async (server) => {
      const hosts = async () =>
        (await server.ask("guest", "GET /v1/hosts")).json as { hosts: { state: string }[]; oldSince: number | null };
      const states = async () => (await hosts()).hosts.map(({ state }) => state).join(" ");
      const online = [0, 3];
      server.setInstance({ online });
      await waitFor("the hosts that are missing", async () => (await states()) === "free expected down free", 30_000);
      server.setSize("");
      server.setInstance({ online: [0] });
      await waitFor("the change without a size", async () => (await states()) === "free expected down down", 30_000);
      server.setSize("3");
      await waitFor("the next size", async () => (await states()) === "free expected expected down", 30_000);
      assert.equal((await hosts()).oldSince, null);
      for (const fault of [{ errno: 110 }, { errno: 38 }, { seconds: 3600 }]) {
        server.setInstance({ online, faults: { "resource.status": fault } });
        await waitFor("the note that they are old", async () => (await hosts()).oldSince !== null, 30_000);
        // The queue and the jobs do not wait for the hosts.
        assert.equal((await server.ask("ann", "GET /v1/jobs")).status, 200);
        if ("seconds" in fault) break;
        server.setInstance({ online });
        await waitFor("the hosts again", async () => (await hosts()).oldSince === null, 30_000);
      }
      assert.match(server.log(), /the hosts are not read: TimeoutError: .*Connection timed out/);
    }));

  it("has a job submitted again whose validator has ended, and does not say that Flux refuses it", () =>
    withConsole(async (server) => {
      const submitted = async () => server.ask("ann", "POST /v1/jobs/submit", { command: "true" });
      // EPIPE and EPROTO, of a validator that another job has ended.
      for (const errno of [32, 71]) {
        server.setInstance({ faults: { "job-ingest.submit": { errno } } });
        const { status, json } = await submitted();
        assert.deepEqual([status, json], [503, { Message: "Flux cannot validate the job now; try again." }]);
      }
      server.setInstance({ faults: { "job-ingest.submit": { errno: 22 } } });
      assert.equal((await submitted()).status, 400);
      server.setInstance({});
      assert.equal((await submitted()).status, 200);
    }));

  it("answers each request that is malformed, and refuses what Flux cannot read with its place", () =>
    withConsole(async (server) => {
      const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
      const submits: [body: string | ArrayBuffer, status: number, message: RegExp][] = [
        [
          `{"command":"true","option_flags":{"a":${JSON.stringify(deep(200))}}}`,
          400,
          /option_flags: has more than 64 levels/,
        ],
        // As with flux-submit(1), a text that is no JSON is a text.
        [`{"command":"true","option_flags":{"a":${JSON.stringify(deep(100_000))}}}`, 200, /Job submit/],
        [`{"command":"true","option_flags":${deep(900)}}`, 400, /option_flags: has more than 64 levels/],
        [`{"command":"true","option_flags":${JSON.stringify(deep(100_000))}}`, 400, /option_flags/],
        [`{"command":"true","envars":${JSON.stringify("[".repeat(100_000))}}`, 400, /envars: must be an object/],
        [
          `{"command":"true","envars":${JSON.stringify(`{${"-".repeat(60_000)}1:2}`)}}`,
          400,
          /envars: must be an object/,
        ],
        [`{"command":"true","option_flags":{"${"a.".repeat(5000)}b":1}}`, 400, /option_flags: .*more than 64 levels/],
        [`{"command":"true","option_flags":{"a":NaN}}`, 400, /option_flags: nan is not a number of JSON/],
        [`{"command":"true","option_flags":{"a":"NaN"}}`, 400, /option_flags: nan is not a number of JSON/],
        [`{"command":"true","option_flags":{"a":[1e999]}}`, 400, /option_flags: inf is not a number of JSON/],
        [`{"command":"true","option_flags":{"a":{"b":-Infinity}}}`, 400, /option_flags: -inf is not a number/],
        [`{"command":"true","option_flags":{"a":${"9".repeat(100_000)}}}`, 400, /more than 20 digits/],
        [`{"command":"true","option_flags":{"a":10000000000000000000}}`, 400, /option_flags: .*64 bits/],
        [`{"command":["true","\\u0000"]}`, 400, /command: contains the character NUL/],
        [`{"command":"a \\u0000"}`, 400, /command: contains the character NUL/],
        [`{"command":["\\ud800"]}`, 400, /command: contains half of a character/],
        [`{"command":"true","name":"\\udc80"}`, 400, /name: contains half of a character/],
        [`{"command":"true","workdir":"a\\u0000"}`, 400, /workdir: contains the character NUL/],
        [`{"command":"true","envars":{"A\\u0000":"b"}}`, 400, /envars: contains the character NUL/],
        [`{"command":"true","envars":"{'a': {1, 2}}"}`, 400, /envars: contains set/],
        [`{"command":"true","option_flags":{"a":1,"a.b":2}}`, 400, /not valid/],
        [`{"command":"true","num_tasks":NaN}`, 400, /num_tasks: 'nan' must be an integer/],
        [new Uint8Array([0x22, 0xff, 0xfe]).buffer, 400, /The body is not UTF-8/],
        ['"a', 400, /The body is not JSON/],
      ];
      const headers = { authorization: `Bearer ${tokenOf("ann")}` };
      for (const [body, status, message] of submits) {
        const answer = await fetch(`${server.url}/v1/jobs/submit`, { method: "POST", headers, body });
        const text = await answer.text();
        assert.equal(answer.status, status, `${message}: ${text.slice(0, 300)}`);
        assert.match(text, message);
      }
      // A proxy in front that allows some paths reads the same path.
      for (const target of [
        "//x/v1/user",
        "//v1/user",
        "///v1/user",
        "http:/v1/user",
        "v1/user",
        "/v1/user;x",
        "/v1/user#",
      ]) {
        const [socket, line] = await request(server, "ann", target);
        assert.equal(line, "HTTP/1.1 404 -", target);
        socket.destroy();
      }
      assert.equal((await server.ask("ann", "POST /v1/jobs/submit", { command: "true" })).status, 200);
    }));

  it("shows output with any characters that separate lines elsewhere, and with bytes of no text", () =>
    withConsole(async (server) => {
      // str.splitlines ends a line at each of them.
      const separators = ["\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\r"];
      const lines = separators.map((separator) => `a${separator}b ${JSON.stringify("é")} 😀\n`);
      const script = "import sys; sys.stdout.buffer.write(sys.argv[1].encode() + b'\\xff\\n')";
      const job = await submit(server, { command: ["python3", "-c", script, lines.join("")] });
      await reaches(server, job, "INACTIVE");
      const { json } = await server.ask("ann", `GET /v1/jobs/${job}/output`);
      assert.deepEqual(json, { Output: [...lines, "\ufffd\n"] });
      assert.equal(await textOf(server, `/v1/jobs/${job}/output/stream`), `${lines.join("")}\ufffd\n`);
    }));
});
