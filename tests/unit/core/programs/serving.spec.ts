import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import { connect } from "node:net";
import * as path from "node:path";
import { waitFor } from "../../../sandbox/waiting";
import { resourcesOf } from "../../../support/jobShapes";
import { idleInstance, type Instance, type MetricsServer, withMetricsServer } from "../../../support/metricsServer";

const leaving = "minicluster: the size follows the queue";

/** Four hosts without a job, of two clusters. */
const idle = idleInstance("home-0", "home-1", "home-2", "cloud-0");
const clusters = { home: 3, cloud: 1 };
const serve = <T>(body: (server: MetricsServer) => Promise<T>, instance = idle) =>
  withMetricsServer(instance, body, { clusters, hasAgent: true });

interface Part {
  ticket: string;
  leaving: number;
  closedFrom: number;
  needed: number;
}

describe("the program of the lead broker's pod", function () {
  this.timeout(60_000);

  const partOf = async ({ ask }: MetricsServer, size = 3) =>
    JSON.parse((await ask(`/demand/home?size=${size}`)).text) as Part;
  const drainedIn = ({ directory }: MetricsServer) =>
    (JSON.parse(fs.readFileSync(path.join(directory, "../instance.json"), "utf8")) as Instance).drained;

  it("serves the demand and drains hosts only for clients with the key", () =>
    serve(async (server) => {
      const { demandUrl, ask } = server;
      for (const url of ["/demand/home?size=3", "/metrics", "/keep/home?hosts=1&size=3&ticket=1", "/"])
        for (const method of ["GET", "POST"]) assert.equal((await fetch(demandUrl + url, { method })).status, 403);
      const headers = { authorization: `nonce ${"0".repeat(64)}` };
      assert.equal((await fetch(`${demandUrl}/demand/home`, { headers })).status, 403);
      assert.equal((await ask("/demand/home?size=3")).status, 200);
      assert.equal((await ask("/demand/other?size=3")).status, 404);
      assert.equal((await ask("/keep/home?hosts=1&size=3", "GET")).status, 404);
      assert.deepEqual(drainedIn(server), []);
    }));

  it("answers no recorded request again: neither it, nor by another method, nor for the program that starts next", () =>
    serve(async (server) => {
      const { demandUrl, signed } = server;
      const url = "/demand/home?size=3";
      const send = async (number: number, token: string, method: "GET" | "POST" = "GET", as = method) => {
        const { status, headers } = await fetch(demandUrl + url, { method, headers: signed(url, as, number, token) });
        return { status, token: headers.get("token") ?? "" };
      };
      const first = await send(1, "");
      assert.equal(first.status, 401);
      const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;
      assert.equal(await statusOf(2, first.token), 200);
      assert.equal(await statusOf(2, first.token), 401);
      assert.equal(await statusOf(1, first.token), 401);
      assert.equal(await statusOf(3, first.token, "POST", "GET"), 403);
      // A ticket that an agent has stays valid.
      const { ticket } = await partOf(server);
      assert.equal(await statusOf(2, first.token), 401);
      assert.equal((await server.ask(`/keep/home?hosts=3&size=3&ticket=${ticket}`, "POST")).status, 200);
      assert.equal(await statusOf(4, "0".repeat(32)), 401);
    }));

  it("drains the last hosts of a cluster, once for each ticket, and undrains those that stay", () =>
    serve(async (server) => {
      const { ask } = server;
      const { ticket } = await partOf(server);
      const closes = `/keep/home?hosts=1&size=3&ticket=${ticket}`;
      assert.equal((await ask(closes, "POST")).status, 200);
      const ranks = () => drainedIn(server).map((one) => (typeof one === "number" ? one : one.rank));
      assert.deepEqual(ranks(), [1, 2]);
      // What was heard on the way cannot be sent again.
      assert.equal((await ask(closes, "POST")).status, 409);
      const closed = await partOf(server);
      assert.equal(closed.leaving, 2);
      assert.equal((await ask(`/keep/home?hosts=2&size=3&ticket=${closed.ticket}`, "POST")).status, 200);
      assert.deepEqual(ranks(), [2]);
      await waitFor("the host to be closed for a second", async () => (await partOf(server)).closedFrom === 2, 10_000);
    }));

  it("drains only hosts of the cluster that are not drained, and never the lead broker's host", () =>
    serve(
      async (server) => {
        const status = async (numbers: string) => {
          const { ticket } = await partOf(server);
          return (await server.ask(`/keep/home?${numbers}&ticket=${ticket}`, "POST")).status;
        };
        for (const numbers of ["hosts=0&size=3", "hosts=1&size=4", "hosts=3&size=2", "hosts=-1&size=3", "hosts=1"])
          assert.equal(await status(numbers), 400, numbers);
        assert.equal(await status("hosts=1&size=3"), 200);
        assert.deepEqual(
          drainedIn(server).map((one) => (typeof one === "number" ? one : [one.rank, one.reason])),
          [
            [2, "a broken card"],
            [1, leaving],
          ],
        );
        assert.equal(await status("hosts=3&size=3"), 200);
        assert.equal(drainedIn(server).length, 1);
      },
      { ...idle, drained: [{ rank: 2, reason: "a broken card", at: 0 }] },
    ));

  it("undrains the hosts of an agent when the demand is no longer served", () =>
    serve(
      async (server) => {
        const ended = once(server.process, "exit");
        fs.rmSync(path.join(server.directory, "lead.json"));
        assert.deepEqual((await ended).slice(0, 1), [0]);
        assert.deepEqual(drainedIn(server), [{ rank: 0, reason: "a broken card", at: 0 }]);
      },
      {
        ...idle,
        drained: [
          { rank: 0, reason: "a broken card", at: 0 },
          { rank: 2, reason: leaving, at: 0 },
        ],
      },
    ));

  it("names a job in the log that it leaves out, and serves all others", () =>
    serve(
      async (server) => {
        for (let look = 0; look < 2; look += 1) assert.equal((await partOf(server)).needed, 2);
        const named = /^minicluster: the size of the cluster does not follow job f7: .*'rack'/gm;
        assert.equal(server.said().match(named)?.length, 1);
      },
      {
        ...idle,
        jobs: [
          { id: "f7", state: "SCHED", resources: [{ type: "rack", count: 1 }] },
          { id: "f8", state: "SCHED", resources: resourcesOf("-N2") },
        ],
      },
    ));

  it("rejects invalid requests, and serves the next request", () =>
    serve(async (server) => {
      const port = Number(new URL(server.demandUrl).port);
      for (const text of [
        "\r\n\r\n",
        "GET\r\n\r\n",
        `GET /${"a".repeat(20_000)}`,
        "\0\0\r\n\r\n",
        "GET / HTTP/1.1\r\nAuthorization: é\r\n\r\n",
      ]) {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => undefined).end(text);
        await once(socket.resume(), "close");
      }
      assert.equal((await server.ask("/demand/home?size=3")).status, 200);
      assert.equal(server.said(), "");
    }));
});
