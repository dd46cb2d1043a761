/** The last line on a terminal's standard error, which is redrawn while a command works. */
import type { MultiBar } from 'cli-progress';

const REDRAW_MS = 250;
const BAR_WIDTH = 30;
const LEAST_BAR_WIDTH = 8;
const SEPARATOR = ' · ';

/** Redraws the line that `line` returns, four times a second, until it is stopped. */
export abstract class LastLine {
  readonly #isWanted: boolean;
  #bars: MultiBar | undefined;

  /** @param isWanted False under --json, --quiet and --no-progress. */
  constructor(isWanted: boolean) {
    this.#isWanted = isWanted && process.stderr.isTTY === true && !process.env.CI;
  }

  /** The text of the line, at most this wide. Called on every redraw. */
  protected abstract line(width: number): string;

  get isShown(): boolean {
    return this.#bars !== undefined;
  }

  /** Starts to draw. */
  async show(): Promise<void> {
    if (!this.#isWanted) return;
    const { default: cliProgress } = await import('cli-progress');
    this.#bars = new cliProgress.MultiBar({
      // One column less, because clearing the rest of the line needs the last column.
      format: () => this.line((process.stderr.columns || 80) - 1),
      fps: 1000 / REDRAW_MS,
      hideCursor: true,
      forceRedraw: true,
      // The first signal does not end the command at once.
      gracefulExit: false,
      stream: process.stderr,
    });
    this.#bars.create(1, 0);
  }

  /** Writes whole lines above the redrawn line, if there is one. */
  write(text: string): void {
    if (this.#bars === undefined) {
      process.stderr.write(text);
      return;
    }
    this.#bars.log(text);
    this.#bars.update();
  }

  stop(): void {
    this.#bars?.update();
    this.#bars?.stop();
    this.#bars = undefined;
  }
}

/** Facts of a line in one text. */
export const joined = (facts: readonly string[]): string => facts.join(SEPARATOR);

/** The columns that a further fact may have. */
export const roomAfter = (facts: readonly string[], width: number): number =>
  width - joined([...facts, '']).length;

/**
 * A bar and facts, fitted to the columns: the last facts are dropped first.
 * @param share From 0 to 1; null: there is no bar.
 * @param least Facts that are never dropped.
 */
export function barLine(
  share: number | null,
  facts: readonly string[],
  least: number,
  width: number,
): string {
  const kept = [...facts];
  while (kept.length > least && joined(kept).length > width) kept.pop();
  const text = joined(kept);
  const room = Math.min(BAR_WIDTH, width - text.length - 1);
  if (share === null || room < LEAST_BAR_WIDTH) return text.slice(0, width);
  const full = Math.round(Math.min(1, share) * room);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}
