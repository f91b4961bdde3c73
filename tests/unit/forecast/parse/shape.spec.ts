import * as assert from "node:assert/strict";
import { roomFor, type Shape, shapeOf, takenBy } from "../../../../provider/forecast/parse/shape";
import { readData } from "../../../support/data";

interface Case {
  resources: unknown;
  shape: [onHosts: boolean, units: number, cores: number, gpus: number, exclusive: boolean] | null;
  idle: number;
  free: [cores: number, gpus: number, units: number][];
}

/** The table with which core/programs/planning.py is tested. */
const { host, cases } = readData<{ host: { cores: number; gpus: number }; cases: Case[] }>("shapes.json");
const shapeIn = (shape: NonNullable<Case["shape"]>): Shape => {
  const [onHosts, units, cores, gpus, exclusive] = shape;
  return { onHosts, units, cores, gpus, exclusive };
};

describe("shapeOf", () => {
  for (const { resources, shape, idle, free } of cases)
    it(`${shape ? "finds" : "rejects"} ${JSON.stringify(resources)}`, () => {
      if (!shape) return assert.throws(() => shapeOf(resources));
      assert.deepEqual(shapeOf(resources), shapeIn(shape));
      assert.equal(roomFor(shapeIn(shape), host), idle);
      for (const [cores, gpus, units] of free) assert.equal(roomFor(shapeIn(shape), host, { cores, gpus }), units);
    });

  it("gives a job the amounts of its units, or the whole host if it is exclusive", () => {
    const slots = shapeIn([false, 4, 2, 1, false]);
    assert.deepEqual(takenBy(slots, 3, host), { cores: 6, gpus: 3 });
    assert.deepEqual(takenBy(shapeIn([true, 2, 1, 0, true]), 1, host), host);
    assert.deepEqual(takenBy(shapeIn([true, 2, 1, 0, false]), 1, host), { cores: 1, gpus: 0 });
  });
});
