/** The content of a weekly report as sections of texts and tables, for every format. */
import {
  capital,
  engineLabel,
  label,
  robotsWords,
  SEARCH_ENGINES,
  title,
  valueLabel,
} from '../../../contract/glossary.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../contract/limits.js';
import type { HistoryMetric, HistorySeries } from '../../../contract/reads/history.js';
import { shownMetric } from '../../render/metric.js';
import { daysBetween, today } from '../../render/today.js';
import { trendText } from '../../render/uncertainty.js';
import { type Column, count, counted, percent, position, score, text } from '../../render/view.js';
import { datesText } from '../../render/wording.js';
import { extentOf } from '../prompts/losing.js';
import type { Report } from './read.js';

/** A table of a section; null prints as words. */
export interface ReportTable<Row = never> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

export interface Section {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly table?: ReportTable;
}

export interface ReportContent {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

/** Rows of a table, and quotes, without --limit. */
export const ROWS = 10;
export const QUOTES = 5;

/**
 * Arranges the reads; every section states what is not measured.
 * @param limit The most rows of each table.
 */
export function contentOf(report: Report, limit?: number): ReportContent {
  const { overview } = report;
  return {
    title: `${overview.brand.name}: visibility in AI answers`,
    subtitle: `${daysOf(report)} · ${counted(overview.run_count, 'answer')} of ${SEARCH_ENGINES}`,
    sections: [
      metrics(report),
      ...[competitors, losing, sources].map((section) => cut(section(report), limit)),
      quotes(report, limit),
      cut(crawlers(report), limit),
    ],
  };
}

/** The days of every section, and since when there is no answer. The current day may not be collected yet. */
function daysOf({ overview, newest }: Report): string {
  const { window } = overview;
  const isToday = window?.end === today();
  const days = `${datesText(overview)}${isToday ? ', today included' : ''}`;
  if (newest === null || !window || daysBetween(newest, window.end) < 2) return days;
  return `${days} · no answers since ${newest}`;
}

/** The section with the first rows of its table. */
const cut = ({ table, ...section }: Section, limit = ROWS): Section => ({
  ...section,
  ...(table && { table: { ...table, rows: table.rows.slice(0, limit) } }),
});

/** A table with rows of any type, as sections hold it. */
const table = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => ({
  table: { columns, rows } as unknown as ReportTable,
});

interface MetricRow {
  readonly metric: HistoryMetric;
  readonly series: HistorySeries | undefined;
}

function metrics({ overview, histories }: Report): Section {
  const rows = histories.map(({ metric, series }): MetricRow => ({ metric, series: series[0] }));
  const value = ({ metric, series }: MetricRow, number: number | null | undefined): string | null => {
    const { shown, scale } = shownMetric(metric);
    const text = shown(number ?? null)?.toFixed(1) ?? null;
    return text === null || series === undefined ? null : `${text}${scale === '%' ? ' %' : ''}`;
  };
  const comparison = { absence: 'not comparable' };
  return {
    title: 'Metrics',
    sentences: [
      ...(overview.run_count === 0 ? ['No answer was collected in these days: nothing is measured.'] : []),
      ...(overview.low_confidence && overview.run_count > 0
        ? [`Fewer than ${LOW_CONFIDENCE_BELOW_RUNS} answers: low confidence.`]
        : []),
      ...(overview.note === null || overview.run_count === 0 ? [] : [overview.note]),
    ],
    ...table<MetricRow>(
      [
        text('metric', ({ metric }) => shownMetric(metric).name),
        right('value', (row) => value(row, row.series?.window_value)),
        right('week before', (row) => value(row, row.series?.trend?.previous_window_value), comparison),
        text('change', ({ metric, series }) => (series ? trendText(metric, series) : null), comparison),
      ],
      rows,
    ),
  };
}

const right = <Row>(
  head: string,
  pick: (row: Row) => string | null,
  more: { readonly absence?: string } = {},
): Column<Row> => ({ ...text(head, pick, more), align: 'right' });

function competitors({ overview, competitors: rows }: Report): Section {
  // Without answers, zeros mean not measured.
  const measured = <V>(value: V): V | null => (overview.run_count === 0 ? null : value);
  return {
    title: 'Competitors',
    sentences: [],
    ...table<Report['competitors'][number]>(
      [
        text(label('name'), ({ name, is_brand }) => name + (is_brand ? ' (brand)' : '')),
        score(label('visibility'), (row) => measured(row.visibility)),
        percent(label('shareOfVoice'), (row) => measured(row.share_of_voice_fraction)),
        percent(label('citationShare'), (row) => row.citation_share),
        score(label('sentiment'), (row) => row.sentiment_index),
        position(label('averagePosition'), (row) => row.avg_position),
      ],
      rows,
    ),
  };
}

function losing({ losing: { totals, prompts } }: Report): Section {
  return {
    title: title('absentPrompts'),
    sentences: [totals.measured === 0 ? 'No prompt was measured.' : `${capital(extentOf(totals))}.`],
    ...(prompts.length > 0 &&
      table<Report['losing']['prompts'][number]>(
        [
          text('id', ({ prompt_id }) => prompt_id),
          text(label('prompt'), (row) => row.text),
          text(label('mostCitedElsewhere'), ({ winner }) => winner, { absence: 'nothing cited' }),
          count(label('answers'), ({ run_count }) => run_count),
        ],
        prompts,
      )),
  };
}

function sources({ sources: rows }: Report): Section {
  return {
    title: `Most ${label('citedDomains')}`,
    sentences: rows.length === 0 ? ['No domain was cited in these days.'] : [],
    ...(rows.length > 0 &&
      table<Report['sources'][number]>(
        [
          text(label('domain'), ({ domain }) => domain, { link: ({ domain }) => `https://${domain}/` }),
          text(label('kind'), ({ classification }) => valueLabel('kind', classification)),
          count(label('citations'), ({ citations }) => citations),
        ],
        rows,
      )),
  };
}

function quotes({ sentiment }: Report, limit = QUOTES): Section {
  const rows = sentiment.quotes.filter(({ is_brand }) => is_brand).slice(0, limit);
  return {
    title: 'Quotes about the brand, worst first',
    sentences: rows.length === 0 ? ['No tone about the brand was found.'] : [],
    ...(rows.length > 0 &&
      table<Report['sentiment']['quotes'][number]>(
        [
          text(label('tone'), (row) => row.sentiment),
          text('date', ({ date }) => date, { scale: 'UTC' }),
          text(label('engine'), ({ engine }) => engineLabel(engine)),
          text('quote', ({ quote }) => `“${quote}”`),
          text(label('prompt'), ({ prompt }) => prompt),
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
          text(label('crawler'), (agent) => agent.label),
          text(label('purpose'), ({ purpose }) => valueLabel('purpose', purpose)),
          count(label('requests'), (agent) => agent.hits),
          text(label('robots'), ({ robots }) => robots && robotsWords(robots), { absence: 'not known' }),
        ],
        rows,
      )),
  };
}
