import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { commandWords, execWords, userCommand } from "../../../provider/minicluster/flux/command";
import { aContainer, aMiniCluster } from "../../support/fixtures";
import { findProgram } from "../../support/scripts/root";

const main = (command: string) => aMiniCluster({ containers: [aContainer({ command })] }).main;

describe("command words", () => {
  const plain: [command: string, words: string[]][] = [
    ["  ./run.sh\t--a=b,c  ", ["./run.sh", "--a=b,c"]],
    ["python3 -m app user@host:80 50%", ["python3", "-m", "app", "user@host:80", "50%"]],
    ["echo hi\n", ["echo", "hi"]],
    ["env A=1 prog", ["env", "A=1", "prog"]],
    [" \n", []],
  ];
  for (const [command, words] of plain)
    it(`are the words themselves of ${JSON.stringify(command)}`, () => {
      assert.deepEqual([commandWords(main(command)), userCommand(main(command))], [words, undefined]);
      assert.deepEqual(execWords(command), words);
    });

  const shell = [
    "a | b", "a && b", "a; b", "a &", "a > b", "echo $HOME", "echo `id`", "echo 'a'", 'echo "a"', "a\nb", "a \\\nb",
    "ls *.c", "ls ?", "ls [a]", "ls {a,b}", "ls ~", "a # b", "! a", "(a)", "A=1 prog", "=x", "cd /tmp", ". ./env", "source env",
    "[[ -f x ]]", "a\u00a0b", "a\rb", "a\fb", "é",
  ]; // prettier-ignore
  for (const command of shell)
    it(`are a script's for ${JSON.stringify(command)}`, () => {
      assert.deepEqual(commandWords(main(command)), ["bash", "/etc/minicluster/config/demo.command.sh"]);
      assert.equal(userCommand(main(command)), command);
      assert.deepEqual(execWords(command), ["bash", "-c", command]);
    });

  it("are a script's for every word that bash has and no program is called by", () => {
    const words = execFileSync(findProgram("bash"), ["-c", "compgen -bk"], { encoding: "utf8" }).trim().split("\n");
    const plain = words.filter((word) => userCommand(main(`${word} x`)) === undefined);
    assert.equal([...new Set(plain)].sort().join(), "echo,false,kill,printf,pwd,test,true");
  });
});
