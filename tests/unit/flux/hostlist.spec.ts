import * as assert from "node:assert/strict";
import { repeatedHost, splitFirstHost } from "../../../provider/minicluster/flux/hostlist";
import { expandHosts } from "../../support/hostlists";

describe("first host", () => {
  const cases: [hosts: string, others: string][] = [
    ["demo-0", ""],
    ["demo-[0-7]", "demo-[1-7]"],
    ["demo-[0-1],burst-[0-3]", "demo-1,burst-[0-3]"],
    ["demo-[0],burst-[0-3],x", "burst-[0-3],x"],
    ["a,b[1,3],c", "b[1,3],c"],
    ["n[1,3]", "n3"],
    ["n[1-2,5-7,9],m", "n[2,5-7,9],m"],
    ["n[007-012]", "n[008-012]"],
    ["n[099-100]", "n100"],
    ["n[09-10,12]", "n[10,12]"],
    ["n[1-2]-ib,m[1-2]-ib", "n2-ib,m[1-2]-ib"],
    ["[1-3]", "[2-3]"],
  ];
  for (const [hosts, others] of cases)
    it(`of ${hosts} leaves ${others || "none"}`, () =>
      assert.deepEqual(splitFirstHost(hosts), [expandHosts(hosts)[0], others]));
});

it("a host that is named twice is found, whatever it is named by, and none that only looks like another", () => {
  const found = ["demo-[0-3],demo-[2-5]", "demo-[0-3],node7,node7", "node[07-09,08]"].map(repeatedHost);
  assert.deepEqual(found, ["demo-2", "node7", "node08"]);
  for (const hosts of ["demo-[0-3],demo-[4-7],node[1-4]", "node[7-9],node[07-09]", "a[0-1]-x,a[0-1]-y"])
    assert.equal(repeatedHost(hosts), undefined, hosts);
});
