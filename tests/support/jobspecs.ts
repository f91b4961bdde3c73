import * as fc from "fast-check";

/** A jobspec and a memo of its job, as a user may write both. */
export interface OddJob {
  jobspec: object;
  memo: object;
}

/** Texts with all line separators of Unicode, of JSON and of Python, and names that a program may treat specially. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "a\u2028b",
    "\u2029",
    "\u0085",
    "\u000b\u000c\u001c\u001d\u001e",
    "\r\n",
    "é\n",
    "",
    "nan",
    "__class__",
  ),
);
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  texts,
  fc.constantFrom<unknown>(2 ** 53, -1, 1e300, true, null, [], {}),
);
/** A valid value mostly, and else one of any type. */
const mostly = <T>(valid: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: odd });
const object = fc.dictionary(texts, odd, { maxKeys: 4 });

const counts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(2 ** 31, 2 ** 53));
const core = fc.record({ type: fc.constantFrom("core", "gpu", "socket", "rack", "memory"), count: counts });
const slot = fc.record({
  type: fc.constant("slot"),
  count: counts,
  label: texts,
  with: fc.array(core, { minLength: 1, maxLength: 2 }),
});
const node = fc.record(
  {
    type: fc.constant("node"),
    count: counts,
    exclusive: fc.boolean(),
    with: fc.array(slot, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["type", "count", "with"] },
);
/** Slots in slots, whose counts multiply to a number of many digits. */
const deep = fc.integer({ min: 2, max: 300 }).map((levels) => {
  let vertex: object = { type: "core", count: 2 ** 53 };
  for (let level = 0; level < levels; level++) vertex = { type: "slot", label: "task", count: 2 ** 53, with: [vertex] };
  return vertex;
});
const resources = fc.array(fc.oneof(node, slot, core, deep), { maxLength: 2 });
const task = fc.record({
  command: fc.array(texts, { minLength: 1, maxLength: 3 }),
  slot: texts,
  count: fc.oneof(fc.record({ per_slot: counts }), fc.record({ total: counts })),
});
const constraints = fc.oneof(
  fc.record({ properties: fc.array(fc.constantFrom("fast", "home"), { maxLength: 2 }) }),
  fc.record({ ranks: fc.array(fc.constantFrom("0", "0-3", "99"), { maxLength: 2 }) }),
  fc.record({ hostlist: fc.array(fc.constantFrom("home-0", "far-1"), { maxLength: 2 }) }),
  fc.constantFrom({}, { not: [] }, { and: [] }, { or: [{}, {}] }, { ranks: ["0"], properties: [] }),
);
const requeue = mostly(
  fc.record({ restarts: odd, signal: mostly(fc.constantFrom("USR1", "_DFL", "_IGN", "NOSUCH")), graceSeconds: odd }),
);
const origin = mostly(
  fc.record({ of: odd, after: odd, restarts: odd, cause: mostly(fc.constantFrom("host", "leave")) }),
);
const system = fc.record(
  {
    duration: mostly(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true }))),
    queue: mostly(fc.constantFrom("home", "far")),
    job: mostly(fc.record({ name: mostly(texts) })),
    environment: mostly(object),
    cwd: mostly(texts),
    shell: mostly(object),
    requeue,
    constraints: mostly(constraints),
    dependencies: mostly(
      fc.array(fc.record({ scheme: fc.constant("begin-time"), value: fc.constantFrom("0", "1e9") }), { maxLength: 2 }),
    ),
    bank: odd,
  },
  { requiredKeys: ["duration", "queue"] },
);
const user = mostly(fc.record({ owner: mostly(texts), requeue: origin }, { requiredKeys: [] }));

const jobspec = fc.record({
  version: fc.constant(1),
  resources,
  tasks: fc.array(task, { maxLength: 2 }),
  attributes: fc.record({ system, user }, { requiredKeys: ["system"] }),
});

const place = mostly(
  fc.record(
    { queue: mostly(texts), round: odd, tried: odd, why: odd, at: odd, left: mostly(texts) },
    { requiredKeys: [] },
  ),
);
const levels = fc
  .integer({ min: 1, max: 1400 })
  .map((count) => JSON.parse("[".repeat(count) + "]".repeat(count)) as unknown);
const memo = fc.oneof(
  object,
  fc.record({ requeue: mostly(fc.record({ signalled: odd })), place, cost: odd, deep: levels }, { requiredKeys: [] }),
);

/** So many odd jobs. */
export const oddJobs = (count: number, seed: number): OddJob[] =>
  fc.sample(fc.record({ jobspec, memo }), { numRuns: count, seed });
