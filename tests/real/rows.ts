import type { MiniClusterArgs } from "../../provider";
import { type RealCluster, withRealCluster } from "./clusters";
import { atOnce } from "./lab";
import { tellWhatWasSeen } from "./look";

// Most of a test's time here is waiting: 10 s of the Job controller's before each successor, 40 s of the garbage
// collector's for the pods of a lost node. So tests run at the same time, and mocha reports each in its turn.

/** Tests that run one after the other. */
interface Row {
  tests: Mocha.Test[];
  run: () => Promise<void>;
}

const rows: Row[] = [];
let ended: Promise<unknown> | undefined;

/** Starts the first rows, and each of the others when one has ended. */
export function beginRows(): void {
  const waiting = rows.filter(({ tests }) => tests.some(isWanted));
  const next = async (): Promise<void> => {
    const row = waiting.shift();
    if (!row) return;
    // A failure here fails the tests of the row.
    await row.run().catch(() => undefined);
    await next();
  };
  ended = Promise.all(Array.from({ length: atOnce }, next));
}

/** Waits for the end of all rows. */
export const rowsEnded = () => Promise.resolve(ended);

/** Tests with one cluster, which each of them leaves complete for the next. */
export function rowWithCluster(
  args: Partial<MiniClusterArgs>,
): (title: string, body: (cluster: RealCluster) => Promise<void>) => void {
  return row<RealCluster>(
    (body) =>
      withRealCluster(args, async (cluster) => {
        await cluster.stack.up();
        await body(cluster);
      }),
    tellWhatWasSeen,
  );
}

/** Tests in sequence, each with its own resources. */
export const rowOfTests = () =>
  row<undefined>((all) => all(undefined)) as (title: string, body: () => Promise<void>) => void;

/** A test that is the only one of its row. */
export const aloneInRow = (title: string, body: () => Promise<void>) => rowOfTests()(title, body);

/** A test that runs alone, after all rows: one that kills an engine, whose program stays in this process. */
export function afterRows(title: string, body: () => Promise<void>): void {
  it(title, async () => {
    await rowsEnded();
    await body();
  });
}

function row<Subject>(
  around: (body: (subject: Subject) => Promise<void>) => Promise<void>,
  report?: (subject: Subject) => Promise<void>,
): (title: string, body: (subject: Subject) => Promise<void>) => void {
  const all: { body: (subject: Subject) => Promise<void>; test: Mocha.Test; outcome: Outcome }[] = [];
  const tests: Mocha.Test[] = [];
  const run = () =>
    around(async (subject) => {
      for (const { body, test, outcome } of all) {
        if (!isWanted(test)) continue;
        try {
          await body(subject);
          outcome.settle();
        } catch (error) {
          await report?.(subject);
          outcome.settle(error);
        }
      }
    });
  // Failures before the first test and after the last one are reported as well.
  const whole = new Outcome();
  rows.push({
    tests,
    run: () =>
      run().then(
        () => whole.settle(),
        (error: unknown) => {
          for (const { outcome } of all) outcome.settle(error);
          whole.settle(error);
        },
      ),
  });
  after(() => (tests.some(isWanted) ? whole.promise : undefined));
  return (title, body) => {
    const outcome = new Outcome();
    const test = it(title, () => outcome.promise);
    all.push({ body, test, outcome });
    tests.push(test);
  };
}

/** The outcome of something that may not be awaited yet. The first outcome counts. */
class Outcome {
  readonly promise: Promise<void>;
  settle: (error?: unknown) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(toError(error)));
    });
    this.promise.catch(() => undefined);
  }
}

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Whether mocha runs a test: with --grep the others do not run. */
function isWanted(test: Mocha.Test): boolean {
  const flag = process.argv.findIndex((word) => word === "--grep" || word === "-g");
  return flag < 0 || new RegExp(process.argv[flag + 1] ?? "").test(test.fullTitle());
}
