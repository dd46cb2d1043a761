import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { capital, engineLabel, label, title, valueLabel } from '../../contract/glossary.js';
import { brand } from '../../contract/params.js';
import { printable } from '../../contract/printable.js';
import type { BrandRef } from '../../contract/read.js';
import { answerByRun, type FullAnswer, fullAnswer, NO_SEARCH_STATED } from '../../contract/reads/answer.js';
import type { BodyOf } from '../../contract/registry.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead, type ReadFlags } from '../base/read.js';
import { CommandError } from '../command-error.js';
import {
  isRightToLeft,
  markdownText,
  markedText,
  type TextLine,
  textLines,
  whoseName,
} from '../render/answer-text.js';
import { Document } from '../render/document.js';
import { type Format, rowWriter, type Shown } from '../render/format.js';
import { escaped } from '../render/markdown.js';
import { picked as allFields, type Picked } from '../render/picked.js';
import { scorecard } from '../render/scorecard.js';
import { fitted, outputWidth, styled } from '../render/terminal.js';
import { columnsOf, counted, moment, page, type TableView, text } from '../render/view.js';
import {
  type AnswerComparison,
  type AnswerDifference,
  answerComparison,
  readAnswer,
  readAnswerComparison,
} from '../reports/answers.js';

const params = { brand };
const oneAnswer = { ...answerByRun, params };
type Data = BodyOf<'answer'>;

