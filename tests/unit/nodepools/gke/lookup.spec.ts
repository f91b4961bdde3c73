import * as assert from "node:assert/strict";
import { lookupGkeMachine } from "../../../../provider";
import { mockEngine } from "../../../support/mocks";
import { aGkePoolArgs, gkeProblemsOf } from "../fixtures";

const cores = { arch: "amd64", threadsPerCore: 2 } as const;
const facts = { guestCpus: 8, memoryMb: 32_768, accelerators: [] as object[] };
const models = {
  "nvidia-tesla-t4": "T4",
  "nvidia-a100-80gb": "A100",
  "nvidia-h100-mega-80gb": "H100",
  "nvidia-rtx-pro-6000": "RTX PRO 6000",
};

/** Asks a Google that knows these types, and notes what it was asked. */
async function look(type: string, accelerators: object[] = []) {
  const asked: object[] = [];
  const machineTypes = ["x1-standard-8", "x1-standard-80"].map((name) => ({ ...facts, accelerators, name }));
  const answer = (inputs: object) => (asked.push(inputs), { machineTypes });
  await mockEngine({ answers: { "gcp:compute/getMachineTypes:getMachineTypes": answer } });
  const hardware = await lookupGkeMachine(type, { zone: "us-central1-a", project: "p", ...cores });
  return { hardware, asked };
}

describe("the lookup of a GKE machine type", function () {
  this.timeout(20_000);

  it("asks for that type alone, and gives the hardware of a pool", async () => {
    const { hardware, asked } = await look("x1-standard-8");
    assert.deepEqual(asked, [{ filter: 'name = "x1-standard-8"', zone: "us-central1-a", project: "p" }]);
    assert.deepEqual(hardware, { ...cores, vcpus: 8, memoryMib: 32_768 });
    assert.deepEqual(gkeProblemsOf(aGkePoolArgs({ machineType: "x1-standard-8", hardware })), []);
  });

  for (const [type, model] of Object.entries(models))
    it(`calls ${type} ${model}`, async () => {
      const gpu = { guestAcceleratorType: type, guestAcceleratorCount: 4 };
      const { accelerator, acceleratorType } = (await look("x1-standard-8", [gpu])).hardware;
      assert.deepEqual([accelerator, acceleratorType], [{ kind: "nvidia", model, count: 4 }, type]);
    });

  it("rejects where Google does not know the type either", () =>
    assert.rejects(
      look("x1-standard-9"),
      /us-central1-a has no machine type "x1-standard-9"; correct the type or the zone/,
    ));
});
