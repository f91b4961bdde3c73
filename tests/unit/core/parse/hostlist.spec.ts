import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { hostlistProblem, splitFirstHost } from "../../../../provider/core/parse/hostlist";
import { expandHosts } from "../../../support/hostlists";

it("the first host of a hostlist leaves the others", () => {
  const cases = {
    "demo-0": "",
    "demo-[0-7]": "demo-[1-7]",
    "demo-[0-1],burst-[0-3]": "demo-1,burst-[0-3]",
    "n[1,3]": "n3",
    "demo-[0],b-[0-3],x": "b-[0-3],x",
    "a,b[1,3],c": "b[1,3],c",
    "n[1-2,5-7,9],m": "n[2,5-7,9],m",
    "n[007-012]": "n[008-012]",
    "n[099-100]": "n100",
    "n[09-10,12]": "n[10,12]",
    "[1-3]": "[2-3]",
    "n[1-2]-ib,m[1-2]-ib": "n2-ib,m[1-2]-ib",
  };
  for (const [hosts, others] of Object.entries(cases))
    assert.deepEqual(splitFirstHost(hosts), [expandHosts(hosts)[0], others]);
});

describe("hosts of a hostlist", () => {
  const twice = (host: string) => `lists the host ${host} twice, and a host has one rank; list it once`;

  it("that are named twice are found in any notation, and none that only looks like another", () => {
    const found = ["demo-[0-3],demo-[2-5]", "demo-[0-3],node7,node7", "node[07-09,08]", "a1[0-3],a[12-13]"];
    assert.deepEqual(found.map(hostlistProblem), ["demo-2", "node7", "node08", "a12"].map(twice));
    const none = ["demo-[0-3],demo-[4-7],node[1-4]", "node[7-9],node[07-09]", "a[0-1]-x,a[0-1]-y", "a[", "a]", ""];
    assert.deepEqual(none.map(hostlistProblem).join(""), "");
  });

  it("are counted before they are listed", () => {
    const many = `a-[${Array(20).fill("0-999999").join()}]`;
    assert.equal(hostlistProblem(many), "names 20000000 hosts; an instance has at most 100000");
    assert.equal(hostlistProblem("a-[0-99999]"), undefined);
    const long = "has a host name of more than 253 characters; shorten it";
    assert.equal(hostlistProblem(`a-[${"0".repeat(1000)}-99999]`), long);
  });

  it("are those of Flux, of any small ranges", () => {
    const number = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5 }), fc.boolean());
    const range = number.map(([from, more, wide]) => {
      const [first, last] = [from, from + more].map((each) => String(each).padStart(wide ? 2 : 1, "0"));
      return more === 0 ? `${first}` : `${first}-${last}`;
    });
    const part = fc
      .tuple(
        fc.constantFrom("a", "a1", "b-"),
        fc.array(range, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "-x"),
      )
      .map(([stem, ranges, suffix]) => `${stem}[${ranges.join()}]${suffix}`);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const hosts = expandHosts(parts.join());
        const repeated = hosts.find((host, index) => hosts.indexOf(host) < index);
        assert.equal(hostlistProblem(parts.join()), repeated === undefined ? undefined : twice(repeated));
      }),
    );
  });
});
