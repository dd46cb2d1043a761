/** A waterfall in the terminal: a line per step, with its amount and a bar from where the last one ended. */
import { printable } from '../../contract/printable.js';
import type { Waterfall, WaterfallStep } from '../../contract/waterfall.js';
import { type Format, shortened, styled, widthOf } from './terminal.js';

export interface StepWords {
  readonly label: string;
  readonly amount: string;
}

const GAP = 2;
const BAR = { least: 8, most: 40 } as const;

/** Blocks on a terminal; a file or another program gets plain characters. */
const blocks = (): { readonly level: string; readonly step: string } =>
  process.stdout.isTTY && process.env.TERM !== 'dumb' ? { level: '█', step: '▒' } : { level: '#', step: '=' };

const looks = ({ kind, amount }: WaterfallStep): readonly Format[] => {
  if (kind === 'before' || kind === 'after') return ['bold'];
  if (kind === 'rest') return ['dim'];
  return [amount < 0 ? 'red' : 'green'];
};

/**
 * @param axis Where the bars begin, as a last line without a bar; null: at 0.
 * @param width Terminal columns, which no line exceeds.
 */
export function waterfallLines(
  { steps, low, high }: Waterfall,
  wordsOf: (step: WaterfallStep) => StepWords,
  axis: StepWords | null,
  width: number,
): string[] {
  const words = [...steps.map(wordsOf), ...(axis ? [axis] : [])].map(({ label, amount }) => ({
    label: printable(label),
    amount,
  }));
  const amounts = Math.max(...words.map(({ amount }) => widthOf(amount)));
  const longest = Math.max(...words.map(({ label }) => widthOf(label)));
  const room = Math.max(1, width - amounts - 2 * GAP);
  const labels = Math.max(
    1,
    Math.min(longest, room - BAR.least, Math.max(room - BAR.most, Math.floor(room / 2))),
  );
  const bar = Math.max(0, Math.min(BAR.most, room - labels));
  const { level, step: block } = blocks();
  const column = (value: number): number => Math.round((bar * (value - low)) / (high - low));
  const barOf = (step: WaterfallStep): string => {
    const isLevel = step.kind === 'before' || step.kind === 'after';
    const [from, to] = [column(step.from), column(step.to)].sort((a, b) => a - b);
    const length = Math.max(1, to! - from!);
    const start = Math.min(from!, Math.max(0, bar - length));
    const drawn =
      bar === 0 ? '' : ' '.repeat(start) + (isLevel ? level : block).repeat(Math.min(length, bar));
    return styled(looks(step), drawn, process.stdout);
  };
  return words.map(({ label, amount }, at) => {
    const text = shortened(label, labels);
    const step = steps[at];
    const line = [
      text + ' '.repeat(labels - widthOf(text)),
      ' '.repeat(amounts - widthOf(amount)) + amount,
      step ? barOf(step) : '',
    ];
    return line.join(' '.repeat(GAP)).trimEnd();
  });
}
