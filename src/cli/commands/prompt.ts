import { Args } from '@oclif/core';
import { integer } from '@oclif/core/flags';
import { findEngine } from '../../contract/engines.js';
import { capital, engineLabel, SEARCH_ENGINES, title } from '../../contract/glossary.js';
import { LOW_CONFIDENCE_BELOW_RUNS, PAGE_LIMIT } from '../../contract/limits.js';
import { lastDays } from '../../contract/wording.js';
import { givenDays } from '../base/read.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { columnsOf, counted, engine, entity, page, type TableView } from '../render/view.js';
import { answerHint, datesText, lastDays as lastWeek } from '../render/wording.js';
import { type OnePrompt, onePrompt, readPrompt } from '../reports/prompts.js';

/** The number of names, pages, quotes and searches in a table without --limit. */
const TOP = 5;

export default readCommand(onePrompt, {
  inHelp: { group: 'VISIBILITY', place: 8 },
  description:
    `Reads the list of prompts, its answers of the ${lastDays} (a request for ${PAGE_LIMIT.maximum}), and the searches of ` +
    'the brand. ' +
    `The first table has the numbers of \`<%= config.bin %> prompts\`, over ${SEARCH_ENGINES}; the other tables count the ` +
    'answers of all engines. Formats other than table and json print one engine per row.',
  examples: ['p01', 'p01 --limit 20'],
  args: {
    id: Args.string({
      description: 'Id of the prompt, from `svc prompts` or `svc losing`',
      required: true,
      ignoreStdin: true,
    }),
  },
  flags: {
    limit: integer({
      description: `The first N rows: of each table (default ${TOP}), of the lists of the JSON, of the engines in other formats`,
      helpValue: 'N',
      min: 1,
      aliases: ['top'],
    }),
  },
  given: (flags, [id]) => ({ ...flags, id }),
  waiting: 'Reading the prompt and its answers …',
  request: (svc, flags) => (_, options) =>
    readPrompt(svc, flags.id as string, givenDays(flags) ?? lastWeek(), options),
  table: () => enginesView,
  isLimited: true,
  limited,
  draw: (data, document, { limit = TOP }) => draw(data, document, limit),
});

/** The lists with their first rows. Engines stay whole: there are few of them. */
function limited({ names, pages, quotes, searches, ...rest }: OnePrompt, limit: number): OnePrompt {
  return {
    ...rest,
    names: names.slice(0, limit),
    pages: pages.slice(0, limit),
    quotes: quotes.slice(0, limit),
    searches: searches.slice(0, limit),
  };
}

function draw(
  { brand, prompt, answers, window, measured, ...parts }: OnePrompt,
  document: Document,
  top: number,
): void {
  const tags = prompt.tags.length > 0 ? ` · ${prompt.tags.join(', ')}` : '';
  document.title(prompt.text, `${prompt.id} · ${brand.name} · ${datesText({ window, measured })}${tags}`);
  const uncertain = () => prompt.run_count < LOW_CONFIDENCE_BELOW_RUNS;
  document.table(capital(SEARCH_ENGINES), { ...metricsView, uncertain }, [prompt]);
  if (answers === 0) document.sentences('No answer was collected in these days.');
  else drawAnswers(answers, brand, parts, document, top);
}

function drawAnswers(
  answers: number,
  brand: OnePrompt['brand'],
  parts: Omit<OnePrompt, 'brand' | 'prompt' | 'answers' | 'window' | 'measured'>,
  document: Document,
  top: number,
): void {
  const shown = <Row>(rows: readonly Row[]) => rows.slice(0, top);
  const titled = (name: string, rows: readonly unknown[]) =>
    rows.length > top ? `${name}, the first ${top} of ${rows.length}` : name;
  document.table(`All engines: ${extentOf(answers, parts.engines)}`, enginesView, parts.engines);
  document.table(titled('Names', parts.names), namesView, shown(parts.names));
  document.table(titled(title('citedPages'), parts.pages), pagesView, shown(parts.pages));
  drawQuotes(titled('Quotes', parts.quotes), brand, shown(parts.quotes), document);
  document.table(titled(title('searches'), parts.searches), searchesView, shown(parts.searches));
}

/** `38 answers, 7 of them of engines without web search`: the metrics above do not count these. */
function extentOf(answers: number, engines: OnePrompt['engines']): string {
  const others = engines.filter(({ engine }) => findEngine(engine)?.blended !== true);
  const count = others.reduce((sum, { answers }) => sum + answers, 0);
  return counted(answers, 'answer') + (count === 0 ? '' : `, ${count} of them of engines without web search`);
}

function drawQuotes(
  title: string,
  brand: OnePrompt['brand'],
  quotes: OnePrompt['quotes'],
  document: Document,
): void {
  if (quotes.length === 0) document.sentences('No quotes.');
  else document.title(title);
  for (const { sentiment, date, engine, name, quote, run_id } of quotes) {
    const heading = [sentiment, date, engineLabel(engine), name].join(' · ');
    document.item(
      heading,
      [],
      [
        ['', `“${quote}”`],
        ['answer: ', run_id],
      ],
    );
  }
  if (quotes.length > 0) document.sentences(answerHint(quotes[0]!.run_id, brand));
}

const { prompt, engines, names, pages, searches } = onePrompt.response.fields;
const ofPrompt = columnsOf(prompt);
const ofEngine = columnsOf(engines.items);
const ofName = columnsOf(names.items);
const ofPage = columnsOf(pages.items);
const ofSearch = columnsOf(searches.items);

const metricsView: TableView<OnePrompt['prompt']> = {
  noun: 'metrics',
  columns: [
    ofPrompt('visibility', { text: ({ visibility }) => visibility?.toFixed(0) ?? null }),
    ofPrompt('presence_rate'),
    ofPrompt('avg_position'),
    ofPrompt('run_count'),
  ],
};

const enginesView: TableView<OnePrompt['engines'][number]> = {
  noun: 'engines',
  columns: [engine(), ofEngine('answers'), ofEngine('with_brand')],
};

const namesView: TableView<OnePrompt['names'][number]> = {
  noun: 'names in these answers',
  own: ({ is_brand }) => is_brand,
  columns: [entity, ofName('answers'), ofName('avg_position')],
};

const pagesView: TableView<OnePrompt['pages'][number]> = {
  noun: 'cited pages',
  columns: [page, ofPage('citations')],
};

const searchesView: TableView<OnePrompt['searches'][number]> = {
  noun: 'searches among the most frequent of the brand',
  columns: [
    ofSearch('query', { room: 'flexible' }),
    ofSearch('is_echo'),
    ofSearch('runs'),
    ofSearch('volume', { as: 'count' }),
  ],
};
