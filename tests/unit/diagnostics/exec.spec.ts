import assert from "node:assert/strict";
import { FailedRead } from "../../../provider/diagnostics/apiServer";
import { connectionFor } from "../../../provider/diagnostics/connection/kubeconfig";
import { CommandFailed, exec } from "../../../provider/diagnostics/exec";
import { type Answer, exited, frame, lines, message, withStudyServer } from "../../support/studyServer";

interface Outcome {
  lines: string[];
  error?: Error;
}

/** What a command's caller gets from an answer of the API server. */
async function outcomeOf(answer: Answer | undefined, options: { signal?: AbortSignal; silentMillis?: number } = {}) {
  const outcome: Outcome = { lines: [] };
  await withStudyServer({ exec: () => answer }, async ({ place }) => {
    const connection = connectionFor(place.cluster);
    assert.ok(connection);
    const command = { namespace: "default", pod: "demo-0", container: "app", words: ["true"], input: "in" };
    const onLine = (line: string) => outcome.lines.push(line) > 0 && !line.startsWith("noise");
    const limits = { signal: new AbortController().signal, silentMillis: 30_000, ...options };
    await exec(connection, command, onLine, limits).catch((error: Error) => (outcome.error = error));
  });
  return outcome;
}

const text = "an “ü” 🚀\nb\n\n";
const wanted = ["an “ü” 🚀", "b", ""];

describe("a command in a pod", function () {
  this.timeout(60_000);

  it("has all its lines, wherever the bytes of the connection are split", async () => {
    const bytes = Buffer.concat([message(1, text), exited()]);
    for (let at = 0; at <= bytes.length; at++) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
      assert.deepEqual(await outcomeOf({ chunks, end: "close" }), { lines: wanted }, `at byte ${at}`);
    }
  });

  it("has all its lines, wherever messages and frames are split, with pings between them", async () => {
    const bytes = Buffer.from(text);
    const ping = frame(Buffer.from("p"), 9);
    for (let at = 0; at <= bytes.length; at++) {
      const [one, other] = [bytes.subarray(0, at), bytes.subarray(at)];
      const messages = [message(1, one), ping, message(1, other), message(1, ""), frame(Buffer.alloc(0)), exited()];
      const frames = [frame(Buffer.concat([Buffer.from([1]), one]), 2, false), ping, frame(other, 0), exited()];
      for (const chunks of [messages, frames])
        assert.deepEqual(await outcomeOf({ chunks, end: "close" }), { lines: wanted }, `at byte ${at}`);
    }
  });

  it("has the lines that arrive together with the handshake", async () => {
    const all = Buffer.concat([message(1, text), exited()]);
    assert.deepEqual(await outcomeOf({ chunks: [all], withHandshake: true, end: "close" }), { lines: wanted });
  });

  it("has the output that follows its result", async () => {
    const chunks = [exited(), ...Array.from({ length: 20 }, (_, index) => lines(String(index)))];
    const { lines: found, error } = await outcomeOf({ chunks, end: "close" });
    assert.deepEqual([found.length, error], [20, undefined]);
  });

  it("ends after its result, also if the server leaves the connection open", async () =>
    assert.deepEqual(await outcomeOf({ chunks: [lines("a"), exited()] }), { lines: ["a"] }));

  it("fails with its exit status and its errors", async () => {
    const chunks = [exited(7), message(2, "no su"), message(2, "ch file\n")];
    const { error } = await outcomeOf({ chunks, end: "close" });
    assert.ok(error instanceof CommandFailed);
    assert.deepEqual([error.exitStatus, error.message], [7, "the command has failed: no such file"]);
  });

  const results: [result: string, want: string][] = [
    ["", "the API server has sent a result of the command that is not valid"],
    ["{", "the API server has sent a result of the command that is not valid"],
    ["null", "the API server has sent a result of the command that is not valid"],
    ['{"status":1}', "the API server has sent a result of the command that is not valid"],
    ['{"status":"Success","details":7}', "the API server has sent a result of the command that is not valid"],
    ['{"status":"Failure"}', "the command has failed: no reason is known"],
    ['{"status":"Failure","message":"container not found"}', "the command has failed: container not found"],
    [
      '{"status":"Failure","message":"m","details":{"causes":[{"reason":"ExitCode","message":"many"}]}}',
      "the command has failed: m",
    ],
  ];
  for (const [result, want] of results)
    it(`fails with a sentence after the result ${JSON.stringify(result)}`, async () => {
      const { error } = await outcomeOf({ chunks: [message(3, result)], end: "close" });
      assert.ok(error && !(error instanceof CommandFailed));
      assert.equal(error.message, want);
    });

  const ends: [title: string, answer: Answer, want: RegExp][] = [
    ["closes it without a result", { chunks: [lines("a")], end: "close" }, /^the connection to the pod has ended$/],
    [
      "loses it in the middle of a frame",
      { chunks: [lines("abc").subarray(0, 3)], end: "destroy" },
      /^the connection to the pod has ended$/,
    ],
    ["sends a frame with an unknown opcode", { chunks: [frame(Buffer.from("a"), 3)] }, /^Invalid WebSocket frame: /],
    ["sends a line without an end", { chunks: [message(1, "x".repeat(2 ** 20 + 1))] }, /^the pod has sent a line of/],
    ["answers in HTTP", { status: 500, body: "broken" }, /^500: broken$/],
    ["sends more than an error", { status: 500, body: "x".repeat(10 ** 6) }, /^500: x{4000}$/],
  ];
  for (const [title, answer, want] of ends)
    it(`fails with a sentence if the server ${title}`, async () =>
      assert.match((await outcomeOf(answer)).error?.message ?? "", want));

  it("has the pause that the API server requests", async () => {
    const { error } = await outcomeOf({ status: 429, headers: { "retry-after": "7" }, body: "slow down" });
    assert.ok(error instanceof FailedRead);
    assert.deepEqual([error.status, error.retryAfter, error.body], [429, "7", "slow down"]);
  });

  it("fails if nothing that it writes is a sign of life", async () => {
    const chunks = Array.from({ length: 100_000 }, () => lines("noise"));
    const { error } = await outcomeOf({ chunks }, { silentMillis: 100 });
    assert.equal(error?.message, "the pod has sent nothing for too long");
  });

  const silent: [title: string, answer: Answer | undefined][] = [
    ["does not answer", undefined],
    ["does not end its answer", { status: 500, body: "a", isOpen: true }],
    ["sends nothing", { chunks: [] }],
    ["sends signs of life", { chunks: [lines("alive")] }],
  ];
  for (const [title, answer] of silent) {
    it(`ends at once when it is aborted while the server ${title}`, async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("interrupted")), 50);
      const { error } = await outcomeOf(answer, { signal: controller.signal });
      assert.equal(error?.message, "interrupted");
    });

    it(`does not connect when it is aborted before, to a server that ${title}`, async () => {
      const { error } = await outcomeOf(answer, { signal: AbortSignal.abort(new Error("interrupted")) });
      assert.equal(error?.message, "interrupted");
    });
  }
});
