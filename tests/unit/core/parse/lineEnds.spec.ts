import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer, aSidecar } from "../../../support/fixtures";
import { sentManifests } from "../../../support/manifests";

/** Every text that a script is made of. */
const texts = (end: string): Partial<MiniClusterArgs>[] => {
  const commands = { init: `a${end}`, pre: `b${end}`, post: `c${end}`, brokerPre: `d${end}`, workerPre: `e${end}` };
  const lifeCycle = { postStartExec: `a;${end}b`, preStopExec: `c;${end}d` };
  const side = aSidecar({ command: `a${end}b${end}`, commands: { servicePre: `c${end}` } });
  return [
    { containers: [aContainer({ runFlux: true, command: `echo a${end}echo b${end}`, commands, lifeCycle }), side] },
    { containers: [aContainer({ command: `echo hello${end}`, commands: { prefix: `strace \\${end}-f` } })] },
    {
      containers: [aContainer({ command: `echo a \\${end}  b` })],
      flux: { optionFlags: `-o \\${end}cpu-affinity=off` },
    },
    { containers: [aContainer({ batch: true, command: `echo a${end}echo b${end}` })] },
    { containers: [aContainer({ batch: true, batchRaw: true, command: `#!/bin/bash${end}echo b${end}` })] },
    { containers: [aContainer({ command: undefined, commands: { script: `a${end}b${end}` } })] },
  ];
};

describe("scripts with the line ends of Windows", () => {
  for (const [index, windows] of texts("\r\n").entries())
    it(`come to the same manifests: ${JSON.stringify(windows).slice(0, 80)}`, async () =>
      assert.deepEqual(await sentManifests(windows), await sentManifests(texts("\n")[index])));

  it("keep a carriage return within a line, and those of a variable's value", async () => {
    const container = aContainer({ command: "printf 'a\rb'", environment: { TEXT: "a\r\nb" } });
    const sent = await sentManifests({ containers: [container], flux: { environment: { OTHER: "c\r\nd" } } });
    const { data } = sent.configMap as { data: Record<string, string> };
    assert.equal(data["demo.command.sh"], "printf 'a\rb'\n");
    assert.match(data["environment.sh"] ?? "", /OTHER=\$'c\\r\\nd'/);
    assert.match(JSON.stringify(sent), /a\\r\\nb/);
  });
});
