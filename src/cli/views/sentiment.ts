import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { type EntityTone, type Quote, quote, type Sentiment } from '../../contract/reads/sentiment.js';
import type { Format } from '../render/colour.js';
import { date } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { unmeasured } from '../render/unmeasured.js';
import { type Column, count, counted, grouped, score, type TableView, words } from '../render/view.js';
import { scopeOf } from '../render/wording.js';

/** Quotes on a terminal when nobody says how many. */
export const QUOTES = 10;

/** @param most Quotes to show; absent: a few on a terminal, all in other formats. */
export const sentimentView = (most?: number): SheetView<Sentiment, Quote> => ({
  schema: quote,
  rows: ({ quotes }) => quotes.slice(0, most),
  table: () => quotesView,
  draw: (data, paper) => draw(data, paper, most ?? QUOTES),
});

/** What the contract sends as 0 where no run was collected. */
const zeros = ['mentions', 'positive', 'neutral', 'negative', 'unscored'] as const;

function draw(data: Sentiment, paper: Paper, most: number): void {
  const { brand, window_days, engines, run_count } = data;
  paper.title(
    `Sentiment · ${brand.name} · ${counted(window_days, 'day')}`,
    `${scopeOf(engines)} · ${counted(run_count, 'run')}`,
  );
  const uncertain = () => run_count < LOW_CONFIDENCE_BELOW_RUNS;
  const shown = <Row extends Tone>(rows: readonly Row[]): readonly Row[] =>
    run_count === 0 ? rows.map((row) => unmeasured(row, zeros)) : rows;
  paper.table('Entities', { ...entitiesView, uncertain }, shown(data.entities));
  paper.table(`${brand.name} by engine`, { ...enginesView, uncertain }, shown(data.by_engine));
  drawQuotes(data, paper, most);
}

function drawQuotes({ quotes, quotes_total }: Sentiment, paper: Paper, most: number): void {
  if (quotes.length === 0) {
    paper.words('No quotes.');
    return;
  }
  const shown = quotes.slice(0, most);
  const extent = quotes_total > shown.length ? `${shown.length} of ${grouped(quotes_total)}` : shown.length;
  paper.title(`Quotes, worst first (${extent})`);
  for (const one of shown) drawQuote(one, paper);
  if (shown.length < quotes.length)
    paper.words(`--quotes ${quotes.length} shows ${quotes.length} of them, --format csv lists them.`);
}

const looks: { readonly [tone: string]: readonly Format[] } = { negative: ['red'], positive: ['green'] };

function drawQuote(one: Quote, paper: Paper): void {
  const heading = [one.sentiment, one.date, one.engine, entityOf(one)].join(' · ');
  paper.item(heading, looks[one.sentiment] ?? [], [
    ['', `“${one.quote}”`],
    ['asked: ', one.prompt],
  ]);
}

const entityOf = ({ entity, is_brand, tracked }: Quote): string =>
  entity + (is_brand ? ' (brand)' : tracked ? '' : ' (not tracked)');

type Tone = Omit<EntityTone, 'name' | 'domain' | 'is_brand'>;

const toneColumns: readonly Column<Tone>[] = [
  score('sentiment', ({ sentiment_index }) => sentiment_index),
  count('mentions', ({ mentions }) => mentions),
  count('positive', ({ positive }) => positive),
  count('neutral', ({ neutral }) => neutral),
  count('negative', ({ negative }) => negative),
  count('unscored', ({ unscored }) => unscored),
];

const entitiesView: TableView<EntityTone> = {
  noun: 'entities',
  own: ({ is_brand }) => is_brand,
  columns: [
    words('name', ({ name, is_brand }) => name + (is_brand ? ' (brand)' : ''), { room: 'flexible' }),
    ...toneColumns,
  ],
};

const enginesView: TableView<Sentiment['by_engine'][number]> = {
  noun: 'engine with runs',
  columns: [words('engine', ({ engine }) => engine), ...toneColumns],
};

const quotesView: TableView<Quote> = {
  noun: 'quotes',
  own: ({ is_brand }) => is_brand,
  columns: [
    words('tone', ({ sentiment }) => sentiment),
    date(),
    words('engine', ({ engine }) => engine),
    words('entity', entityOf, { room: 'flexible' }),
    words('quote', (one) => one.quote, { room: 'flexible' }),
    words('prompt', ({ prompt }) => prompt, { room: 'spare' }),
    words('prompt id', ({ prompt_id }) => prompt_id, { room: 'spare' }),
    words('run', ({ run_id }) => run_id, { room: 'spare' }),
  ],
};
