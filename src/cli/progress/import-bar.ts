import cliProgress from 'cli-progress';
import { mib } from '../render/mib.js';

interface Loaded {
  readonly lines: number;
}

/** Shows bytes, lines and rate on a terminal's standard error, with a bar if the size is known. */
export class ImportBar {
  readonly #bar: cliProgress.SingleBar | undefined;
  readonly #started = Date.now();
  #bytes = 0;

  constructor(file: string, size: number | null, wanted: boolean) {
    if (!wanted || !process.stderr.isTTY || process.env.CI) return;
    const progress = size === null ? '' : '{bar} {percentage} % · ';
    const options = {
      format: `${file} ${progress}{mib} MiB · {lines} lines · {rate} lines/s`,
      hideCursor: true,
    };
    this.#bar = new cliProgress.SingleBar(
      { ...options, stream: process.stderr },
      cliProgress.Presets.shades_classic,
    );
    this.#bar.start(size ?? 0, 0, { mib: '0.0', lines: 0, rate: 0 });
  }

  /** Yields the chunks of a stream and counts their bytes. */
  async *counting(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  update({ lines }: Loaded): void {
    const seconds = Math.max(0.001, (Date.now() - this.#started) / 1000);
    this.#bar?.update(this.#bytes, { mib: mib(this.#bytes), lines, rate: Math.round(lines / seconds) });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
