import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import {
  askedNames,
  type Described,
  definitionsDocument,
  described,
  describedGroups,
  explanationsOf,
  explanationsOfField,
  explanationsOfHead,
  labelled,
} from '../../contract/explanations.js';
import { glossary, type Term } from '../../contract/glossary.js';
import { METRICS_VERSION } from '../../contract/versions.js';
import { BaseCommand } from '../base/base-command.js';
import { CommandError } from '../command-error.js';
import { Document } from '../render/document.js';
import { metricNamed } from '../render/metric.js';
import { outputWidth, print } from '../render/terminal.js';
import { suggestion } from '../suggestion.js';

export default class Explain extends BaseCommand {
  static override inHelp = { group: 'VISIBILITY', place: 13 };
  static override summary =
    'What a field means: formula, scale, rounding, and its value when nothing was measured';
  static override description =
    'Takes a field, with the read before it if you like, a read for all of its fields, or a name as it heads a column. ' +
    'Without one, lists every number. Needs no server and no key: the definitions are those of this version.';
  static override examples = [
    '<%= config.bin %> explain visibility',
    '<%= config.bin %> explain overview.change.visibility.delta',
    '<%= config.bin %> explain sources',
    '<%= config.bin %> explain --json',
  ];
  // Allows a metric of several words without quotes.
  static override strict = false;
  static override args = {
    field: Args.string({
      description: 'The field, such as visibility or shopping.avg_position',
      ignoreStdin: true,
    }),
  };
  static override flags = { json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }) };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(Explain);
    const wanted = argv.join(' ');
    if (wanted === '') return print(flags.json ? lineOf(definitionsDocument()) : listText());
    const definitions = explained(wanted);
    const document = { metrics_version: METRICS_VERSION, definitions };
    await print(flags.json ? lineOf(document) : explanationText(definitions));
  }
}

const lineOf = (document: object): string => `${JSON.stringify(document)}\n`;

/** @throws CommandError `usage` for a name that no field has, with a similar one. */
function explained(wanted: string): Described[] {
  const words = wordsOf(wanted);
  const name = words.replace(/[\s-]+/g, '_');
  const terms = Object.values<Term>(glossary).flatMap(({ label, api }) => (label === words ? api : []));
  // The first field that a word of the glossary means, where none of its fields has the name of the word.
  const other = terms.slice(0, terms.includes(words) ? 0 : 1);
  const heads = terms.length > 0 ? [] : explanationsOfHead(words);
  const names = heads.length > 0 ? new Set([wanted, name]) : [wanted];
  const named = [...heads, ...[...names].flatMap(explanationsOf), ...other.flatMap(explanationsOfField)];
  const metric = named.length === 0 ? metricNamed(wanted) : undefined;
  const ways = metric === undefined ? [...terms, name, `${name}s`] : [metric];
  const found = [named, ...ways.map(explanationsOf)].find(({ length }) => length > 0);
  if (found !== undefined) return found.map(described);
  const near = suggestion(wanted.toLowerCase(), askedNames());
  throw new CommandError('usage', `Unknown field: ${wanted}.${near}`, {
    hint: '`svc explain` lists every number.',
  });
}

/** A head in lower case, without its scale. */
const wordsOf = (head: string): string =>
  head
    .toLowerCase()
    .replace(/\s*\([^()]*\)$/, '')
    .trim();

function listText(): string {
  const document = new Document(outputWidth());
  for (const { title, definitions } of describedGroups()) {
    const lines = definitions.map(({ name, what }) => [`${name}  `, what] as const);
    document.item(title, ['bold'], lines);
  }
  return document.text;
}

function explanationText(definitions: readonly Described[]): string {
  const document = new Document(outputWidth());
  for (const definition of definitions) document.item(definition.name, ['bold'], linesOf(definition));
  return document.text;
}

function linesOf(definition: Described): (readonly [label: string, text: string])[] {
  const { what, metrics_version: version } = definition;
  const lines = [
    ['meaning', what],
    ...labelled(definition),
    ...(version === null ? [] : [['version', String(version)] as const]),
    ['in', placesOf(definition)],
  ] as const;
  return lines.map(([label, text]) => [`${label}  `, text]);
}

/** The fields with their reads; of a single field also what the contract says about it. */
function placesOf({ what, fields }: Described): string {
  const [first, ...others] = fields.map(({ read, field }) => `${read}: ${field}`);
  const description = fields[0]?.description ?? '';
  return others.length > 0 || description === what
    ? [first, ...others].join('; ')
    : `${first} (${description})`;
}
