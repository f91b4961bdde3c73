import * as assert from "node:assert/strict";
import type { MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

/** What the task saw of a command: its words, and the variable X. */
async function seen(container: Partial<MiniClusterContainerArgs>) {
  const pod = aPod({ containers: [aContainer({ command: undefined, ...container })] });
  const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run", STUB_SEEN: "X", GREETING: "hello" } });
  assert.equal(run.status, 0, run.stderr);
  return pod.calls("task").map(({ words, env }) => [...(env.X === undefined ? [] : [`X=${env.X}`]), ...words.slice(1)]);
}

/** Command lines, and what bash makes of them. */
const commandLines: [command: string, calls: string[][]][] = [
  ["task plain words -n 4 --x=1,2 a/b.c", [["plain", "words", "-n", "4", "--x=1,2", "a/b.c"]]],
  ["  task  blanks\taround  ", [["blanks", "around"]]],
  [`task "it's" 'a "b"'`, [["it's", 'a "b"']]],
  ["task $GREETING '$GREETING' \\$GREETING", [["hello", "$GREETING", "$GREETING"]]],
  ["task `echo back` '`ticks`'", [["back", "`ticks`"]]],
  ["task back\\\\slash 'a\\b'", [["back\\slash", "a\\b"]]],
  ["task é 漢字 🚀 a\u00a0b", [["é", "漢字", "🚀", "a\u00a0b"]]],
  ["task one; task two", [["one"], ["two"]]],
  ["task one && task two || task three", [["one"], ["two"]]],
  ["task *.none '*' [a]", [["*.none", "*", "[a]"]]],
  ["task -n -- --x -", [["-n", "--", "--x", "-"]]],
  ["task ~ {a,b} !x #comment", [["/home/user", "a", "b", "!x"]]],
  ["task \"two\nlines\" $'\\n'", [["two\nlines", "\n"]]],
  ["task one\ntask two", [["one"], ["two"]]],
  ["task one \\\n  more", [["one", "more"]]],
  ["task trailing newline\n", [["trailing", "newline"]]],
  ['task "$(cat <<END\nhere $GREETING\nEND\n)"', [["here hello"]]],
  ["cat <<'END' >/dev/null\n$literal\nEND\ntask after", [["after"]]],
  ["X=1 task with", [["X=1", "with"]]],
  ["export X=2 && task with", [["X=2", "with"]]],
  ["cd .. && task there", [["there"]]],
  ["exec task replaced", [["replaced"]]],
  ["for i in 1 2; do task $i; done", [["1"], ["2"]]],
  ["time task timed", [["timed"]]],
  ["builtin command task hidden", [["hidden"]]],
  ["task %h {{id}} '{{id}}'", [["%h", "{{id}}", "{{id}}"]]],
  [`task ${"x".repeat(300)}`, [["x".repeat(300)]]],
  ["task '' \"\"", [["", ""]]],
];

describe("command line", () => {
  for (const [command, calls] of commandLines)
    it(`${JSON.stringify(command.slice(0, 60))} reaches the task as bash reads it`, async () => {
      assert.deepEqual(await seen({ command }), calls);
    });

  it("is the same in launcher mode", async () => {
    for (const [command, calls] of commandLines.filter((_, index) => index % 4 === 2))
      assert.deepEqual(await seen({ command, launcher: true }), calls);
  });

  it("that is a builtin alone runs, too", async () => {
    assert.deepEqual(await seen({ command: "times" }), []);
  });
});

describe("script", () => {
  const scripts: [string, string, string[][]][] = [
    ["with many lines", "#!/bin/bash\nset -e\nwords=(a 'b c')\ntask \"${words[@]}\"\n", [["a", "b c"]]],
    ["with no newline at its end", "task a\ntask b", [["a"], ["b"]]],
    ["with an open here-document", "task \"$(cat <<'END'\nit's $x `y`\nEND\n)\"", [["it's $x `y`"]]],
    ["that ends early", "task a\nexit 0\ntask b", [["a"]]],
  ];
  for (const [name, script, calls] of scripts)
    it(`${name} runs as it was given`, async () => {
      assert.deepEqual(await seen({ commands: { script } }), calls);
    });
});

describe("sidecar's command", () => {
  it("is read by bash as that of the lead is", async () => {
    const command = `X="a b" task "it's" && task two`;
    const helper = { image: "i", name: "helper", command };
    const pod = aPod({ flux: { noWaitSocket: true }, containers: [aContainer({ runFlux: true }), helper] });
    const script = pod.start(files.sidecar("helper"), { env: { STUB_SEEN: "X" } });
    await pod.called(1, "sleep", "3600");
    script.terminate();
    await script.ended;
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words.slice(1)),
      [["it's"], ["two"]],
    );
    assert.equal(pod.calls("task")[0]?.env.X, "a b");
  });
});
