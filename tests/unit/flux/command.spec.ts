import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { MiniClusterContainerArgs } from "../../../provider";
import { commandWords, execWords, userCommand } from "../../../provider/minicluster/flux/command";
import { renderConfigFiles } from "../../../provider/minicluster/flux/configFiles";
import { aContainer, aMiniCluster } from "../../support/fixtures";
import { containerOf, podOf } from "../../support/pod";
import { findProgram } from "../../support/scripts/root";

const main = (command: string | undefined, script?: string) =>
  aMiniCluster({ containers: [aContainer({ command, commands: script === undefined ? {} : { script } })] }).main;

const file = ["bash", "/etc/minicluster/config/demo.command.sh"];

describe("command words", () => {
  const plain: [command: string, words: string[]][] = [
    ["lmp -v x 2 -in in.reaxc.hns", ["lmp", "-v", "x", "2", "-in", "in.reaxc.hns"]],
    ["  ./run.sh\t--a=b,c  ", ["./run.sh", "--a=b,c"]],
    ["python3 -m app user@host:80 50%", ["python3", "-m", "app", "user@host:80", "50%"]],
    ["echo hi\n", ["echo", "hi"]],
    ["env A=1 prog", ["env", "A=1", "prog"]],
    ["test -f x", ["test", "-f", "x"]],
  ];
  for (const [command, words] of plain)
    it(`are the words themselves of ${JSON.stringify(command)}`, () => {
      assert.deepEqual(commandWords(main(command)), words);
      assert.equal(userCommand(main(command)), undefined);
    });

  const shell = [
    "a | b", "a && b", "a; b", "a &", "a > b", "echo $HOME", "echo `id`", "echo 'a'", 'echo "a"', "a\nb", "a \\\nb",
    "ls *.c", "ls ?", "ls [a]", "ls {a,b}", "ls ~", "a # b", "! a", "(a)", "A=1 prog", "=x", "cd /tmp", ". ./env", "source env",
    "export", "ulimit -l", "time prog", "exec prog", "[[ -f x ]]", "a\u00a0b", "a\rb", "a\fb", "é",
  ]; // prettier-ignore
  for (const command of shell)
    it(`are a script's for ${JSON.stringify(command)}`, () => {
      assert.deepEqual(commandWords(main(command)), file);
      assert.equal(userCommand(main(command)), command);
    });

  it("are a script's for every word that bash has and no program is called by", () => {
    const words = execFileSync(findProgram("bash"), ["-c", "compgen -bk"], { encoding: "utf8" }).trim().split("\n");
    const programs = ["[", "echo", "false", "kill", "printf", "pwd", "test", "true"];
    const plain = words.filter((word) => userCommand(main(`${word} x`)) === undefined);
    assert.deepEqual(
      [...new Set(plain)].sort(),
      programs.filter((word) => word !== "["),
    );
  });

  it("are those of the script that is given in place of a command", () => {
    assert.deepEqual(commandWords(main(undefined, "plain words")), file);
    assert.equal(userCommand(main(undefined, "plain words")), "plain words");
  });

  it("are none without a command", () => {
    for (const command of [undefined, "", " "]) assert.deepEqual(commandWords(main(command)), []);
  });
});

describe("words that Kubernetes runs", () => {
  const cases: [command: string, words: string[]][] = [
    ["redis-server --port 6380", ["redis-server", "--port", "6380"]],
    ["  /bin/serve\t-v  ", ["/bin/serve", "-v"]],
    ["serve a \\\n  b", ["bash", "-c", "serve a \\\n  b"]],
    ["serve $PORT", ["bash", "-c", "serve $PORT"]],
    ["serve 'a b'", ["bash", "-c", "serve 'a b'"]],
    ["a && b", ["bash", "-c", "a && b"]],
    ["a | tee /tmp/log", ["bash", "-c", "a | tee /tmp/log"]],
    ["A=1 serve", ["bash", "-c", "A=1 serve"]],
    ["exec serve", ["bash", "-c", "exec serve"]],
    ["sleep 5; serve", ["bash", "-c", "sleep 5; serve"]],
    ["", []],
    [" \n", []],
  ];
  for (const [command, words] of cases)
    it(`are ${JSON.stringify(words)} for ${JSON.stringify(command)}`, () => {
      assert.deepEqual(execWords(command), words);
    });

  const lifeCycle = { postStartExec: "touch /tmp/up", preStopExec: "flush && sync" };
  const withSide = (side: Partial<MiniClusterContainerArgs>) => ({
    containers: [aContainer({ runFlux: true }), { image: "i", name: "side", ...side }],
  });
  const sideOf = (side: Partial<MiniClusterContainerArgs>) => containerOf(podOf(withSide(side)), "side");

  it("are the sidecar's own command with noWrapEntrypoint, and it has no file", () => {
    const side = { command: "serve $PORT", noWrapEntrypoint: true };
    // Kubernetes reads $$ as $, and $(NAME) as a variable of its own.
    assert.deepEqual(sideOf(side).command, ["bash", "-c", "serve $$PORT"]);
    const rendered = Object.keys(renderConfigFiles(aMiniCluster(withSide(side))));
    assert.deepEqual(
      rendered.filter((file) => file.startsWith("side.")),
      [],
    );
  });

  it("are the hooks of a container", () => {
    assert.deepEqual(sideOf({ lifeCycle }).lifecycle, {
      postStart: { exec: { command: ["touch", "/tmp/up"] } },
      preStop: { exec: { command: ["bash", "-c", "flush && sync"] } },
    });
  });

  for (const side of [{}, { noWrapEntrypoint: true }])
    it(`are the image's own where a sidecar has none (${JSON.stringify(side)})`, () => {
      assert.equal(sideOf(side).command, undefined);
    });
});
