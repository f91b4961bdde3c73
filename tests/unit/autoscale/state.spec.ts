import * as assert from "node:assert/strict";
import { agentState, peers, problems, reasons, stateIn } from "../../../provider/autoscale/diagnostics/state";
import { printedBy } from "../../support/pythonPrograms";

/** States as the agent writes them, one for each reason and each problem, and the copies that the console gets. */
const written = () =>
  JSON.parse(
    printedBy(`
import json
from autoscale.programs.reporting import Report
from core.programs.contract import PEERS, PROBLEMS, REASONS
from core.programs.decisions import state_in

report, texts = Report(0, lambda: 1.5e9), []
problems = [{"peer": peer, "code": code} for peer in vars(PEERS) for code in vars(PROBLEMS)]
for reason in vars(REASONS):
    for problem in [None, *problems]:
        report.set(3, reason, "size 3: \\x1bwords", problem)
        texts.append(report.text())
print(json.dumps([[text, json.dumps(state_in(text))] for text in texts]))
`),
  ) as [text: string, copy: string][];

describe("the state of an agent", () => {
  it("has one schema in both languages: each state that Python writes is read here and by the console", () => {
    const states = written();
    const [reasonCount, others] = [Object.keys(reasons), Object.keys(peers).flatMap(() => Object.keys(problems))];
    assert.equal(states.length, reasonCount.length * (others.length + 1));
    for (const [text, copy] of states) {
      assert.deepEqual(stateIn(text), JSON.parse(text));
      assert.deepEqual(JSON.parse(copy), JSON.parse(text));
    }
    const [first = ""] = states[0] ?? [];
    const since = "2017-07-14T02:40:00Z";
    assert.deepEqual(stateIn(first), { size: 3, reason: "jobsPending", message: "size 3:  words", since });
  });

  const state = { size: 1, reason: reasons.hostsIdle, message: "x", since: "2026-01-31T09:00:00Z" };
  const others: [title: string, text: unknown][] = [
    ["of an unknown reason", JSON.stringify({ ...state, reason: "bored" })],
    ["of an unknown peer", JSON.stringify({ ...state, problem: { peer: "x", code: problems.otherError } })],
    ["of a negative size", JSON.stringify({ ...state, size: -1 })],
    ["without a time", JSON.stringify({ ...state, since: "today" })],
    ["that is no JSON", "size 3"],
    ["that is absent", undefined],
  ];
  for (const [title, text] of others)
    it(`is undefined for an annotation ${title}`, () => assert.equal(stateIn(text), undefined));

  it("ignores fields of a later version", () => assert.deepEqual(agentState.parse({ ...state, more: 1 }), state));
});
