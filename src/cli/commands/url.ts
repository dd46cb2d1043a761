import { Args } from '@oclif/core';
import {
  type CitedPage,
  type CitingEngine,
  type CitingPrompt,
  citingPrompt,
  type NameBeside,
  nameBeside,
  url,
} from '../../contract/reads/url.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { radiusMeans, verdictMeans, verdictText, withInterval, withRadius } from '../render/uncertainty.js';
import { type Column, columnsOf, counted, engine, grouped, type TableView } from '../render/view.js';
import { headingLines } from '../render/wording.js';

const { url: address, ...params } = url.params;

const ofPrompt = columnsOf(citingPrompt);
const ofName = columnsOf(nameBeside);

const answersColumns: readonly Column<Pick<CitingPrompt, 'answers' | 'run_count' | 'share' | 'interval'>>[] =
  [
    ofPrompt('answers'),
    ofPrompt('run_count', { head: 'of' }),
    withInterval(ofPrompt('share'), 'presence_rate', (row) => [row.share, row.interval]),
  ];

const promptsView: TableView<CitingPrompt> = {
  noun: 'prompts that cite it',
  columns: [
    ofPrompt('prompt', { room: 'flexible' }),
    ...answersColumns,
    ofPrompt('prompt_id', { head: 'id', room: 'spare' }),
  ],
};

const enginesView: TableView<CitingEngine> = {
  noun: 'engines that cite it',
  columns: [engine(), ...answersColumns],
};

const namesView: TableView<NameBeside> = {
  noun: 'names in answers that cite it',
  own: (row) => row.is_brand,
  columns: [ofName('name', { room: 'flexible' }), ofName('answers')],
};

export default readCommand(
  { ...url, params },
  {
    inHelp: { group: 'CITATIONS', place: 2.5 },
    description:
      'Which prompts and engines cite a page, how often, whom the answers name that do, since when it is cited, and how often AI ' +
      'crawlers fetched it, if it is a page of the brand. Every spelling of an address is the same page.',
    examples: [
      'https://example.com/guide',
      'https://example.com/guide --days 28',
      'https://example.com/guide --format csv',
    ],
    args: { address: Args.string({ description: address.description, required: true, ignoreStdin: true }) },
    given: (flags, [given]) => ({ ...flags, address: given }),
    request: (svc, flags) => (chosen, options) =>
      svc.url({ ...chosen, url: flags.address as string }, options),
    table: promptsView,
    draw,
  },
);

/** `Cited in 12 of 240 answers: 5.0 ± 1.2 %, no clear change; first on 2026-10-02.` */
function citedSentence({ answers, run_count, share, interval, change, page }: CitedPage): string {
  const since = page.first_cited === null ? 'never cited' : `first cited on ${page.first_cited}`;
  if (answers === null || share === null) return `Not measured in these days; ${since}.`;
  const rate = withRadius('presence_rate', share, interval)!;
  return `Cited in ${grouped(answers)} of ${counted(run_count, 'answer')}: ${rate} %, ${verdictText('presence_rate', share, change)}; ${since}.`;
}

/** `Crawled 9 → allowed 9 → served 8 → cited 12 → visited 3.` — stands for what was not measured. */
function funnelSentence({ funnel }: CitedPage): string[] {
  if (funnel === null) return [];
  const step = (words: string, value: number | null) => `${words} ${value === null ? '—' : grouped(value)}`;
  const { crawled, allowed, served, cited, visited } = funnel;
  return [
    `${[step('Crawled', crawled), step('allowed', allowed), step('served', served), step('cited', cited), step('visited', visited)].join(' → ')}.`,
  ];
}

const fetchedSentence = ({ fetches }: CitedPage): string[] =>
  fetches
    ? [
        `AI crawlers fetched it ${counted(fetches.requests, 'time')}${fetches.last_fetched ? `, last on ${fetches.last_fetched.slice(0, 10)}` : ''}.`,
      ]
    : [];

function draw(data: CitedPage, document: Document): void {
  const { page, prompts, engines, names, share, interval, change } = data;
  document.title(page.title ?? page.url, page.url, headingLines({ ...data, engines: null }).join(' · '));
  document.sentences(citedSentence(data), ...fetchedSentence(data), ...funnelSentence(data));
  document.sentences(...radiusMeans('presence_rate', share, interval), ...verdictMeans(change));
  if (prompts.length === 0) return;
  document.table('Prompts', promptsView, prompts);
  document.table('Engines', enginesView, engines);
  document.table('Names in these answers', namesView, names);
}
