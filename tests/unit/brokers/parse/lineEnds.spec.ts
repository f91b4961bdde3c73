import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { sentManifests } from "../../../support/manifests";

type Texts = (end: string) => Partial<MiniClusterArgs>;

const main = (args: (end: string) => Parameters<typeof aContainer>[0]): Texts => {
  return (end) => ({ containers: [aContainer(args(end))] });
};
const beside = (args: (end: string) => Parameters<typeof aContainer>[0]): Texts => {
  return (end) => ({ containers: [aContainer({ runFlux: true }), aContainer({ name: "beside", ...args(end) })] });
};

describe("scripts with the line ends of Windows", () => {
  const cases: { name: string; args: Texts }[] = [
    { name: "a command of several lines", args: main((end) => ({ command: `echo a${end}echo b${end}` })) },
    { name: "a plain command", args: main((end) => ({ command: `echo hello${end}` })) },
    { name: "a continued line", args: main((end) => ({ command: `echo a \\${end}  b` })) },
    { name: "a batch", args: main((end) => ({ batch: true, command: `echo a${end}echo b${end}` })) },
    {
      name: "a batch script of the user's own",
      args: main((end) => ({ batch: true, batchRaw: true, command: `#!/bin/bash${end}echo b${end}` })),
    },
    {
      name: "pieces around the command",
      args: main((end) => ({
        commands: {
          ...{ init: `a${end}`, pre: `b${end}`, post: `c${end}` },
          ...{ brokerPre: `d${end}`, workerPre: `e${end}` },
        },
      })),
    },
    { name: "a prefix", args: main((end) => ({ commands: { prefix: `strace \\${end}-f` } })) },
    { name: "a script", args: main((end) => ({ command: undefined, commands: { script: `a${end}b${end}` } })) },
    { name: "a sidecar", args: beside((end) => ({ command: `a${end}b${end}`, commands: { servicePre: `c${end}` } })) },
    { name: "hooks", args: main((end) => ({ lifeCycle: { postStartExec: `a;${end}b`, preStopExec: `c;${end}d` } })) },
    { name: "options of Flux", args: (end) => ({ flux: { optionFlags: `-o \\${end}cpu-affinity=off` } }) },
  ];
  for (const { name, args } of cases)
    it(`come to the same manifests: ${name}`, async () => {
      assert.deepEqual(await sentManifests(args("\r\n")), await sentManifests(args("\n")));
    });

  it("keep a carriage return within a line, and those of a variable's value", async () => {
    const sent = (await sentManifests({
      containers: [aContainer({ command: "printf 'a\rb'", environment: { TEXT: "a\r\nb" } })],
      flux: { environment: { OTHER: "c\r\nd" } },
    })) as { configMap: { data: Record<string, string> } };
    assert.equal(sent.configMap.data["demo.command.sh"], "printf 'a\rb'\n");
    assert.match(sent.configMap.data["environment.sh"] ?? "", /OTHER=\$'c\\r\\nd'/);
    assert.match(JSON.stringify(sent), /a\\r\\nb/);
  });
});
