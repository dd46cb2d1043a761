import { integer } from '@oclif/core/flags';
import { engineLabel } from '../../contract/glossary.js';
import { CAPS, LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { type EntityTone, entityTone, type Quote, quote, sentiment } from '../../contract/reads/sentiment.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { formatObject, type ObjectView, viewOfRead } from '../render/format.js';
import type { Format } from '../render/terminal.js';
import { columnsOf, counted, date, engine, entity, grouped, type TableView } from '../render/view.js';
import { answerHint, headingLines } from '../render/wording.js';

type Data = Infer<typeof sentiment.response>;

const QUOTES = 10;

export default class Sentiment extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 10 };
  static override summary = sentiment.summary;
  static override description =
    '50 is neutral. Mentions without a tone are counted as unscored and stay outside the index. ' +
    'Formats other than the table print one quote per row.';
  static override examples = [
    '<%= config.bin %> sentiment',
    '<%= config.bin %> sentiment --days 28 --engine chatgpt,perplexity',
    '<%= config.bin %> sentiment --quotes 40',
    '<%= config.bin %> sentiment --format csv',
  ];
  static override flags = {
    ...readFlags(sentiment),
    quotes: integer({
      description: `Quotes to show; default: ${QUOTES} in the table, in other formats all of the API (at most ${CAPS.quotes})`,
      helpValue: 'N',
      min: 0,
      max: CAPS.quotes,
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Sentiment);
    await printRead(this, flags, sentiment, {
      request: (svc, params, options) => svc.sentiment(params, options),
      show: (format, data, { picked }) => formatObject(format, viewOf(flags.quotes), data, picked),
    });
  }
}

/** @param most Quotes to show; undefined: a few in the table format, all in the other formats. */
function viewOf(most?: number): ObjectView<Data, Quote> {
  const view = viewOfRead<Data, Quote>(sentiment, {
    table: () => quotesView,
    draw: (data, document) => draw(data, document, most ?? QUOTES),
  });
  return { ...view, rows: (data) => view.rows(data).slice(0, most) };
}

function draw(data: Data, document: Document, most: number): void {
  const { brand, run_count } = data;
  const [title, filters] = headingLines(data, 'Sentiment');
  document.title(title, `${filters} · ${counted(run_count, 'answer')}`);
  const uncertain = () => run_count < LOW_CONFIDENCE_BELOW_RUNS;
  document.table('Names', { ...entitiesView, uncertain }, data.entities);
  document.table(`${brand.name} by engine`, { ...enginesView, uncertain }, data.by_engine);
  drawQuotes(data, document, most);
}

function drawQuotes({ brand, quotes, quotes_total }: Data, document: Document, most: number): void {
  if (quotes.length === 0) {
    document.sentences('No quotes.');
    return;
  }
  const shown = quotes.slice(0, most);
  const extent = quotes_total > shown.length ? `${shown.length} of ${grouped(quotes_total)}` : shown.length;
  document.title(`Quotes, worst first (${extent})`);
  for (const one of shown) drawQuote(one, document);
  if (shown.length > 0) document.sentences(answerHint(shown[0]!.run_id, brand));
  if (shown.length < quotes.length)
    document.sentences(`--quotes ${quotes.length} shows ${quotes.length} of them, --format csv lists them.`);
}

const looks: { readonly [tone: string]: readonly Format[] } = { negative: ['red'], positive: ['green'] };

function drawQuote(one: Quote, document: Document): void {
  const heading = [one.sentiment, one.date, engineLabel(one.engine), entityOf(one)].join(' · ');
  document.item(heading, looks[one.sentiment] ?? [], [
    ['', `“${one.quote}”`],
    ['asked: ', `${one.prompt} (${one.prompt_id})`],
    ['answer: ', one.run_id],
  ]);
}

const entityOf = ({ entity, is_brand, tracked }: Quote): string =>
  entity + (is_brand ? ' (brand)' : tracked ? '' : ' (not tracked)');

const ofTone = columnsOf(entityTone);

const toneColumns = [
  ofTone('sentiment_index'),
  ofTone('mentions'),
  ofTone('positive'),
  ofTone('neutral'),
  ofTone('negative'),
  ofTone('unscored'),
];

const entitiesView: TableView<EntityTone> = {
  noun: 'names',
  own: ({ is_brand }) => is_brand,
  columns: [entity, ...toneColumns],
};

const enginesView: TableView<Data['by_engine'][number]> = {
  noun: 'engine with runs',
  columns: [engine(), ...toneColumns],
};

const ofQuote = columnsOf(quote);

const quotesView: TableView<Quote> = {
  noun: 'quotes',
  own: ({ is_brand }) => is_brand,
  columns: [
    ofQuote('sentiment'),
    date(),
    engine(),
    ofQuote('entity', { text: entityOf, room: 'flexible' }),
    ofQuote('quote', { room: 'flexible' }),
    ofQuote('prompt', { room: 'spare' }),
    ofQuote('prompt_id', { room: 'spare' }),
    ofQuote('run_id', { room: 'spare' }),
  ],
};
