import * as assert from "node:assert/strict";
import { lookupGkeMachine } from "../../../../provider";
import { hardwareFrom } from "../../../../provider/nodepools/gke/machineType";
import { mockEngine } from "../../../support/mocks";
import { aGkePoolArgs, gkeProblemsOf } from "./fixtures";

const cores = { arch: "amd64", threadsPerCore: 2 } as const;
const facts = { guestCpus: 8, memoryMb: 32_768, accelerators: [] };
const token = "gcp:compute/getMachineTypes:getMachineTypes";

describe("what Google says of a machine type", () => {
  it("is CPUs and memory; the rest comes from the caller", () =>
    assert.deepEqual(hardwareFrom(facts, cores), { ...cores, vcpus: 8, memoryMib: 32_768 }));

  const models = {
    "nvidia-tesla-t4": "T4",
    "nvidia-tesla-a100": "A100",
    "nvidia-a100-80gb": "A100",
    "nvidia-h100-mega-80gb": "H100",
    "nvidia-h200-141gb": "H200",
    "nvidia-rtx-pro-6000": "RTX PRO 6000",
    "nvidia-l4": "L4",
  };
  for (const [type, model] of Object.entries(models))
    it(`calls ${type} ${model}`, () => {
      const accelerators = [{ guestAcceleratorType: type, guestAcceleratorCount: 4 }];
      const { accelerator, acceleratorType } = hardwareFrom({ ...facts, accelerators }, cores);
      assert.deepEqual([accelerator, acceleratorType], [{ kind: "nvidia", model, count: 4 }, type]);
    });
});

describe("the lookup of a GKE machine type", function () {
  this.timeout(20_000);

  /** Asks a Google that knows two types, and notes what it was asked. */
  async function look(type: string) {
    const asked: object[] = [];
    const machineTypes = ["x1-standard-8", "x1-standard-80"].map((name) => ({ ...facts, name }));
    const answer = (inputs: object) => {
      asked.push(inputs);
      return { machineTypes };
    };
    await mockEngine({ answers: { [token]: answer } });
    const hardware = await lookupGkeMachine(type, { zone: "us-central1-a", project: "p", ...cores });
    return { hardware, asked };
  }

  it("asks for that type alone, and what comes back is the hardware of a pool", async () => {
    const { hardware, asked } = await look("x1-standard-8");
    assert.deepEqual(asked, [{ filter: 'name = "x1-standard-8"', zone: "us-central1-a", project: "p" }]);
    assert.deepEqual(gkeProblemsOf(aGkePoolArgs({ machineType: "x1-standard-8", hardware })), []);
  });

  it("rejects where Google does not know the type either", () =>
    assert.rejects(
      look("x1-standard-9"),
      /"x1-standard-9" is no machine type of us-central1-a; correct it or its zone/,
    ));
});
