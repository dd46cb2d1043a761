import type { SingleBar } from 'cli-progress';

const MIB = 1024 * 1024;

/** Bytes, hits and rate on a terminal's standard error; a bar where the size is known. */
export class IngestBar {
  readonly #started = performance.now();
  #bar: SingleBar | undefined;
  #bytes = 0;

  /** @param size Bytes to read in all, null: not known. */
  static async show(size: number | null, isWanted: boolean): Promise<IngestBar> {
    const bar = new IngestBar();
    if (!isWanted || !process.stderr.isTTY || process.env.CI) return bar;
    const { default: cliProgress } = await import('cli-progress');
    const progress = size === null ? '' : '{bar} {percentage} % · ';
    const format = `${progress}{mib} MiB read · {sent} batches sent · {hits} AI hits · {rate} MiB/s`;
    const options = { format, hideCursor: true, stream: process.stderr };
    bar.#bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
    bar.#bar.start(size ?? 0, 0, { mib: '0.0', sent: 0, hits: 0, rate: '0.0' });
    return bar;
  }

  read(bytes: number): void {
    this.#bytes += bytes;
  }

  update({ batches, matched }: { readonly batches: number; readonly matched: number }): void {
    const mib = this.#bytes / MIB;
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const rate = (mib / seconds).toFixed(1);
    this.#bar?.update(this.#bytes, { mib: mib.toFixed(1), sent: batches, hits: matched, rate });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
