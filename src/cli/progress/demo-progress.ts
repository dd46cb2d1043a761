import cliProgress from 'cli-progress';

/** Reports that demo data is generated: a counter on a terminal, else one line. */
export class DemoProgress {
  #bar: cliProgress.SingleBar | undefined;
  #said = false;

  update(records: number): void {
    if (!process.stderr.isTTY || process.env.CI) {
      if (!this.#said) process.stderr.write('Loading demo data …\n');
      this.#said = true;
      return;
    }
    if (!this.#bar) {
      this.#bar = new cliProgress.SingleBar({
        format: 'Loading demo data: {records} records',
        hideCursor: true,
        clearOnComplete: true,
        stream: process.stderr,
      });
      this.#bar.start(1, 0, { records });
    }
    this.#bar.update(0, { records });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
