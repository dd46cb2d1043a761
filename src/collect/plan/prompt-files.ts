/** Files with prompts: one a line, CSV with topics and tags, and what Search Console exports. */
import { escapeControls } from '../../contract/printable.js';
import type { CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { foldText } from '../../server/intake/dataset/catalog-ids.js';
import { EXPECTED } from '../../server/intake/dataset/lines.js';
import { MAX_PROMPTS, promptShape, sharedTexts } from './catalog-shape.js';
import { decoded, type Row, rowsOf, separatorOf } from './delimited.js';
import { PlanError, type PlanFault } from './parse-plan.js';

/** A query of a Search Console export. */
export interface SearchQuery {
  readonly text: string;
  /** Null: not stated. */
  readonly impressions: number | null;
}

export type PromptFile =
  | { readonly kind: 'prompts'; readonly form: 'lines' | 'csv'; readonly prompts: readonly CatalogPrompt[] }
  | { readonly kind: 'queries'; readonly queries: readonly SearchQuery[] };

/** The heads of the columns, as `foldText` has them. */
export const HEADS = {
  text: ['text', 'prompt', 'prompts', 'question'],
  topic: ['topic'],
  tags: ['tags', 'tag'],
  was: ['was'],
} as const;

/** What Search Console calls these columns, in the languages whose exports have other words than English ones. */
const CLICKS = [
  ...['clicks', 'klicks', 'clics', 'clic', 'cliques', 'klikken', 'kliknięcia', 'klick', 'klik', 'klikk'],
  ...['клики', 'tıklamalar', 'kliknutí', 'クリック数', '클릭수', '点击次数', '點擊'],
];
const IMPRESSIONS = [
  ...[
    'impressions',
    'impressionen',
    'impresiones',
    'impressioni',
    'impressões',
    'vertoningen',
    'wyświetlenia',
  ],
  ...['exponeringar', 'visninger', 'eksponeringer', 'показы', 'gösterimler', 'zobrazení', '表示回数', '노출'],
  ...['展示次数', '展示', '曝光次數', '曝光'],
];

/**
 * @param file The name of the file, for messages; one that ends with .txt has a prompt a line, whatever they look like.
 * @throws PlanError with every fault
 */
export function parsePrompts(bytes: Uint8Array, file: string): PromptFile {
  const text = decoded(bytes);
  if (text === null)
    throw new PlanError(file, [fault(1, null, 'expected text in UTF-8, or UTF-16 with a mark')]);
  const separator = separatorOf(text);
  const isText = /\.txt$/i.test(file);
  const [head, ...rows] = isText ? [] : rowsOf(text, separator ?? ',');
  const columns = head?.cells.map((cell) => foldText(cell)) ?? [];
  const [clicks, impressions] = [CLICKS, IMPRESSIONS].map((names) =>
    columns.findIndex((cell) => names.map(foldText).includes(cell)),
  ) as [number, number];
  if (columns.some((cell) => HEADS.text.some((name) => name === cell)))
    return { kind: 'prompts', form: 'csv', prompts: promptsOf(columns, rows, file) };
  if (clicks > 0 && impressions > 0) return { kind: 'queries', queries: queriesOf(rows, impressions) };
  if (columns.length === 5 && rows.length > 0 && rows.every(looksLikeQuery))
    return { kind: 'queries', queries: queriesOf(rows, 2) };
  if (/\.csv$/i.test(file) && separator !== null) {
    const message = `expected a column ${HEADS.text.join(' or ')}, and optionally topic, tags and was, or an export of Search Console, got ${escapeControls(columns.join(', ').slice(0, 100))}`;
    throw new PlanError(file, [fault(1, null, message)]);
  }
  return { kind: 'prompts', form: 'lines', prompts: linesOf(text, file) };
}

const fault = (line: number, field: string | null, message: string): PlanFault => ({ line, field, message });

/** Query, clicks, impressions, rate, position: in any language. */
const looksLikeQuery = ({ cells }: Row): boolean =>
  /^[\d.,\s]+$/.test(cells[1] ?? '') &&
  /^[\d.,\s]+$/.test(cells[2] ?? '') &&
  /%\s*$|^\s*%/.test(cells[3] ?? '') &&
  /^[\d.,\s]+$/.test(cells[4] ?? '');

/** A count may have a separator of thousands. */
const queriesOf = (rows: readonly Row[], impressions: number): SearchQuery[] =>
  rows.flatMap(({ cells }) => {
    const digits = (cells[impressions] ?? '').replace(/\D/g, '');
    const text = oneLine(cells[0] ?? '');
    return text === '' ? [] : [{ text, impressions: digits === '' ? null : Number(digits) }];
  });

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

function linesOf(text: string, file: string): CatalogPrompt[] {
  const lines = text.split(/\r?\n|\r/).map((line, at) => ({ line: at + 1, stated: { text: oneLine(line) } }));
  const prompts = lines.filter(({ stated }) => stated.text !== '' && !stated.text.startsWith('#'));
  // A line that is repeated is one prompt: a pasted list is not worth a fault.
  const first = new Map(prompts.toReversed().map((each) => [foldText(each.stated.text), each]));
  return checked(
    prompts.filter((each) => first.get(foldText(each.stated.text)) === each),
    file,
  );
}

function promptsOf(columns: readonly string[], rows: readonly Row[], file: string): CatalogPrompt[] {
  const known = Object.values(HEADS).flat() as string[];
  const unknown = columns.filter((cell) => !known.includes(cell));
  if (unknown.length > 0) {
    const message = `expected the columns text, topic, tags and was, got ${escapeControls(unknown.join(', ').slice(0, 100))}`;
    throw new PlanError(file, [fault(1, null, message)]);
  }
  const cellOf = ({ cells }: Row, name: keyof typeof HEADS) =>
    oneLine(cells[columns.findIndex((cell) => (HEADS[name] as readonly string[]).includes(cell))] ?? '');
  const listed = (cell: string) =>
    cell
      .split(/[;|,]/)
      .map((each) => each.trim())
      .filter((each) => each !== '');
  const stated = rows.map((row) => ({
    line: row.line,
    stated: {
      text: cellOf(row, 'text'),
      topic: cellOf(row, 'topic') || null,
      tags: listed(cellOf(row, 'tags')),
      was: cellOf(row, 'was') === '' ? [] : [cellOf(row, 'was')],
    },
  }));
  return checked(stated, file);
}

/** @throws PlanError */
function checked(
  rows: readonly { readonly line: number; readonly stated: object }[],
  file: string,
): CatalogPrompt[] {
  if (rows.length > MAX_PROMPTS) {
    const message = `expected at most ${MAX_PROMPTS} prompts, got ${rows.length}`;
    throw new PlanError(file, [fault(rows[MAX_PROMPTS]!.line, null, message)]);
  }
  const faults: PlanFault[] = [];
  const prompts = rows.flatMap(({ line, stated }) => {
    const { data, error } = promptShape.safeParse(stated, EXPECTED);
    for (const issue of error?.issues ?? []) faults.push(fault(line, String(issue.path[0]), issue.message));
    return data ? [{ line, prompt: data }] : [];
  });
  const entries = prompts.map(({ line, prompt }) => ({
    path: [`line ${line}`],
    texts: [prompt.text, ...prompt.was],
  }));
  for (const { path, message } of sharedTexts(entries))
    faults.push(fault(Number(String(path[0]).slice('line '.length)), 'text', message));
  if (prompts.length === 0 && faults.length === 0)
    faults.push(fault(1, null, 'expected one or more prompts, got none'));
  if (faults.length > 0) throw new PlanError(file, faults);
  return prompts.map(({ prompt }) => prompt);
}

// Which queries become prompts.

/** Below this, a query is a name or a keyword: people do not ask an engine that. */
const LEAST_WORDS = 3;
/** The limit for a script without spaces, whose words cannot be counted. */
const LEAST_CHARACTERS = 6;
const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const ADDRESS = /:\/\/|\b(?:site|inurl|intitle):|^www\./i;
const isAddress = (text: string): boolean => ADDRESS.test(text) || (text.includes('.') && !/\s/.test(text));

export interface ChosenQueries {
  /** The chosen queries, those with the most impressions first. */
  readonly prompts: readonly CatalogPrompt[];
  /** How many queries each rule left out. */
  readonly left: Readonly<Record<'short' | 'own' | 'address' | 'double' | 'beyond', number>>;
}

/**
 * The queries that become prompts, by these rules in this order: no address or search operator; not the name of the brand,
 * because who searches for it knows it; at least three words; of the same words in another order, the query with the most
 * impressions; those with the most impressions, up to `most`.
 */
export function promptsFromQueries(
  queries: readonly SearchQuery[],
  {
    names,
    domain,
    most,
  }: { readonly names: readonly string[]; readonly domain: string; readonly most: number },
): ChosenQueries {
  const left = { short: 0, own: 0, address: 0, double: 0, beyond: 0 };
  const isOwn = textNames([...names, domain.replace(/^www\./i, '').split('.')[0]!]);
  const sorted = queries
    .map((query, at) => ({ ...query, at }))
    .sort((a, b) => (b.impressions ?? -1) - (a.impressions ?? -1) || a.at - b.at);
  const seen = new Set<string>();
  const prompts: CatalogPrompt[] = [];
  for (const { text } of sorted) {
    const words = wordsOf(text);
    const order = [...words].sort().join(' ');
    const isShort = NO_SPACES.test(text)
      ? joined(text).length < LEAST_CHARACTERS
      : words.length < LEAST_WORDS;
    if (isAddress(text)) left.address++;
    else if (isOwn(text)) left.own++;
    else if (isShort) left.short++;
    else if (seen.has(order)) left.double++;
    else if (prompts.length >= most) left.beyond++;
    else {
      seen.add(order);
      prompts.push({ text, topic: null, tags: [], was: [] });
    }
  }
  return { prompts, left };
}

const joined = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, '');

const wordsOf = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

/** Whether a text names one of these, in any case and with spaces and marks anywhere. */
export function textNames(names: readonly string[]): (text: string) => boolean {
  const known = names.map(joined).filter((name) => name.length > 1);
  return (text) => {
    const words = wordsOf(text);
    return known.some((name) => namesIt(words, name));
  };
}

/** Whether one or several words together are the name. */
function namesIt(words: readonly string[], name: string): boolean {
  return words.some((_, start) => {
    let text = '';
    for (const word of words.slice(start)) {
      text += word;
      if (text === name) return true;
      if (text.length > name.length) return false;
    }
    return false;
  });
}
