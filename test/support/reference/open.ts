/** Stands for a text whose wording no document fixes. */
export const WORDS = '(words)';

/** Stands for a value that no document fixes, so that any served value will do. */
export const OPEN = '(open)';
export type Open = typeof OPEN;

/** Times copied from a run: the instant is fixed, its spelling is not. */
const INSTANT_FIELDS = ['captured_at', 'first_captured_at', 'last_captured_at'];

/** What sentences state, whose wording no document fixes either. */
const FACT_FIELDS = ['notes', 'reason_fact'];

/**
 * A served body made ready to compare with the expected one by deep equality: what the reference leaves open, the
 * wording of notes and the spelling of instants are taken from it, and facts behind sentences are left out. An absent field or an empty text stays as it is.
 */
export function settled(served: unknown, expected: unknown, field = ''): unknown {
  if (expected === OPEN) return served === undefined || served === '' ? served : OPEN;
  if (expected === WORDS) return typeof served === 'string' && served !== '' ? WORDS : served;
  if (Array.isArray(served) && Array.isArray(expected)) {
    return served.map((element, index) => settled(element, expected[index], field));
  }
  if (isRecord(served) && isRecord(expected)) {
    return Object.fromEntries(
      Object.entries(served)
        .filter(([key]) => key in expected || !FACT_FIELDS.includes(key))
        .map(([key, value]) => [key, settled(value, expected[key], key)]),
    );
  }
  return INSTANT_FIELDS.includes(field) && sameInstant(served, expected) ? expected : served;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameInstant(served: unknown, expected: unknown): boolean {
  if (typeof served !== 'string' || typeof expected !== 'string') return false;
  return /^\d{4}-\d\d-\d\dT/.test(served) && Date.parse(served) === Date.parse(expected);
}
