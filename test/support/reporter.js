/** mocha's Spec reporter with the closing line `N passed, N failed` on a line of its own, after everything else. */
import mocha from 'mocha';

export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    // Parallel runs report a second file that cannot be loaded after the end of the run.
    process.once('exit', () => {
      const { passes, failures } = this.stats;
      console.log(`${passes} passed, ${failures} failed`);
    });
  }
}
