/** The weekly report as Markdown, or as an HTML page without scripts and external files, which mail programs show. */
import type { BrandReads } from '../../contract/brand-reads.js';
import { openingOf } from '../../contract/opening.js';
import { printable } from '../../contract/printable.js';
import { escaped, markdownLine } from '../render/markdown.js';
import { webAddress } from '../render/terminal.js';
import { type Column, headOf } from '../render/view.js';
import { daysEnding } from '../render/wording.js';
import type { Bar } from './bars.js';
import {
  contentOf,
  type Lead,
  type ReportColumn,
  type ReportContent,
  type ReportTable,
  readReport,
  type Section,
} from './weekly.js';

/** The text of a cell; null in words. */
const wordsOf = (column: Column<never>, row: never): string =>
  printable(column.text(row) ?? column.absence ?? 'not measured');

const plainText = (sentence: string | Lead): string =>
  typeof sentence === 'string' ? sentence : `${stopped(sentence.text)} ${sentence.advice}`;

/** A finding with its full stop; a quoted one has its own. */
const stopped = (text: string): string => (/[.!?]”?$/u.test(text) ? text : `${text}.`);

/** The report as Markdown, with every text escaped. */
export function markdown({ title, subtitle, lead, page, sections }: ReportContent): string {
  const paragraph = (text: string) => `${escaped(printable(text))}\n`;
  const blocks = sections.flatMap(({ title: name, sentences, table }) => [
    `## ${paragraph(name)}`,
    ...sentences.map((sentence) => paragraph(plainText(sentence))),
    ...(table ? [markdownTable(table)] : []),
  ]);
  const address = webAddress(page);
  return [
    `# ${paragraph(title)}`,
    paragraph(subtitle),
    `**${escaped(printable(lead))}**\n`,
    ...(address === undefined ? [] : [`[Open the page](<${address}>)\n`]),
    ...blocks,
  ].join('\n');
}

function markdownTable({ columns, rows }: ReportTable): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '--:' : ':--'));
  const lines = rows.map((row) => markdownLine(columns.map((column) => wordsOf(column, row))));
  return `${markdownLine(columns.map(headOf))}| ${rule.join(' | ')} |\n${lines.join('')}`;
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text without markup, on one line. */
const html = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (character) => entities[character]!);

// Mail programs ignore style sheets, so every element has its style. Those of telephones know the one rule of the head, which
// leaves out columns that they have no room for.
const NARROW = '@media (max-width:480px){.spare{display:none}}';
const styles = {
  body: 'margin:0 auto;padding:16px;max-width:720px;font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#ffffff',
  h1: 'font-size:22px;margin:0 0 4px',
  h2: 'font-size:17px;margin:28px 0 8px',
  p: 'margin:0 0 8px',
  table: 'border-collapse:collapse;width:100%;font-size:14px;line-height:1.4',
  th: 'padding:6px 6px 6px 4px;font-size:12px;font-weight:600;border-bottom:1px solid #767676;vertical-align:bottom',
  td: 'padding:6px 6px 6px 4px;border-bottom:1px solid #d0d0d0;vertical-align:top',
  a: 'color:#0b57d0',
} as const;

const element = (name: keyof typeof styles, content: string, more = '', style = ''): string =>
  `<${name}${more} style="${styles[name]}${style}">${content}</${name}>`;

/** The report as an HTML page with inline styles, because mail programs remove stylesheets. */
export function htmlPage({ title, subtitle, lead, page, sections }: ReportContent): string {
  const blocks = [
    element('h1', html(title)),
    element('p', html(subtitle)),
    element('p', html(lead), '', ';font-size:18px;font-weight:600'),
    ...(page === undefined ? [] : [element('p', linked('Open the page', page))]),
    ...sections.map(htmlSection),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${NARROW}</style>
</head>
${element('body', `\n${blocks.join('\n')}\n`)}
</html>
`;
}

const htmlSection = ({ title, sentences, table }: Section): string =>
  [
    element('h2', html(title)),
    ...sentences.map((sentence) => element('p', htmlSentence(sentence))),
    ...(table ? [htmlTable(table)] : []),
  ].join('\n');

const htmlSentence = (sentence: string | Lead): string =>
  typeof sentence === 'string' || sentence.link === undefined
    ? html(plainText(sentence))
    : `${html(stopped(sentence.text))} ${linked(sentence.advice, sentence.link)}`;

/** A link; the text alone where the address is none of the web. */
function linked(words: string, link: string | null | undefined): string {
  const address = webAddress(link);
  return address === undefined ? html(words) : element('a', html(words), ` href="${html(address)}"`);
}

function htmlTable({ columns, rows }: ReportTable): string {
  const look = ({ align, isWhole }: ReportColumn<never>) =>
    `;text-align:${align}${isWhole || align === 'right' ? ';white-space:nowrap' : ''}`;
  const kind = ({ room }: ReportColumn<never>) => (room === 'spare' ? ' class="spare"' : '');
  const heads = columns.map((column) =>
    element('th', html(headOf(column)), ` scope="col"${kind(column)}`, `;text-align:${column.align}`),
  );
  const lines = rows.map((row) =>
    columns.map((column) => element('td', htmlCell(column, row), kind(column), look(column))).join(''),
  );
  const body = lines.map((line) => `<tr>${line}</tr>`).join('\n');
  return element('table', `\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n${body}\n</tbody>\n`);
}

const htmlCell = (column: ReportColumn<never>, row: never): string =>
  column.bar ? htmlBar(column.bar(row)) : linked(wordsOf(column, row), column.link?.(row));

/** A cell with a background, which every mail program shows. The number stands next to it. */
function htmlBar(bar: Bar | null): string {
  const width = bar === null ? 0 : Math.round(100 * bar.part);
  if (bar === null || width === 0) return '';
  const colour = bar.isBefore ? '#a9c4e8' : '#0b57d0';
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td width="${width}%" bgcolor="${colour}" style="height:12px;font-size:1px;line-height:12px">&nbsp;</td><td width="${100 - width}%" style="font-size:1px">&nbsp;</td></tr></table>`;
}

/**
 * The report of the days to the end of a week in every form, for a digest: those on which faces for people open.
 * @param server The address of the server of the page; null: not known.
 */
export async function writtenReport(reads: BrandReads, end: string, server: string | null) {
  const { days } = await openingOf((length) => reads.load('overview', { ...daysEnding(end, length) }));
  const report = await readReport(reads, daysEnding(end, days));
  const content = contentOf(report, server);
  const { title, lead } = content;
  return {
    title,
    window: report.overview.window,
    sentence: lead,
    markdown: markdown(content),
    html: htmlPage(content),
  };
}
