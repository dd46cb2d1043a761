import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { type EntityTone, type Quote, quote, type Sentiment } from '../../contract/reads/sentiment.js';
import type { Format } from '../colour.js';
import type { Paper } from '../paper.js';
import type { SheetView } from '../sheet.js';
import { type Column, count, counted, grouped, score, type TableView, words } from '../view.js';
import { scopeOf } from './scope.js';

export const sentimentView: SheetView<Sentiment, Quote> = {
  schema: quote,
  rows: ({ quotes }) => quotes,
  table: () => quotesView,
  draw,
};

function draw(data: Sentiment, paper: Paper): void {
  const { brand, window_days, engines, run_count, quotes, quotes_total } = data;
  paper.title(
    `Sentiment · ${brand.name} · ${counted(window_days, 'day')}`,
    `${scopeOf(engines)} · ${counted(run_count, 'run')}`,
  );
  const uncertain = () => run_count < LOW_CONFIDENCE_BELOW_RUNS;
  paper.table('Entities', { ...entitiesView, uncertain }, data.entities);
  paper.table(`${brand.name} by engine`, { ...enginesView, uncertain }, data.by_engine);
  if (quotes.length === 0) {
    paper.words('No quotes.');
    return;
  }
  const shown =
    quotes_total > quotes.length ? `${quotes.length} of ${grouped(quotes_total)}` : `${quotes.length}`;
  paper.title(`Quotes, worst first (${shown})`);
  for (const one of quotes) drawQuote(one, paper);
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
    words('date', ({ date }) => date),
    words('engine', ({ engine }) => engine),
    words('entity', entityOf, { room: 'flexible' }),
    words('quote', (one) => one.quote, { room: 'flexible' }),
    words('prompt', ({ prompt }) => prompt, { room: 'spare' }),
    words('run', ({ run_id }) => run_id, { room: 'spare' }),
  ],
};
