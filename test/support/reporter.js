/** mocha's Spec reporter with the closing line `N passed, N failed` alone on a line. */
import mocha from 'mocha';

export default class ClosingLine extends mocha.reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ''}`);
  }
}
