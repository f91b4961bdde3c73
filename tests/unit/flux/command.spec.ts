import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { commandWords, userCommand } from "../../../provider/minicluster/flux/command";
import { aContainer, aMiniCluster } from "../../support/fixtures";
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