export default class AnswerCommand extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 9 };
  static override summary = answerByRun.summary;
  static override description =
    'Names in the text are marked: the brand, tracked competitors and other names each in a colour of their own. ' +
    '--against shows a second answer as well, side by side from 120 columns on, and what only one of them has. ' +
    'The text comes from an engine: it may be wrong.';
  static override examples = [
    '<%= config.bin %> answer run_1',
    '<%= config.bin %> answer run_1 --against run_2',
    '<%= config.bin %> answer run_1 --json',
  ];
  static override args = {
    id: Args.string({
      description: 'Id of the answer, from `svc answers`, or from a quote',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ...readFlags(oneAnswer),
    against: string({ description: 'Compare with the answer of this id', helpValue: 'ID' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AnswerCommand);
    if (flags.against !== undefined) return this.#compare(args.id, flags.against, flags);
    await printRead<typeof params, Data, Data>(this, flags, oneAnswer, {
      waiting: 'Reading the answer …',
      request: (svc, _, options) => readAnswer(svc, args.id, options),
      show: (format, data, { picked }) => shown(format, data, picked),
    });
  }

  async #compare(id: string, other: string, flags: ReadFlags): Promise<void> {
    if (id === other)
      throw new CommandError('usage', `--against ${other} is the same answer: there is nothing to compare.`);
    await printRead<typeof params, AnswerComparison, AnswerDifference>(this, flags, answerComparison, {
      waiting: 'Reading both answers …',
      request: (svc, _, options) => readAnswerComparison(svc, [id, other], options),
      view: { table: differencesView, draw: drawComparison },
    });
  }
}

function shown(format: Format, data: Data, picked: Picked): Shown {
  if (format === 'table' && !picked.isNarrowed) return drawnAnswer(data);
  if (format === 'md' && !picked.isNarrowed) return markdownAnswer(data);
  const view = { title: () => promptOf(data.answer), columns: [], sentences: () => [] };
  return scorecard(format, view, data, picked);
}

const promptOf = ({ prompt, prompt_id }: FullAnswer): string =>
  printable(prompt) === '' ? prompt_id : prompt;

/** `ChatGPT · gpt-5.2 · us · 2026-11-19 08:00 UTC · API · run_1` */
const circumstances = ({ engine, model, region, collected_at, surface, id }: FullAnswer): string =>
  [
    engineLabel(engine),
    model === '' ? 'model not known' : model,
    region,
    moment(collected_at),
    ...(surface === null ? [] : [valueLabel('surface', surface)]),
    id,
  ].join(' · ');

const about = ({ name }: BrandRef, { prompt_id }: FullAnswer): string =>
  `${name} · ${label('prompt')} ${prompt_id}`;

function drawnAnswer({ brand, answer }: Data): Shown {
  const document = new Document(outputWidth());
  document.title(promptOf(answer), circumstances(answer), about(brand, answer));
  document.lines(linesOf(answer, document.width).map((line) => line.shown));
  drawParts(brand, answer, document);
  return document;
}

/** What stands for a text that is not there; the note of the API says more. */
const NO_TEXT = 'The text was not collected.';
const EMPTY_TEXT = 'The engine answered with an empty text.';

function linesOf({ text: body, spans }: FullAnswer, width: number | undefined): TextLine[] {
  if (body !== null && body.trim() !== '')
    return textLines(markedText(body.trim(), shifted(body, spans)), width);
  return fitted(body === null ? NO_TEXT : EMPTY_TEXT, width).map((line) => ({
    shown: styled(['dim'], line, process.stdout),
    width: line.length,
  }));
}

/** Spans of a text without the white space before it. */
function shifted(body: string, spans: FullAnswer['spans']): FullAnswer['spans'] {
  const before = [...body.slice(0, body.length - body.trimStart().length)].length;
  return spans.map((span) => ({ ...span, start: span.start - before, end: span.end - before }));
}

function drawParts(brand: BrandRef, answer: FullAnswer, document: Document): void {
  const { citations, searches } = answer;
  document.table(withCount(title('citations'), citations), citationsView, citations);
  if (searches.length > 0) document.title(withCount(title('searches'), searches), ...searches);
  else document.sentences(NO_SEARCH_STATED);
  const mentions = mentionsOf(brand, answer);
  document.table(withCount('Names, by rank', mentions), mentionsView, mentions);
}

const withCount = (name: string, rows: readonly unknown[]): string =>
  rows.length === 0 ? name : `${name} (${rows.length})`;

type Citation = FullAnswer['citations'][number];

const ofCitation = columnsOf(fullAnswer.fields.citations.items);
const ofMention = columnsOf(fullAnswer.fields.mentions.items);

const citationsView: TableView<Citation> = {
  noun: 'citations',
  columns: [ofCitation('position'), ofCitation('title', { room: 'flexible', absence: 'not stated' }), page],
};

/** A mention, and whose name it is. */
type Named = FullAnswer['mentions'][number] & { readonly whose: string };

const mentionsOf = (brand: BrandRef, { mentions }: FullAnswer): Named[] =>
  mentions.map((each) => ({
    ...each,
    whose: whoseName({ entity: each.entity, is_brand: each.entity === brand.id }),
  }));

const mentionsView: TableView<Named> = {
  noun: 'names',
  own: ({ whose }) => whose === 'brand',
  columns: [
    ofMention('order'),
    ofMention('name', { room: 'flexible' }),
    text('whose', ({ whose }) => whose),
    ofMention('sentiment', { absence: 'not scored' }),
    ofMention('evidence', { room: 'flexible', absence: 'no quote' }),
  ],
};

function markdownAnswer({ brand, answer }: Data): Shown {
  const line = (words: string) => escaped(printable(words));
  const { text: body, spans, citations, searches } = answer;
  const table = <Row>(name: string, view: TableView<Row>, rows: readonly Row[]) => {
    const writer = rowWriter('md', view, allFields({ kind: 'object', fields: {} } as never));
    const drawn =
      rows.length === 0 ? `No ${view.noun}.\n` : `**${withCount(name, rows)}**\n\n${writer.add(rows)}`;
    return { drawn, footnotes: writer.footnotes };
  };
  const cited = table(title('citations'), citationsView, citations);
  const named = table('Names, by rank', mentionsView, mentionsOf(brand, answer));
  const quoted = body?.trim() ? markdownText(markedText(body, spans)) : body === null ? NO_TEXT : EMPTY_TEXT;
  const searched = searches.map((each) => `- ${line(each)}\n`).join('');
  return {
    text: [
      `**${line(promptOf(answer))}**\n`,
      `${line(circumstances(answer))}\n`,
      `${line(about(brand, answer))}\n`,
      `${quoted}\n`,
      cited.drawn,
      searched === ''
        ? `${NO_SEARCH_STATED}\n`
        : `**${withCount(title('searches'), searches)}**\n\n${searched}`,
      named.drawn,
    ].join('\n'),
    footnotes: [...new Set([...cited.footnotes, ...named.footnotes])],
  };
}

// Two answers.

/** From this width on two texts have columns that are wide enough to read. */
const SIDE_BY_SIDE = 120;
const BETWEEN = ' │ ';

const differencesView: TableView<AnswerDifference> = {
  noun: 'differences in names and pages',
  columns: [
    text('what', ({ what }) => what),
    text('value', ({ value }) => value, { room: 'flexible' }),
    text('only in', ({ only_in }) => only_in.toUpperCase()),
  ],
};

function drawComparison({ brand, a, b, differences }: AnswerComparison, document: Document): void {
  const isOnePrompt = a.prompt_id === b.prompt_id;
  const titles = isOnePrompt ? [promptOf(a), about(brand, a)] : [`Two answers · ${brand.name}`];
  document.title(titles[0]!, ...titles.slice(1));
  const heads = [a, b].map((answer, at) => [
    `${at === 0 ? 'A' : 'B'} · ${circumstances(answer)}`,
    ...(isOnePrompt ? [] : [promptOf(answer)]),
  ]);
  const isWide = (document.width ?? 0) >= SIDE_BY_SIDE;
  if (isWide && ![a, b].some(({ text }) => isRightToLeft(text ?? ''))) drawColumns([a, b], heads, document);
  else
    for (const [at, answer] of [a, b].entries()) {
      const [head, ...below] = heads[at]!;
      document.title(head!, ...below);
      document.lines(linesOf(answer, document.width).map(({ shown }) => shown));
    }
  drawDifferences({ a, b, differences }, document);
}

function drawColumns(
  answers: readonly FullAnswer[],
  heads: readonly (readonly string[])[],
  document: Document,
): void {
  const width = Math.floor((document.width! - BETWEEN.length) / 2);
  const [left, right] = answers.map((answer, at) => [
    ...heads[at]!.flatMap((head, place) => headLines(head, place === 0, width)),
    { shown: '', width: 0 },
    ...linesOf(answer, width),
  ]);
  const rows = Array.from({ length: Math.max(left!.length, right!.length) }, (_, at) => {
    const { shown, width: taken } = left![at] ?? { shown: '', width: 0 };
    const padded = shown + ' '.repeat(Math.max(0, width - taken));
    return (padded + styled(['dim'], BETWEEN, process.stdout) + (right![at]?.shown ?? '')).trimEnd();
  });
  document.lines(rows);
}

const headLines = (head: string, isBold: boolean, width: number): TextLine[] =>
  textLines(markedText(printable(head), []), width).map((line) =>
    isBold ? { ...line, shown: styled(['bold'], line.shown, process.stdout) } : line,
  );

function drawDifferences(
  { a, b, differences }: Pick<AnswerComparison, 'a' | 'b' | 'differences'>,
  document: Document,
): void {
  for (const [side, answer] of [
    ['a', a],
    ['b', b],
  ] as const) {
    const only = (what: AnswerDifference['what']) =>
      differences.filter((each) => each.what === what && each.only_in === side).map(({ value }) => value);
    const name = side.toUpperCase();
    const names = only('name');
    document.sentences(
      names.length === 0
        ? `No name stands only in ${name}.`
        : `${capital(counted(names.length, 'name'))} only in ${name}: ${names.join(', ')}.`,
    );
    const pages = new Set(only('page'));
    document.table(
      pages.size === 0 ? null : `${capital(counted(pages.size, 'page'))} only in ${name}`,
      { ...citationsView, noun: `pages that only ${name} cites` },
      answer.citations.filter(
        ({ url }, at, all) => pages.has(url) && all.findIndex((each) => each.url === url) === at,
      ),
    );
  }
}
