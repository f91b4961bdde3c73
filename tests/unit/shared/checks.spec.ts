import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import * as checks from "../../../provider/shared/checks";

const long = (count: number) => "a".repeat(count);

/** What each check lets through, and what it does not. */
const tables: Record<string, { check: z.ZodType; good: unknown[]; bad: unknown[] }> = {
  dnsLabel: {
    check: checks.dnsLabel,
    good: ["a", "a-b", "0a", long(63)],
    bad: ["", "A", "a.b", "-a", "a-", "a_b", "a\n", long(64)],
  },
  serviceName: {
    check: checks.serviceName,
    good: ["a", "a-0", long(63)],
    bad: ["0a", "-a", "a-", "", long(64), "a\n"],
  },
  objectName: {
    check: checks.objectName,
    good: ["a", "0", "a.b-c.d", long(253)],
    bad: ["", ".a", "a.", "a..b", "a.-b", "A", "a_b", long(254), "a\n"],
  },
  labelValue: {
    check: checks.labelValue,
    good: ["", "A", "a_b.c-d", long(63)],
    bad: ["-a", "a-", "a b", long(64), "a\n"],
  },
  qualifiedName: {
    check: checks.qualifiedName,
    good: ["cpu", "nvidia.com/gpu", "hugepages-2Mi", "a.b/C_d.e"],
    bad: ["", "/a", "a/", "a/b/c", "A.com/b", "a b", "a\n"],
  },
  variableName: {
    check: checks.variableName,
    good: ["A", "_a1", "1a", "a-b", "a.b", " a b", "~<>!"],
    bad: ["", "a=b", "=", "é", "A\n", "a\0", "a\x7f"],
  },
  shellVariableName: {
    check: checks.shellVariableName,
    good: ["A", "_a1"],
    bad: ["", "1a", "a-b", "a b", "a=b", "é", "A\n"],
  },
  quantity: {
    check: checks.quantity,
    good: ["0", "1", "500m", "1.5Gi", ".5", "1.", "1e3", "1E-3", "8Ki", "2k", "5u", "7n", "+1", "3E", "3Ei"],
    bad: ["", ".", "1 Gi", "1GB", "gi", "-1", "1ki", "1e", "NaN", "1\n"],
  },
  absolutePath: { check: checks.absolutePath, good: ["/", "/a b/é", "/a/../b"], bad: ["", "a", "./a", "/a:b", "/a\0"] },
  fluxDuration: {
    check: checks.fluxDuration,
    good: ["0", "5s", "1.5m", "500ms", "2h", "1d"],
    bad: ["", "s", "-1s", "5 s", "1w", "5s\n"],
  },
  nonEmptyText: { check: checks.nonEmptyText, good: ["a", " a "], bad: ["", " ", "\n\t"] },
  integer: { check: checks.integer(1, 3), good: [1, 3], bad: [0, 4, 1.5, NaN, Infinity, "1", 1n] },
  choice: { check: checks.choice({ One: "one", Two: "two" }), good: ["one", "two"], bad: ["One", "", "three", 1] },
  flag: { check: checks.flag, good: [true, false], bad: ["true", 1, 0] },
  object: {
    check: checks.object({ a: checks.flag.optional() }),
    good: [{}, { a: true }],
    bad: [{ b: 1 }, [], "a", new Date()],
  },
  map: {
    check: checks.map(checks.dnsLabel, checks.flag),
    good: [{}, { a: true }],
    bad: [{ A: true }, { a: 1 }, [], new Map()],
  },
  list: { check: checks.list(checks.flag), good: [[], [true]], bad: [[1], {}, "a"] },
  leaf: { check: checks.leaf(checks.dnsLabel), good: ["a"], bad: ["A", 1] },
};

describe("a check", () => {
  for (const [name, { check, good, bad }] of Object.entries(tables)) {
    for (const value of good) it(`${name} accepts ${print(value)}`, () => assert.ok(check.safeParse(value).success));
    for (const value of [...bad, null, undefined])
      it(`${name} refuses ${print(value)}, and says why in words of ours`, () => {
        const { error } = check.safeParse(value);
        assert.ok(error);
        for (const issue of error.issues)
          if (issue.code !== "unrecognized_keys") assert.match(issue.message, /must be/);
      });
    it(`${name} ${name === "leaf" ? "accepts" : "refuses"} what is only known later`, () => {
      for (const later of [pulumi.output("a"), Promise.resolve("a")]) {
        const { success, error } = check.safeParse(later);
        assert.equal(success, name === "leaf");
        if (!success) assert.match(error.issues[0]?.message ?? "", /known before anything is created/);
      }
    });
  }

  it("passes an output on as it is", () => {
    const output = pulumi.output("a");
    assert.ok(checks.leaf(checks.text).parse(output) === output);
  });
});

function print(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 20));
  return typeof value === "object" && value !== null ? value.constructor.name : String(value);
}
