import * as assert from "node:assert/strict";
import { isFinal } from "../../../provider/study/parse/plan";
import { printedBy } from "../../support/pythonPrograms";

/** Results with each number of attempts and of retries, and whether a further attempt follows. */
const table: [ok: boolean, attempts: number, retries: number, isFinal: boolean][] = [
  [true, 1, 0, true],
  [true, 1, 2, true],
  [true, 3, 2, true],
  [false, 0, 0, false],
  [false, 1, 0, true],
  [false, 1, 1, false],
  [false, 2, 1, true],
  [false, 2, 2, false],
  [false, 3, 2, true],
  [false, 4, 2, true],
];

describe("the decision to repeat a run of a study", () => {
  it("is the same by `up` and by the program that runs the study", () => {
    const want = table.map(([, , , isLast]) => isLast);
    const own = table.map(([ok, attempts, retries]) => isFinal({ ok, attempts }, { retries }));
    const cases = JSON.stringify(table.map(([ok, attempts, retries]) => [ok, attempts, retries]));
    const text = `
import json, sys
from study.programs.study import is_final
print(json.dumps([is_final(*one) for one in json.loads(sys.argv[1])]))
`;
    assert.deepEqual([own, JSON.parse(printedBy(text, [cases]))], [want, want]);
  });
});
