/** Texts that make a regular expression work hard, made from its own parts. */
import { stepsOf } from './steps.js';
import { type Pattern, patternOf } from './syntax.js';

const candidates = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  '\u00e9',
  '\u2028',
  '\ufeff',
  '\u4e00',
];

const partsOf = (pattern: Pattern): readonly Pattern[] => {
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') return pattern.parts;
  return pattern.kind === 'repeat' || pattern.kind === 'look' ? [pattern.part] : [];
};

/** One character for each way in which characters differ to the pattern. */
function representatives(pattern: Pattern): string[] {
  const sets: ((character: string) => boolean)[] = [];
  const collect = (part: Pattern): void => {
    if (part.kind === 'set') sets.push(part.holds);
    for (const inner of partsOf(part)) collect(inner);
  };
  collect(pattern);
  const bySignature = new Map<string, string>();
  for (const character of ['a', '0', ' ', '\u2028', ...candidates]) {
    const signature = sets.map((holds) => (holds(character) ? 1 : 0)).join('');
    if (!bySignature.has(signature)) bySignature.set(signature, character);
  }
  return [...bySignature.values()];
}

/** A short text that the pattern matches. */
function sample(pattern: Pattern, characters: readonly string[]): string {
  switch (pattern.kind) {
    case 'set':
      return characters.find(pattern.holds) ?? '';
    case 'sequence':
      return pattern.parts.map((part) => sample(part, characters)).join('');
    case 'choice':
      return sample(pattern.parts[0]!, characters);
    case 'repeat':
      return sample(pattern.part, characters).repeat(pattern.min);
    default:
      return '';
  }
}

interface Loop {
  /** A text that leads to the loop. */
  readonly before: string;
  /** Texts that it may repeat. */
  readonly bodies: readonly string[];
}

/** The unbounded repetitions of a pattern. */
function loopsOf(pattern: Pattern, characters: readonly string[], before = ''): Loop[] {
  if (pattern.kind === 'sequence') {
    let lead = before;
    return pattern.parts.flatMap((part) => {
      const loops = loopsOf(part, characters, lead);
      lead += sample(part, characters);
      return loops;
    });
  }
  const inner = partsOf(pattern).flatMap((part) => loopsOf(part, characters, before));
  if (pattern.kind !== 'repeat' || pattern.max < 1000) return inner;
  const branches = pattern.part.kind === 'choice' ? pattern.part.parts : [pattern.part];
  return [{ before, bodies: branches.map((branch) => sample(branch, characters)) }, ...inner];
}

const SHORT = 12;
/** Characters of the longer texts, which decide: short enough for a matcher that calls itself at each of them. */
const LONG = 300;

/** Least of the second differences that a quadratic course shows at SHORT, 2 SHORT and 3 SHORT. */
const LEAST_BEND = SHORT ** 2 / 2;

/** Whether the steps for one, two and three units are far from a straight line. */
function isBent(pattern: Pattern, flags: string, text: (units: number) => string): boolean {
  const most = stepsOf(pattern, flags, text(3));
  if (most === Number.POSITIVE_INFINITY) return true;
  // A course that bends that much has come this far.
  if (most < (LEAST_BEND / 2) * 9) return false;
  return most - 2 * stepsOf(pattern, flags, text(2)) + stepsOf(pattern, flags, text(1)) >= LEAST_BEND;
}

interface Attack {
  readonly before: string;
  readonly repeated: string;
  readonly behind: string;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

/** What to repeat, and where: from the start, and after the text that leads to a loop. */
function* beginnings(loops: readonly Loop[], characters: readonly string[]): Generator<[string, string]> {
  const anywhere = loops.flatMap(({ before, bodies }) => bodies.flatMap((body) => [body, before + body]));
  for (const repeated of unique([...characters, ...anywhere])) yield ['', repeated];
  const seen = new Set(['']);
  for (const { before, bodies } of loops) {
    if (seen.has(before)) continue;
    seen.add(before);
    for (const repeated of unique([...characters, ...bodies])) yield [before, repeated];
  }
}

/** Whether the work more than triples when what is repeated gets twice as long. */
function isSlow(pattern: Pattern, flags: string, { before, repeated, behind }: Attack): boolean {
  const text = (length: number) => (units: number) =>
    before + repeated.repeat(units * Math.ceil(length / repeated.length)) + behind;
  if (!isBent(pattern, flags, text(SHORT))) return false;
  const twice = stepsOf(pattern, flags, text(LONG)(2));
  return twice === Number.POSITIVE_INFINITY || twice > 3 * stepsOf(pattern, flags, text(LONG)(1));
}

/** A text that makes the expression slow; undefined where none of many texts does. */
export function attackOn(source: string, flags: string): Attack | undefined {
  const pattern = patternOf(source, flags);
  const characters = representatives(pattern);
  const loops = loopsOf(pattern, characters);
  if (loops.length === 0) return undefined;
  const few = characters.slice(0, 5);
  const behinds = ['', ...characters, ...few.flatMap((a) => few.map((b) => a + b))];
  for (const [before, repeated] of beginnings(loops, characters)) {
    for (const behind of behinds) {
      const attack = { before, repeated, behind };
      if (isSlow(pattern, flags, attack)) return attack;
    }
  }
  return undefined;
}
