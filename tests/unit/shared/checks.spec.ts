import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import * as checks from "../../../provider/shared/checks";

const long = (count: number) => "a".repeat(count);

/** What each check lets through, and what it does not. */
const tables: [check: keyof typeof checks | z.ZodType, good: unknown[], bad: unknown[]][] = [
  ["dnsLabel", ["a", "a-b", "0a", long(63)], ["", "A", "a.b", "-a", "a-", "a_b", "a\n", long(64)]],
  ["serviceName", ["a", "a-0", long(63)], ["0a", "-a", "a-", "", long(64), "a\n"]],
  ["objectName", ["a", "0", "a.b-c.d", long(253)], ["", ".a", "a.", "a..b", "a.-b", "A", "a_b", long(254), "a\n"]],
  ["labelledName", ["a", "hpc.users", long(63)], ["", "Users", "a b", ".a", "a-", long(64), "a\n"]],
  ["labelValue", ["", "A", "a_b.c-d", long(63)], ["-a", "a-", "a b", long(64), "a\n"]],
  ["qualifiedName", ["cpu", "nvidia.com/gpu", "hugepages-2Mi", "a.b/C_d.e"],
    ["", "/a", "a/", "a/b/c", "A.com/b", "a b", "a\n"]],
  ["variableName", ["A", "_a1", "1a", "a-b", "a.b", " a b", "~<>!"], ["", "a=b", "=", "é", "A\n", "a\0", "a\x7f"]],
  ["shellVariableName", ["A", "_a1"], ["", "1a", "a-b", "a b", "a=b", "é", "A\n"]],
  [
    "quantity",
    ["0", "1", "500m", "1.5Gi", ".5", "1.", "1e3", "1E-3", "8Ki", "2k", "5u", "7n", "+1", "3E", "3Ei"],
    ["", ".", "1 Gi", "1GB", "gi", "-1", "1ki", "1e", "NaN", "1\n"],
  ],
  ["absolutePath", ["/", "/a b/é", "/a/../b"], ["", "a", "./a", "/a:b", "/a\0"]],
  ["fluxDuration", ["0", "5s", "1.5m", "500ms", "2h", "1d"], ["", "s", "-1s", "5 s", "1w", "5s\n"]],
  ["nonEmptyText", ["a", " a "], ["", " ", "\n\t"]],
  ["flag", [true, false], ["true", 1, 0]],
  [checks.integer(1, 3), [1, 3], [0, 4, 1.5, NaN, Infinity, "1", 1n]],
  [checks.choice({ One: "one", Two: "two" }), ["one", "two"], ["One", "", "three", 1]],
  [checks.object({ a: checks.flag.optional() }), [{}, { a: true }], [[], "a", new Date()]],
  [checks.map(checks.dnsLabel, checks.flag), [{}, { a: true }], [{ A: true }, { a: 1 }, [], new Map()]],
  [checks.list(checks.flag), [[], [true]], [[1], {}, "a"]],
]; // prettier-ignore

describe("a check", () => {
  for (const [index, [named, good, bad]] of tables.entries()) {
    const check = (typeof named === "string" ? checks[named] : named) as z.ZodType;
    it(
      "lets the right values through, and says in words of ours what is wrong with others: " +
        `${typeof named === "string" ? named : index}`,
      () => {
        for (const value of good) assert.ok(check.safeParse(value).success, String(value));
        for (const value of [...bad, null, undefined]) {
          const { error } = check.safeParse(value);
          assert.ok(error, String(value));
          for (const issue of error.issues) assert.match(issue.message, /must be/);
        }
        for (const later of [pulumi.output("a"), Promise.resolve("a")])
          assert.match(check.safeParse(later).error?.issues[0]?.message ?? "", /known before anything is created/);
      },
    );
  }

  it("of a leaf takes what is only known later, and passes it on as it is", () => {
    const leaf = checks.leaf(checks.dnsLabel);
    for (const later of [pulumi.output("a"), Promise.resolve("a"), "a"]) assert.ok(leaf.parse(later) === later);
    for (const wrong of ["A", 1]) assert.match(leaf.safeParse(wrong).error?.issues[0]?.message ?? "", /must be/);
  });
});

describe("a former name of an argument", () => {
  const messageOn = (given: object) => {
    const pool = checks.object({ capacityType: checks.text.optional(), price: checks.object({}).optional() });
    return pool.safeParse(given).error?.issues.map(({ message }) => message);
  };

  it("is answered by the present name, in a type that has it", () => {
    for (const [former, present] of Object.entries({ capacity: "capacityType", listPrice: "price.list" }))
      assert.deepEqual(messageOn({ [former]: 1 }), [`${former} is now ${present}`]);
    assert.deepEqual(messageOn({ region: 1 }), ["unknown property; correct its name or remove it"]);
    assert.match(checks.unknownProperty("capacity", ["name", "size"]), /^unknown property/);
  });
});
