import type { Interfaces } from '@oclif/core';
import { boolean, integer, option, string } from '@oclif/core/flags';
import type { ChoiceParam, Param, Params, paging } from '../../contract/params.js';
import type { Schema } from '../../contract/schema.js';
import { formats } from '../render/format.js';
import { listOutputFlags } from './output-flags.js';

type Flag = Interfaces.Flag<unknown>;
type FlagSet = { [name: string]: Flag };

/** Flags of every command that connects to a server. The key has no flag, because other users can see arguments. */
export const serverFlags = {
  url: string({ description: 'Address of the server', helpValue: 'URL', helpGroup: 'GLOBAL' }),
  profile: string({ description: 'Stored profile to use', helpValue: 'NAME', helpGroup: 'GLOBAL' }),
  'key-file': string({ description: 'File that holds the API key', helpValue: 'PATH', helpGroup: 'GLOBAL' }),
  json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }),
  quiet: boolean({ char: 'q', description: 'Print no notes and no progress', helpGroup: 'GLOBAL' }),
  debug: boolean({
    description: 'Print a line per request: status, time, request id, tokens left',
    helpGroup: 'GLOBAL',
  }),
};

/** The flags for the output format; `--json` is short for `--format json`. */
export const formatFlag = {
  format: option({
    options: formats,
    description:
      'How to print the result; default: a table on a terminal, else tsv: tab-separated rows without a header',
    helpValue: formats.join('|'),
    exclusive: ['json'],
  })(),
  raw: boolean({
    description: 'With --format csv: texts as the API sends them, formulas and control characters too',
  }),
};

/** One flag per parameter that the contract declares. */
export function paramFlags(params: Params): FlagSet {
  const flags = Object.entries(params).map(([name, param]) => [name, paramFlag(param, params)]);
  return Object.fromEntries(flags) as FlagSet;
}

function paramFlag(param: Param, among: Params): Flag {
  const { description, required = false } = param;
  switch (param.kind) {
    case 'text':
      return string({ description: inCommandTerms(description), required }) as Flag;
    case 'integer':
      return integer({ description, required, min: param.minimum, max: param.maximum }) as Flag;
    case 'choice':
      if (param.values.every((value) => typeof value === 'number')) return numberFlag(param, 'from' in among);
      return { ...option({ options: param.values.map(String), description })(), required } as Flag;
    case 'date':
      return string({ description: inCommandTerms(description), required, helpValue: 'YYYY-MM-DD' }) as Flag;
    case 'engines':
      return string({ description, required, helpValue: 'ID[,ID…]' }) as Flag;
    case 'values':
      return string({
        description: inCommandTerms(description),
        required,
        helpValue: 'VALUE[,VALUE…]',
      }) as Flag;
    case 'boolean':
      return boolean({ description: inCommandTerms(description), required }) as Flag;
  }
}

/** Adapts a description of the API: the command finds brands by name, adds `to` if only `from` is given, and calls a run an answer. */
const inCommandTerms = (description: string): string =>
  description
    .replace(/^Brand id;/, 'Brand id or name;')
    .replace(/^true: (.)/, (_, first: string) => first.toUpperCase())
    .replace(', together with to and instead of days', ', instead of --days')
    .replace(', together with to;', ';')
    .replace('; only runs ', '; only answers ')
    .replace('Last day, YYYY-MM-DD, inclusive', 'Last day, YYYY-MM-DD, inclusive; default: today (UTC)');

/** A flag for one of a few numbers. @param hasRange Whether the command also has --from and --to. */
function numberFlag({ description, values, required = false }: ChoiceParam, hasRange: boolean): Flag {
  const numbers = values.map(Number);
  return string({
    description,
    required,
    helpValue: values.join('|'),
    parse: async (text) => {
      if (values.map(String).includes(text)) return text;
      const near = numbers.reduce((best, one) =>
        Math.abs(one - Number(text)) < Math.abs(best - Number(text)) ? one : best,
      );
      const advice = Number.isNaN(Number(text)) ? '' : `; the nearest is ${near}`;
      const range = hasRange ? ' Any other window is --from and --to.' : '';
      throw new Error(`Invalid value ${text}: it takes ${listed(values)}${advice}.${range}`);
    },
  }) as Flag;
}

/** `7, 14 or 28` */
const listed = (values: readonly unknown[]): string =>
  `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/**
 * The flags of a list with these rows. `--limit` counts rows across pages, whereas the parameter of the API counts the rows of one page.
 */
export function listFlags(params: Params & typeof paging, row: Schema): FlagSet {
  const { limit: _, cursor: __, ...rest } = params;
  return {
    ...paramFlags(rest),
    cursor: string({
      description: 'Continue in the order of pages after this next_cursor; empty: the first page',
    }) as Flag,
    limit: integer({
      description: 'The first N rows in the order of the list, over as many pages as that takes',
      helpValue: 'N',
      min: 1,
    }) as Flag,
    all: boolean({ description: 'Every row', exclusive: ['limit'] }) as Flag,
    ...listOutputFlags(row),
  };
}
