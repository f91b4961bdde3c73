import * as assert from "node:assert/strict";
import { hostlist, repeatedHost, splitFirstHost } from "../../../provider/minicluster/flux/hostlist";

describe("hostlist", () => {
  const cases: [stem: string, count: number, expected: string][] = [
    ["demo", 1, "demo-0"],
    ["demo", 2, "demo-[0-1]"],
    ["demo", 8, "demo-[0-7]"],
    ["a-1", 100_000, "a-1-[0-99999]"],
  ];
  for (const [stem, count, expected] of cases)
    it(`of ${count} hosts ${stem}-… is ${expected}`, () => {
      assert.equal(hostlist(stem, count), expected);
    });
});

describe("first host", () => {
  const cases: [hosts: string, first: string, others: string][] = [
    ["demo-0", "demo-0", ""],
    ["demo-[0-7]", "demo-0", "demo-[1-7]"],
    ["demo-[0-1]", "demo-0", "demo-1"],
    ["demo-[0]", "demo-0", ""],
    ["demo-[0-0]", "demo-0", ""],
    ["demo-0,demo-1", "demo-0", "demo-1"],
    ["demo-0,burst-[0-3]", "demo-0", "burst-[0-3]"],
    ["demo-[0-1],burst-[0-3]", "demo-0", "demo-1,burst-[0-3]"],
    ["demo-[0],burst-[0-3],x", "demo-0", "burst-[0-3],x"],
    ["a,b[1,3],c", "a", "b[1,3],c"],
    ["n[1,3]", "n1", "n3"],
    ["n[1,3,5]", "n1", "n[3,5]"],
    ["n[1,3-5]", "n1", "n[3-5]"],
    ["n[1-2,5-7,9],m", "n1", "n[2,5-7,9],m"],
    ["n[007-012]", "n007", "n[008-012]"],
    ["n[099-100]", "n099", "n100"],
    ["n[09-10,12]", "n09", "n[10,12]"],
    ["n[9-11]", "n9", "n[10-11]"],
    ["n[9-10]", "n9", "n10"],
    ["n[1-3].example.com", "n1.example.com", "n[2-3].example.com"],
    ["n[1-2]-ib,m[1-2]-ib", "n1-ib", "n2-ib,m[1-2]-ib"],
    ["[1-3]", "1", "[2-3]"],
  ];
  for (const [hosts, first, others] of cases)
    it(`of ${hosts} is ${first}, and the others are ${others || "none"}`, () => {
      assert.deepEqual(splitFirstHost(hosts), [first, others]);
    });

  it("of what is left is the next one, to the end", () => {
    const all: string[] = [];
    for (let left = "a[08-11,3],b,c[1-2]x"; left !== "";) {
      const [first, others] = splitFirstHost(left);
      all.push(first);
      left = others;
    }
    assert.deepEqual(all, ["a08", "a09", "a10", "a11", "a3", "b", "c1x", "c2x"]);
  });
});

describe("a host that is named twice", () => {
  const cases: [hosts: string, want: string | undefined][] = [
    ["demo-[0-3],demo-[2-5]", "demo-2"],
    ["demo-[0-3],node7,node7", "node7"],
    ["demo-[0-3],demo-2", "demo-2"],
    ["node[07-09,08]", "node08"],
    ["demo-[0-3],demo-[4-7],node[1-4]", undefined],
    ["node[7-9],node[07-09]", undefined],
    ["a[0-1]-x,a[0-1]-y", undefined],
    ["demo-0", undefined],
  ];
  for (const [hosts, want] of cases)
    it(`is ${want ?? "none"} in ${hosts}`, () => assert.equal(repeatedHost(hosts), want));
});
