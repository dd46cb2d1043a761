import { Args } from '@oclif/core';
import { addDays } from '../../contract/days.js';
import { capital, label, valueLabel } from '../../contract/glossary.js';
import {
  type AbsentPrompt,
  CRAWL_DAYS,
  type CrawlGap,
  type GapKind,
  type Gaps,
  gapKinds,
  gaps,
  type LostPage,
  type PromptWithinReach,
  type SourceGap,
} from '../../contract/reads/gaps.js';
import { lastDays } from '../../contract/wording.js';
import { findAgent } from '../../logs/agents/match.js';
import { readCommand } from '../base/read-command.js';
import { CommandError } from '../command-error.js';
import type { Document } from '../render/document.js';
import { columnsOf, count, engines, page, type TableView } from '../render/view.js';
import { daysEnding, headingLines, shellWord, sliceFlags } from '../render/wording.js';
import { nearest } from '../suggestion.js';

type Row = Gaps['gaps'][number];

/** The rows of a table without --limit: more than anybody does next. */
const TOP = 10;

export default readCommand(gaps, {
  inHelp: { group: 'VISIBILITY', place: 3 },
  description:
    'What to do next, the most valuable first: sources are domains that answers cite which name a rival and not the brand, ' +
    'by answers × stability; lost_pages own pages that answers cited before and cite no more; within_reach prompts without ' +
    'the name of the brand where answers name it 2nd to 4th, by what being first would add to the visibility of the brand; absent prompts whose answers only name ' +
    `rivals; crawl own pages that crawlers cannot fetch, or fetch and answers do not cite. The ${lastDays}, crawl ` +
    `${CRAWL_DAYS} days. A table has the first ${TOP} unless --limit asks for more. \`svc explain\` has the formula of every number.`,
  examples: ['', 'within_reach --engine chatgpt', 'absent --format csv'],
  args: {
    kind: Args.string({ description: `${gapKinds.join(', ')} (default ${gapKinds[0]})`, ignoreStdin: true }),
  },
  given: (flags, [word]) => ({ ...flags, kind: kindOf(word, flags.kind as GapKind | undefined) }),
  request: (svc) => svc.gaps,
  table: ({ kind }) => views[kind] as TableView<Row>,
  draw,
});

