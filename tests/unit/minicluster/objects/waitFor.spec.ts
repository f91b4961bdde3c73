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
const states: { name: string; job: Live; over: string[] }[] = casesOf(`
just patched: {}
partly ready: {status: {active: 4, ready: 3}}
all ready: {status: {active: 4, ready: 4}}
  ready settled
with one pod, ready: {parallelism: 1, status: {ready: 1}}
  ready settled
grown from 4 to 6: {parallelism: 6, status: {active: 6, ready: 4}}
shrunk from 4 to 3: {parallelism: 3, status: {active: 4, ready: 4}}
all ready, while others leave: {status: {ready: 4, terminating: 1}}
  ready
suspended, while pods leave: {suspend: true, status: {ready: 0, terminating: 1}}
  ready complete
failed: {status: {ready: 0, conditions: [{type: Failed, status: "True"}]}}
  ready settled complete
about to fail: {status: {ready: 0, conditions: [{type: FailureTarget, status: "True"}]}}
complete: {status: {ready: 0, completionTime: "2026-01-01T00:00:00Z", conditions: [{type: Complete, status: "True"}]}}
  ready settled complete
suspended: {suspend: true, status: {ready: 0, conditions: [{type: Suspended, status: "True"}]}}
  ready settled complete
resumed: {status: {ready: 0, conditions: [{type: Suspended, status: "False"}]}}
resumed and all ready: {status: {ready: 4, conditions: [{type: Suspended, status: "False"}]}}
  ready settled
`).map(({ given, want: [over = ""] }) => {
  const [name = "", job] = Object.entries(valueIn(given) as Record<string, Live>)[0] ?? [];
  return { name, job: job ?? {}, over: [...over.split(" "), "none"] };
});

describe("the wait for a cluster", () => {
  const annotation = (wait: MiniClusterWait, resize: MiniClusterResize = "patch") =>
    waitForAnnotation(aMiniCluster({ wait, resize }));
  const isOver = (text: string, job: Live) =>
    query(liveJob(job), /^jsonpath=\{(.*)\}$/s.exec(text)?.[1] ?? "").length > 0;

  /** The states in which a wait is over, and those in which it should be. */
  const overIn = (text: string) => states.filter(({ job }) => isOver(text, job)).map(({ name }) => name);
  const wanted = (wait: MiniClusterWait) => states.filter(({ over }) => over.includes(wait)).map(({ name }) => name);

  for (const resize of Object.values(MiniClusterResize))
    for (const wait of Object.values(MiniClusterWait)) {
      const text = annotation(wait, resize);
      it(`for ${wait}, with resize by ${resize}, is over in its states and goes on in all others`, () =>
        assert.deepEqual(overIn(text), wanted(wait)));

      it(`for ${wait}, with resize by ${resize}, is over for a Job that is new only where a patch waits, or nothing`, () => {
        for (const status of [{ active: 4 }, undefined])
          assert.equal(isOver(text, { patched: false, status }), wait === "none" || resize === "patch");
      });

      it(`for ${wait}, with resize by ${resize}, holds nothing at which the provider would split it, and no size`, () => {
        assert.doesNotMatch(text.slice("jsonpath=".length), /(?<!=)=(?!=)/);
        // None but the zero of "nobody is leaving".
        assert.doesNotMatch(text.replaceAll(" == 0", ""), /\d/);
        assert.equal(text.indexOf("}"), text.length - 1);
      });
    }

  for (const wait of Object.values(MiniClusterWait))
    it(`for ${wait} in a queue goes on while Kueue holds the Job back, and is otherwise as without`, () => {
      const text = waitForAnnotation(aMiniCluster({ wait, gang: { queueName: "hpc" } }));
      const want = wanted(wait).filter((name) => wait === "none" || !name.startsWith("suspended"));
      assert.deepEqual(overIn(text), want);
      assert.doesNotMatch(text, /suspend/);
    });
});
