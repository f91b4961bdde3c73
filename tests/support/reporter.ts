import Mocha from "mocha";

/** Mocha's own report, the tests that passed only at the second attempt, and a last line for any build system. */
export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const tried: string[] = [];
    const { EVENT_RUN_END, EVENT_TEST_RETRY } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_RETRY, (test: Mocha.Test, error: Error) =>
      tried.push(`tried again: ${test.fullTitle()}\n  ${error.stack ?? error.message}`),
    );
    runner.once(EVENT_RUN_END, () => {
      for (const each of tried) console.log(each);
      const { passes, failures, pending } = this.stats;
      console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ""}`);
    });
  }
}
