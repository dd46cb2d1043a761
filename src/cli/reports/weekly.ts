/** What the weekly report says: its reads, and its content as sections of sentences and tables. */
import type { BrandReads } from '../../contract/brand-reads.js';
import { day, longDay, span } from '../../contract/day-words.js';
import { addDays, daysBetween } from '../../contract/days.js';
import { effectSentences } from '../../contract/effect-words.js';
import { capital, label, robotsWords, SEARCH_ENGINES, title, valueLabel } from '../../contract/glossary.js';
import { EFFECT_DAYS, LEAST_EFFECT_DAYS, LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { entityMeasureNames, type MeasureName, scaleOf } from '../../contract/measures.js';
import { placeOfNeed } from '../../contract/needs.js';
import { noteFor } from '../../contract/notes.js';
import { brandPath } from '../../contract/paths.js';
import type { Briefing } from '../../contract/reads/briefing.js';
import { type HistoryMetric, type HistorySeries, historyMetricNames } from '../../contract/reads/history.js';
import { isForPrompts } from '../../contract/reads/marks.js';
import { type BodyOf, resources } from '../../contract/registry.js';
import { trendAmount, withRadius, withUnit } from '../render/uncertainty.js';
import { type Column, columnsOf, counted, engine, text } from '../render/view.js';
import { type Days, today } from '../render/wording.js';
import { type Bar, barsOf, type Course, readCourse } from './bars.js';
import { hasMoved, readReasons } from './because.js';
import { historiesOf } from './histories.js';
import { extentOf, type Losing, losingOf, losing as losingReport, readPrompts } from './prompts.js';
import { standing } from './summary.js';

interface Report extends Pick<Briefing, 'sentence' | 'needs' | 'moves' | 'overview'> {
  /** The history of each metric over the window, with its change. */
  readonly histories: readonly BodyOf<'history'>[];
  /** Why those moved that did: the metric, and a sentence. */
  readonly reasons: readonly { readonly metric: HistoryMetric; readonly text: string }[];
  /** The metric that moved first, over these days and those before. */
  readonly course: Course;
  readonly competitors: BodyOf<'competitors'>['competitors'];
  readonly losing: Losing;
  readonly sources: BodyOf<'sources'>['sources'];
  readonly sentiment: BodyOf<'sentiment'>;
  /** Marks whose effect has a verdict now and had none before these days. */
  readonly effects: readonly BodyOf<'effect'>[];
  /** The newest collected day of the last weeks; null: there is none. */
  readonly newest: string | null;
  /** Null: the plan or the key does not allow the read; `refusal` has the reason. */
  readonly crawlers: BodyOf<'crawlers'> | null;
  readonly refusal: string | null;
}

/** Requests of one report; one more for each metric that moved, and two for each mark of the last weeks. */
export const REPORT_REQUESTS = 9 + historyMetricNames.length;

/**
 * Reads one after the other, each of the same days.
 * @param given Undefined: the days of the briefing.
 * @throws The failure of the first read that fails. Crawlers may be refused, because they need a plan, and metrics that daily
 * statistics do not have.
 */
export async function readReport(reads: BrandReads, given?: Days): Promise<Report> {
  const { sentence, needs, moves, overview, newest_day } = await reads.load('briefing', { ...given });
  const days = { from: overview.window.start, to: overview.window.end, ...given };
  const histories = await historiesOf(reads, days);
  const moved = histories.flatMap(({ metric, series }) =>
    hasMoved(series[0]?.trend?.verdict) ? [metric] : [],
  );
  const reasons = [...(await readReasons(reads, moved, days))].map(([metric, text]) => ({
    metric: metric as HistoryMetric,
    text,
  }));
  const course = await readCourse(reads, overview);
  const { competitors } = await reads.load('competitors', days);
  const losing = losingOf(await readPrompts(reads, days));
  const { sources } = await reads.load('sources', days);
  const sentiment = await reads.load('sentiment', days);
  const visits = await reads.loadIfPossible('crawlers', days);
  const until = given && given.to >= today() ? addDays(today(), -1) : given?.to;
  const effects = await readEffects(reads, days, until ?? addDays(days.to, -1));
  return {
    sentence,
    needs,
    moves,
    overview,
    histories,
    reasons,
    course,
    competitors,
    losing,
    sources,
    sentiment,
    effects,
    newest: newest_day,
    crawlers: 'refused' in visits ? null : visits,
    refusal: 'refused' in visits ? (visits.refused as string) : null,
  };
}

/** A verdict of a mark that is older was told before: its windows are full. */
const FRESH_DAYS = EFFECT_DAYS.default + LEAST_EFFECT_DAYS;

/**
 * Effects that have a verdict on the last complete one of these days, and had none before them.
 * @param until The last complete day. Of the days of the briefing it is that of the server, whose clock may be another.
 */
async function readEffects(reads: BrandReads, { from }: Days, until: string): Promise<BodyOf<'effect'>[]> {
  const listed = await reads.loadIfPossible('marks');
  const before = addDays(from, -1);
  const found: BodyOf<'effect'>[] = [];
  for (const mark of 'refused' in listed ? [] : listed.marks) {
    if (!isForPrompts(mark) || mark.day >= until || mark.day < addDays(from, -FRESH_DAYS)) continue;
    const asked = (last: string) => reads.load('effect', { mark: mark.id, until: last });
    const effect = await asked(until);
    if (effect.verdict !== 'unknown' && (await asked(before)).verdict === 'unknown') found.push(effect);
  }
  return found;
}

// The content of a weekly report as sections of texts and tables, for every format.

/** A column of a report. Those with little room are left out on telephones, where the program that shows the mail can. */
export interface ReportColumn<Row> extends Column<Row> {
  /** Drawn in place of its text where shapes can be drawn. */
  readonly bar?: (row: Row) => Bar | null;
  /** Its texts stay on one line. */
  readonly isWhole?: boolean;
}

/** A table of a section; null prints as words. */
export interface ReportTable<Row = never> {
  readonly columns: readonly ReportColumn<Row>[];
  readonly rows: readonly Row[];
}

/** A sentence whose end leads to the page. */
export interface Lead {
  readonly text: string;
  readonly advice: string;
  /** Undefined: the address of the page is not known. */
  readonly link: string | undefined;
}

export interface Section {
  readonly title: string;
  readonly sentences: readonly (string | Lead)[];
  readonly table?: ReportTable;
}

export interface ReportContent {
  readonly title: string;
  readonly subtitle: string;
  /** Whether the brand is visible, in one sentence. */
  readonly lead: string;
  /** The page of the brand with the days of the report; undefined: its address is not known. */
  readonly page: string | undefined;
  readonly sections: readonly Section[];
}

/** Rows of a table, and quotes, without --limit. */
export const ROWS = 10;
export const QUOTES = 5;

/**
 * Arranges the reads; every section states what is not measured.
 * @param server The address of the server of the page; if omitted or null, nothing leads there.
 * @param limit The most rows of each table.
 */
export function contentOf(report: Report, server?: string | null, limit?: number): ReportContent {
  const { overview } = report;
  const links = server ? linksOf(report, server) : undefined;
  return {
    title: `${overview.brand.name}: visibility in AI answers`,
    subtitle: `${daysOf(report)} · ${counted(overview.run_count, 'answer')} of ${SEARCH_ENGINES}`,
    lead: report.sentence,
    page: links?.brand,
    sections: [
      needsYou(report, links, limit),
      metrics(report),
      ...course(report),
      ...helped(report),
      ...[competitors, losing, sources].map((section) => cut(section(report, links), limit)),
      quotes(report, limit, links),
      cut(crawlers(report), limit),
    ],
  };
}

/** Where the rows of a report lead. */
interface PageLinks {
  readonly brand: string;
  /** @param path Below the page of the brand. */
  readonly below: (path: string, query?: Readonly<Record<string, string>>) => string;
}

function linksOf({ overview: { brand, window } }: Report, server: string): PageLinks {
  const days = { from: window.start, to: window.end };
  const below: PageLinks['below'] = (path, more = {}) =>
    `${server.replace(/\/+$/, '')}${brandPath(brand.id)}${path}?${new URLSearchParams({ ...days, ...more })}`;
  return { brand: below(''), below };
}

/** The days of every section, and since when there is no answer. The current day may not be collected yet. */
function daysOf({ overview, newest }: Report): string {
  const { window, measured } = overview;
  const isToday = window.end === today();
  const words = [
    `${span(window.start, window.end)} (UTC)`,
    counted(window.days, 'day'),
    ...(isToday ? ['today included'] : []),
    ...(measured && measured.first_day > window.start
      ? [`measured from ${longDay(measured.first_day)} on`]
      : []),
  ].join(', ');
  if (newest === null || daysBetween(newest, window.end) < 2) return words;
  return `${words} · no answers since ${longDay(newest)}`;
}

/** The section with the first rows of its table. */
const cut = ({ table, ...section }: Section, limit = ROWS): Section => ({
  ...section,
  ...(table && { table: { ...table, rows: table.rows.slice(0, limit) } }),
});

/** A table with rows of any type, as sections hold it. */
const table = <Row>(columns: readonly ReportColumn<Row>[], rows: readonly Row[]) => ({
  table: { columns, rows } as unknown as ReportTable,
});

const needsYou = ({ overview, needs }: Report, links?: PageLinks, limit = ROWS): Section => ({
  title: 'What needs you',
  sentences:
    needs.length === 0
      ? [overview.run_count === 0 ? 'Not known without answers.' : 'Nothing in these days.']
      : needs.slice(0, limit).map((need) => {
          const { path, query } = placeOfNeed(need);
          const link = links?.below(path, query);
          return { text: need.text, advice: need.advice, link };
        }),
});

/** Whether days without stored answers have values. */
const onlyStatistics = (histories: Report['histories']): boolean =>
  histories.some(
    ({ source, series }) =>
      source === 'daily_stats' && series.some(({ points }) => points.some(({ value }) => value !== null)),
  );

interface MetricRow {
  readonly metric: HistoryMetric;
  readonly series: HistorySeries | undefined;
}

function metrics({ overview, histories, reasons, moves }: Report): Section {
  const rows = histories.map(({ metric, series }): MetricRow => ({ metric, series: series[0] }));
  const value = ({ metric }: MetricRow, number: number | null | undefined) =>
    withUnit(metric, number ?? null);
  const comparison = { absence: 'not comparable' };
  return {
    title: 'What moved',
    sentences: [
      ...(overview.run_count === 0
        ? [
            onlyStatistics(histories)
              ? 'No answer of these days is stored, only daily statistics: `svc history` has their values.'
              : 'No answer was collected in these days: nothing is measured.',
          ]
        : []),
      ...(overview.low_confidence && overview.run_count > 0
        ? [`Fewer than ${LOW_CONFIDENCE_BELOW_RUNS} answers: low confidence.`]
        : []),
      ...(overview.run_count === 0 ? [] : [noteFor('table', overview) ?? []].flat()),
      ...reasons.map(({ metric, text }) => `${capital(label(metric))}: ${text}`),
      ...standing(moves).map(({ day: on, text }) => `${longDay(on)}: ${text}`),
    ],
    ...table<MetricRow>(
      [
        text('metric', ({ metric }) => label(metric)),
        right('value', measuredText),
        right('before', (row) => value(row, row.series?.trend?.previous_window_value), comparison),
        text('change', ({ metric, series }) => (series ? trendAmount(metric, series) : null), comparison),
      ],
      rows,
    ),
  };
}

/** The value with its interval and unit; the same words as in a terminal. */
function measuredText({ metric, series }: MetricRow): string | null {
  const shown = series ? withRadius(metric, series.window_value, series.interval) : null;
  return shown === null ? null : `${shown}${scaleOf(metric).suffix}`;
}

const right = <Row>(
  head: string,
  pick: (row: Row) => string | null,
  more: { readonly absence?: string } = {},
): Column<Row> => ({ ...text(head, pick, more), align: 'right' });

/** None of fewer than two stretches: there is nothing to compare. */
function course({ course: of }: Report): Section[] {
  if (of.stretches.length < 2) return [];
  const { title, sentences, columns, rows } = barsOf(of);
  return [{ title, sentences, ...table(columns, rows) }];
}

const helped = ({ effects }: Report): Section[] =>
  effects.length === 0
    ? []
    : [{ title: 'What was done', sentences: effects.map((effect) => effectSentences(effect).join(' ')) }];

const ofCompetitor = columnsOf(resources.competitors.response.fields.competitors.items);
const ofPrompt = columnsOf(losingReport.response.fields.prompts.items);
const ofSource = columnsOf(resources.sources.response.fields.sources.items);
const ofQuote = columnsOf(resources.sentiment.response.fields.quotes.items);
const ofAgent = columnsOf(resources.crawlers.response.fields.agents.items);

/** Measures of competitors that telephones have no room for. */
const SPARE: readonly MeasureName[] = ['citation_share', 'sentiment_index'];

function competitors({ competitors: rows }: Report, links?: PageLinks): Section {
  return {
    title: 'Competitors',
    sentences: [],
    ...table<Report['competitors'][number]>(
      [
        ofCompetitor('name', {
          text: ({ name, is_brand }) => name + (is_brand ? ' (brand)' : ''),
          link: ({ id, is_brand }) =>
            links ? (is_brand ? links.brand : links.below(`/competitors/${encodeURIComponent(id)}`)) : null,
        }),
        ...entityMeasureNames.map((name) =>
          ofCompetitor(name, SPARE.includes(name) ? { room: 'spare' } : {}),
        ),
        ofCompetitor('avg_position', { room: 'spare' }),
      ],
      rows,
    ),
  };
}

function losing({ losing: { totals, prompts } }: Report, links?: PageLinks): Section {
  return {
    title: title('absentPrompts'),
    sentences: [totals.measured === 0 ? 'No prompt was measured.' : `${capital(extentOf(totals))}.`],
    ...(prompts.length > 0 &&
      table<Report['losing']['prompts'][number]>(
        [
          ofPrompt('prompt_id', { head: 'id', room: 'spare' }),
          ofPrompt('text', {
            link: ({ prompt_id }) => links?.below(`/prompts/${encodeURIComponent(prompt_id)}`) ?? null,
          }),
          ofPrompt('cited', { absence: 'nothing cited' }),
          ofPrompt('run_count'),
        ],
        prompts,
      )),
  };
}

/** Why a list about answers is empty. */
const emptyList = ({ overview }: Report, none: string): string =>
  overview.run_count === 0 ? 'Not known without answers.' : none;

function sources(report: Report, links?: PageLinks): Section {
  const rows = report.sources;
  return {
    title: `Most ${label('citedDomains')}`,
    sentences: rows.length === 0 ? [emptyList(report, 'No domain was cited in these days.')] : [],
    ...(rows.length > 0 &&
      table<Report['sources'][number]>(
        [
          ofSource('domain', {
            link: ({ domain }) =>
              domain === ''
                ? null
                : (links?.below(`/sources/${encodeURIComponent(domain)}`) ?? `https://${domain}/`),
          }),
          ofSource('classification', { text: ({ classification }) => valueLabel('kind', classification) }),
          ofSource('citations'),
        ],
        rows,
      )),
  };
}

function quotes(report: Report, limit = QUOTES, links?: PageLinks): Section {
  const rows = report.sentiment.quotes.filter(({ is_brand }) => is_brand).slice(0, limit);
  return {
    title: 'Quotes about the brand, worst first',
    sentences: rows.length === 0 ? [emptyList(report, 'No tone about the brand was found.')] : [],
    ...(rows.length > 0 &&
      table<Report['sentiment']['quotes'][number]>(
        [
          ofQuote('quote', {
            text: ({ quote }) => `“${quote}”`,
            link: ({ run_id }) => links?.below(`/answers/${encodeURIComponent(run_id)}`) ?? null,
          }),
          ofQuote('sentiment'),
          engine(),
          { ...ofQuote('date', { head: 'day', text: ({ date }) => day(date) }), isWhole: true },
          ofQuote('prompt', { room: 'spare' }),
        ],
        rows,
      )),
  };
}

function crawlers({ crawlers: visits, refusal }: Report): Section {
  const title = 'AI crawlers on the site';
  if (visits === null) return { title, sentences: [`Not available: ${refusal}`] };
  if (visits.totals === null)
    return { title, sentences: ['No crawler log was ever received: their requests are not known.'] };
  const { hits, pages } = visits.totals;
  const rows = visits.agents.filter((agent) => (agent.hits ?? 0) > 0);
  return {
    title,
    sentences: [`${counted(hits, 'request')} for ${counted(pages, 'page')}.`],
    ...(rows.length > 0 &&
      table<(typeof rows)[number]>(
        [
          ofAgent('label'),
          ofAgent('purpose', { text: ({ purpose }) => valueLabel('purpose', purpose), room: 'spare' }),
          ofAgent('hits'),
          ofAgent('robots', { text: ({ robots }) => robots && robotsWords(robots), absence: 'not known' }),
        ],
        rows,
      )),
  };
}
