import * as assert from "node:assert/strict";
import type { MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

/** What the task saw of a command: its words, and the variable X. */
async function seen(container: Partial<MiniClusterContainerArgs>) {
  const pod = aPod({ containers: [aContainer({ command: undefined, ...container })] });
  await pod.broker({ env: { STUB_SUBMIT: "run", STUB_SEEN: "X", GREETING: "hello" } });
  return pod.calls("task").map(({ words, env }) => [...(env.X === undefined ? [] : [`X=${env.X}`]), ...words.slice(1)]);
}

/** Lines that end by themselves, so that one command may have them all, and what bash makes of each. */
const lines: [line: string, calls: string[][]][] = [
  ["  task  plain words\t-n 4 --x=1,2 a/b.c  ", [["plain", "words", "-n", "4", "--x=1,2", "a/b.c"]]],
  [`task "it's" 'a "b"'`, [["it's", 'a "b"']]],
  ["task $GREETING '$GREETING' \\$GREETING", [["hello", "$GREETING", "$GREETING"]]],
  ["task `echo back` '`ticks`'", [["back", "`ticks`"]]],
  ["task back\\\\slash 'a\\b'", [["back\\slash", "a\\b"]]],
  ["task é 漢字 🚀 a\u00a0b", [["é", "漢字", "🚀", "a\u00a0b"]]],
  ["task one && task two || task three; task four", [["one"], ["two"], ["four"]]],
  ["task *.none '*' [a]", [["*.none", "*", "[a]"]]],
  ["task -n -- --x -", [["-n", "--", "--x", "-"]]],
  ["task ~ {a,b} !x #comment", [["/home/user", "a", "b", "!x"]]],
  ["task \"two\nlines\" $'\\n'", [["two\nlines", "\n"]]],
  ["task one \\\n  more", [["one", "more"]]],
  ['task "$(cat <<END\nhere $GREETING\nEND\n)"', [["here hello"]]],
  ["cat <<'END' >/dev/null\n$literal\nEND\ntask after", [["after"]]],
  ["X=1 task with", [["X=1", "with"]]],
  ["cd .. && task there", [["there"]]],
  ["for i in 1 2; do task $i; done", [["1"], ["2"]]],
  ["builtin command task hidden", [["hidden"]]],
  ["task %h {{id}} '{{id}}'", [["%h", "{{id}}", "{{id}}"]]],
  [`task ${"x".repeat(300)} '' ""`, [["x".repeat(300), "", ""]]],
];
const whole = lines.map(([line]) => line).join("\n");
const calls = lines.flatMap(([, each]) => each);

describe("command", () => {
  const commands: Record<string, Partial<MiniClusterContainerArgs>> = {
    "of many lines": { command: whole },
    "of a launcher": { command: whole, launcher: true },
    "in a script": { commands: { script: `#!/bin/bash\nset -e\n${whole}\nexit 0\ntask never` } },
  };
  for (const [name, container] of Object.entries(commands))
    it(`${name} reaches the task as bash reads it`, async () => assert.deepEqual(await seen(container), calls));

  // Those that bash would not read, or that end the shell, stand alone.
  const alone = lines.filter(([line]) => /plain words|hidden|with$/.test(line));
  for (const [command, want] of [...alone, ["exec task replaced", [["replaced"]]] as (typeof lines)[number]])
    it(`of one line reaches it as well: ${command}`, async () => assert.deepEqual(await seen({ command }), want));

  it("of a sidecar is read by bash as that of the lead is", async () => {
    const helper = { image: "i", name: "helper", command: `X="a b" task "it's" && task two` };
    const pod = aPod({ flux: { noWaitSocket: true }, containers: [aContainer({ runFlux: true }), helper] });
    await pod.leave(files.sidecar("helper"), { env: { STUB_SEEN: "X" } }, 1, "sleep", "3600");
    assert.deepEqual(pod.wordsOf("task"), ["it's", "two"]);
    assert.equal(pod.calls("task")[0]?.env.X, "a b");
  });
});