/** @throws CommandError `usage` for an unknown kind, and for two different ones. */
function kindOf(word: string | undefined, flag: GapKind | undefined): GapKind {
  if (word === undefined) return flag ?? gapKinds[0];
  const kind = gapKinds.find((each) => each === word.toLowerCase().replaceAll('-', '_'));
  if (kind === undefined) {
    const near = nearest(word, gapKinds);
    throw new CommandError(
      'usage',
      `KIND: unknown kind: ${word}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      { hint: `Known kinds: ${gapKinds.join(', ')}.` },
    );
  }
  if (flag !== undefined && flag !== kind)
    throw new CommandError('usage', `Two kinds are given, ${word} and --kind ${flag}.`);
  return kind;
}

function draw(data: Gaps, document: Document): void {
  const { kind, gaps: rows } = data;
  document.title(...headingLines(data, capital(valueLabel('gap', kind))));
  document.table(null, views[kind] as TableView<Row>, rows.slice(0, TOP));
  if (rows.length > TOP)
    document.sentences(`The first ${TOP} of ${rows.length}; --limit ${rows.length} prints every row.`);
  const [first] = rows;
  if (first) document.sentences(...(leads[kind] as (row: Row, data: Gaps) => string[])(first, data));
}

const named = (rows: readonly { readonly answers: number }[], nameOf: (at: number) => string): string =>
  rows.map(({ answers }, at) => `${nameOf(at)} ${answers}`).join(', ');

/** A probability; a small one is not shown as zero. */
const probability = (value: number): string => (value > 0 && value < 0.001 ? '<0.001' : value.toFixed(3));

const rows = gaps.response.fields.gaps.items.of;
const ofSource = columnsOf(rows.sources);
const ofLost = columnsOf(rows.lost_pages);
const ofReach = columnsOf(rows.within_reach);
const ofAbsent = columnsOf(rows.absent);
const ofCrawl = columnsOf(rows.crawl);

// Ids are never shortened, because they are arguments of `svc prompt` and of --prompt.
const views: {
  readonly [K in GapKind]: TableView<Extract<Row, RowOf[K]>>;
} = {
  sources: {
    noun: 'domain is cited in answers that name a rival and not the brand',
    columns: [
      ofSource('domain', { room: 'flexible' }),
      ofSource('score'),
      ofSource('answers'),
      ofSource('own_answers'),
      ofSource('prompts'),
      ofSource('days'),
      ofSource('rivals', {
        text: ({ rivals }) => named(rivals, (at) => rivals[at]!.name),
        room: 'flexible',
      }),
      engines,
    ],
  },
  lost_pages: {
    noun: 'page of the brand was cited before and is cited no more',
    columns: [
      page,
      ofLost('citations_before'),
      ofLost('days_before'),
      ofLost('p_value', { as: 'text', text: ({ p_value }) => probability(p_value) }),
      ofLost('title', { absence: 'not stated', room: 'spare' }),
    ],
  },
  within_reach: {
    noun: 'prompt has an answer that names the brand 2nd to 4th',
    columns: [
      ofReach('prompt_id', { head: 'id' }),
      ofReach('prompt', { room: 'flexible' }),
      ofReach('brand_gain'),
      ofReach('visibility'),
      ofReach('visibility_if_first'),
      ofReach('answers'),
      ofReach('runs'),
      ofReach('ahead', {
        text: ({ ahead }) => ahead && `${ahead.name} ${ahead.answers}`,
        absence: 'no rival is first in them',
        room: 'flexible',
      }),
      ofReach('present_runs'),
    ],
  },
  absent: {
    noun: 'prompt has answers that name a rival and never the brand',
    columns: [
      ofAbsent('prompt_id', { head: 'id' }),
      ofAbsent('prompt', { room: 'flexible' }),
      ofAbsent('runs'),
      ofAbsent('winner', {
        text: ({ winner }) => `${winner.name} ${winner.answers}`,
        room: 'flexible',
      }),
      ofAbsent('cited', {
        text: ({ cited }) => named(cited, (at) => cited[at]!.domain),
        room: 'flexible',
      }),
    ],
  },
  crawl: {
    noun: 'page with a fault was found',
    columns: [
      // The path identifies a page, because all are on the domain of the brand.
      ofCrawl('url', {
        text: ({ url }) => url.replace(/^https?:\/\/[^/]*/, ''),
        room: 'flexible',
        link: ({ url }) => url,
      }),
      ofCrawl('fault', { text: ({ fault }) => valueLabel('fault', fault) }),
      ofCrawl('citations'),
      ofCrawl('agent', {
        text: ({ agent }) => agent && (findAgent(agent)?.label ?? agent),
        absence: 'none requested it',
        room: 'flexible',
      }),
      ofCrawl('requests'),
      ofCrawl('refused', { head: 'refused by site' }),
      count('served to all', ({ funnel }) => funnel.served),
      count(label('visits'), ({ funnel }) => funnel.visited),
      engines,
      ofCrawl('robots', {
        text: ({ robots }) => robots && valueLabel('robots', robots.verdict),
        absence: 'not known',
        room: 'spare',
      }),
      ofCrawl('robots', { head: 'rule', text: ({ robots }) => robots?.rule ?? '', room: 'spare' }),
    ],
  },
};

interface RowOf {
  sources: SourceGap;
  lost_pages: LostPage;
  within_reach: PromptWithinReach;
  absent: AbsentPrompt;
  crawl: CrawlGap;
}

// How to read the answers behind the first row.

const answersOf = (data: Gaps, ...flags: readonly string[]): string =>
  `\`svc answers ${[...flags, ...sliceFlags(data)].join(' ')} --brand ${shellWord(data.brand.id)}\``;

const ofPrompt = ({ prompt_id }: { readonly prompt_id: string }, data: Gaps): string[] => [
  `${answersOf(ofEverySlice(data), `--prompt ${shellWord(prompt_id)}`)} lists the answers of the first prompt.`,
];

/** Without the prompts of the slice, because one of them is chosen. */
const ofEverySlice = ({ slice, ...data }: Gaps): Gaps => ({
  ...data,
  slice: slice && { ...slice, prompts: null, topics: null, tags: null },
});

const leads: { readonly [K in GapKind]: (row: RowOf[K], data: Gaps) => string[] } = {
  sources: ({ engines: ids, domain, rivals }, data) => [
    `${answersOf(
      data,
      `--cites ${shellWord(domain)}`,
      `--names ${rivals.map(({ id }) => shellWord(id)).join()}`,
      `--without ${shellWord(data.brand.id)}`,
      `--engine ${ids.join(',')}`,
    )} lists the answers behind the first domain.`,
  ],
  lost_pages: ({ url }, data) => {
    const { from, to } = daysEnding(addDays(data.window.start, -1), data.window.days);
    const before = { ...data, window: { ...data.window, start: from, end: to } };
    return [
      `${answersOf(before, `--cites ${shellWord(url)}`)} lists the answers that cited the first page before.`,
    ];
  },
  within_reach: ofPrompt,
  absent: ofPrompt,
  crawl: ({ engines: ids, url }, data) =>
    ids.length === 0
      ? ['`svc crawlers` lists the crawlers that came.']
      : [
          `${answersOf(data, `--cites ${shellWord(url)}`, `--engine ${ids.join(',')}`)} lists the answers that cite the first page.`,
        ],
};
