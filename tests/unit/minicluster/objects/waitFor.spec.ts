import * as assert from "node:assert/strict";
import { query } from "jsonpath-rfc9535";
import { MiniClusterResize, MiniClusterWait } from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/minicluster/objects/waitFor";
import { casesOf, valueIn } from "../../../support/cases";
import { aMiniCluster } from "../../../support/fixtures";

interface Live {
  patched?: boolean;
  parallelism?: number;
  suspend?: boolean;
  status?: object;
}

/** A Job as the API server shows it, with what the controller writes to it. */
function liveJob({ patched = true, parallelism = 4, suspend = false, status = {} }: Live) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      ...{ name: "demo", namespace: "default", uid: "0b3a", generation: 1, resourceVersion: "7" },
      labels: { "job-name": "demo" },
      annotations: { "pulumi.com/waitFor": "…", ...(patched && { "minicluster/template-hash": "c383af9f54a7ddc0" }) },
    },
    spec: { parallelism, completions: parallelism, completionMode: "Indexed", suspend, template: { spec: {} } },
    status: { uncountedTerminatedPods: {}, ...status },
  };
}

/** Jobs in every state that a wait can meet, and whether the wait is over, by what is waited for. */
const states: { name: string; job: Live; ready: boolean; complete: boolean }[] = casesOf(`
just patched: {}
partly ready: {status: {active: 4, ready: 3}}
all ready: {status: {active: 4, ready: 4}}
  ready
with one pod, ready: {parallelism: 1, status: {ready: 1}}
  ready
grown from 4 to 6: {parallelism: 6, status: {active: 6, ready: 4}}
shrunk from 4 to 3: {parallelism: 3, status: {active: 4, ready: 4}}
failed: {status: {ready: 0, conditions: [{type: Failed, status: "True"}]}}
  ready complete
about to fail: {status: {ready: 0, conditions: [{type: FailureTarget, status: "True"}]}}
complete: {status: {ready: 0, completionTime: "2026-01-01T00:00:00Z", conditions: [{type: Complete, status: "True"}]}}
  ready complete
suspended: {suspend: true, status: {ready: 0, conditions: [{type: Suspended, status: "True"}]}}
  ready complete
resumed: {status: {ready: 0, conditions: [{type: Suspended, status: "False"}]}}
resumed and all ready: {status: {ready: 4, conditions: [{type: Suspended, status: "False"}]}}
  ready
`).map(({ given, want: [over = ""] }) => {
  const [name = "", job] = Object.entries(valueIn(given) as Record<string, Live>)[0] ?? [];
  return { name, job: job ?? {}, ready: over.includes("ready"), complete: over.includes("complete") };
});

describe("the wait for a cluster", () => {
  const annotation = (wait: MiniClusterWait, resize: MiniClusterResize = "patch") =>
    waitForAnnotation(aMiniCluster({ wait, resize }));
  const isOver = (text: string, job: Live) =>
    query(liveJob(job), /^jsonpath=\{(.*)\}$/s.exec(text)?.[1] ?? "").length > 0;

  for (const resize of Object.values(MiniClusterResize))
    describe(`with resize by ${resize}`, () => {
      for (const { name, job, ...over } of states) {
        for (const wait of ["ready", "complete"] as const)
          it(`for ${wait} ${over[wait] ? "ends" : "goes on"} when the Job is ${name}`, () =>
            assert.equal(isOver(annotation(wait, resize), job), over[wait]));
        it(`for none ends when the Job is ${name}`, () => assert.ok(isOver(annotation("none", resize), job)));
      }
      for (const wait of Object.values(MiniClusterWait)) {
        const want = wait === "none" || resize === "patch";
        it(`for ${wait} ${want ? "ends" : "goes on"} when the Job is new and nothing has patched it`, () =>
          assert.equal(isOver(annotation(wait, resize), { patched: false, status: { active: 4 } }), want));
        it(`for ${wait} ${want ? "ends" : "goes on"} when the Job has no status yet`, () =>
          assert.equal(isOver(annotation(wait, resize), { patched: false }), want));
      }
    });

  for (const resize of Object.values(MiniClusterResize))
    for (const wait of Object.values(MiniClusterWait)) {
      const text = annotation(wait, resize);
      it(`for ${wait} by ${resize} holds no single =, at which the provider would split it`, () =>
        assert.doesNotMatch(text.slice("jsonpath=".length), /(?<!=)=(?!=)/));
      it(`for ${wait} by ${resize} holds no size and no closing brace but its own`, () => {
        // None but the zero of "nobody is leaving".
        assert.doesNotMatch(text.replaceAll(" == 0", ""), /\d/);
        assert.equal(text.indexOf("}"), text.length - 1);
      });
    }

  describe("in a queue of Kueue", () => {
    const queued = (wait: MiniClusterWait) => waitForAnnotation(aMiniCluster({ wait, gang: { queueName: "hpc" } }));
    const held = states.find(({ name }) => name === "suspended")?.job ?? assert.fail();

    for (const wait of ["ready", "complete"] as const) {
      it(`for ${wait} goes on while Kueue holds the Job back`, () => {
        assert.equal(isOver(queued(wait), held), false);
        assert.doesNotMatch(queued(wait), /suspend/);
      });
      it(`for ${wait} is otherwise as without a queue`, () => {
        for (const { job, ...over } of states.filter(({ name }) => name !== "suspended"))
          assert.equal(isOver(queued(wait), job), over[wait]);
      });
    }
    it("for none ends at once", () => assert.ok(isOver(queued("none"), held)));
  });
});
