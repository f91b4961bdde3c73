import * as path from "node:path";
import Mocha from "mocha";

/** Number of spec files in the list of the slowest ones. */
const slowestCount = 30;

/**
 * Mocha's own report, the slowest spec files, the tests to mend because they passed only at the second attempt, and a
 * last line for any build system.
 */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const tried: string[] = [];
    const millis = new Map<string, number>();
    const { EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_RETRY } = Mocha.Runner.constants;
    const count = ({ file = "", duration = 0 }: Mocha.Test) => millis.set(file, (millis.get(file) ?? 0) + duration);
    runner.on(EVENT_TEST_END, count);
    runner.on(EVENT_TEST_RETRY, (test: Mocha.Test, error: Error) => {
      count(test);
      tried.push(
        `passed or failed at the second attempt, to mend: ${test.fullTitle()}\n  ${error.stack ?? error.message}`,
      );
    });
    runner.once(EVENT_RUN_END, () => {
      const slowest = [...millis].sort(([, one], [, other]) => other - one).slice(0, slowestCount);
      console.log(`\nthe ${slowest.length} slowest spec files:`);
      for (const [file, time] of slowest)
        console.log(`${(time / 1000).toFixed(1).padStart(8)} s  ${path.relative(process.cwd(), file)}`);
      for (const each of tried) console.log(each);
      const { passes, failures, pending } = this.stats;
      console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
    });
  }
}
