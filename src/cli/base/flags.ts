import type { Interfaces } from '@oclif/core';
import { boolean, integer, option, string } from '@oclif/core/flags';
import { addDays } from '../../contract/days.js';
import { RANGE_DAYS_MAX, WINDOW_DAYS } from '../../contract/limits.js';
import { brand, DAY_FORMS, type Param, type Params } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import {
  columnsOf,
  type Field,
  fieldsOf,
  isNumeric,
  isScalar,
  mainRowSchema,
  withoutNull,
} from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { windowRange } from '../../contract/slice.js';
import { formats } from '../render/format.js';
import { today } from '../render/wording.js';

// The values have type `any`, as oclif declares flags whose names are not known.
type FlagSet = Interfaces.FlagInput;
type Flag = FlagSet[string];

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
  const flags = Object.entries(params).map(([name, param]) => [
    name,
    name === 'days' ? daysFlag(param) : paramFlag(param),
  ]);
  return Object.fromEntries(flags);
}

function paramFlag(param: Param): Flag {
  const { flag: description = param.description, required = false } = param;
  switch (param.kind) {
    case 'text':
      return string({ description, required });
    case 'integer':
      return integer({ description, required, min: param.minimum, max: param.maximum });
    case 'choice':
      return { ...option({ options: param.values.map(String), description })(), required };
    case 'date':
      return string({
        description,
        required,
        helpValue: 'DAY',
        parse: async (text) => dayOf(text),
      });
    case 'engines':
      return string({ description, required, helpValue: 'ID[,ID…]' });
    case 'values':
      return string({
        description,
        required,
        helpValue: 'VALUE[,VALUE…]',
      });
    case 'boolean':
      return boolean({ description, required });
  }
}

/** The flag for a number of days that end today. Of a read with presets too, as from and to: see `requestParams`. */
const daysFlag = (param: Param): Flag =>
  integer({
    description: `Days that end today (UTC), 1 to ${RANGE_DAYS_MAX}; default ${'default' in param ? param.default : WINDOW_DAYS}`,
    helpValue: 'N',
    min: 1,
    max: RANGE_DAYS_MAX,
  });

/**
 * A day as people type it. Whether a date exists says the server.
 * @throws Error for another form.
 */
export function dayOf(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const [, ago] = /^(\d{1,4})d$/.exec(text === 'today' ? '0d' : text === 'yesterday' ? '1d' : text) ?? [];
  if (ago === undefined) throw new Error(`Invalid value ${text || '(empty)'}: it takes ${DAY_FORMS}.`);
  return addDays(today(), -Number(ago));
}

/** The flags of `svc summary`, which `svc` without a command takes too. */
export const summaryFlags = paramFlags({ brand, ...windowRange });

/** Seconds between two reads of `--watch`; a shorter wait would use up the tokens of the key. */
export const WATCH_SECONDS = { default: 60, least: 1, most: 86_400 } as const;

/** The flag of the reads that change while one looks at them. */
export const watchFlag = {
  watch: string({
    description: `Read again every SECONDS (default ${WATCH_SECONDS.default}, at least ${WATCH_SECONDS.least}) and redraw in place, until Ctrl-C. In a pipe, print again when something changed`,
    helpValue: '[SECONDS]',
    exclusive: ['fail-below', 'fail-above', 'fail-if-missing'],
  }),
};

/** The arguments with a value for `--watch`, which users may write without one; parsers of flags require one. */
export const withInterval = (argv: readonly string[]): string[] => {
  const end = argv.indexOf('--');
  return argv.flatMap((arg, at) => {
    const isAlone = arg === '--watch' && (end === -1 || at < end) && !/^-?[\d.]/.test(argv[at + 1] ?? '');
    return isAlone ? [`--watch=${WATCH_SECONDS.default}`] : [arg];
  });
};

/** What of a read its flags depend on. */
export type ReadFields = Pick<Read, 'params' | 'response' | 'rows' | 'mainRows'>;

/** The flags of a read with one object as its body: its parameters, then the selection of rows, and thresholds of numbers. */
export const readFlags = (read: ReadFields): FlagSet => ({
  ...formatFlag,
  ...paramFlags(read.params),
  ...objectOutputFlags(read.response, mainRowSchema(read)),
});

/** The flags of a list. `--limit` counts rows across pages, whereas the parameter of the API counts the rows of one page. */
export function listFlags(read: ReadFields): FlagSet {
  const { limit: _, cursor: __, ...params } = read.params;
  const row = mainRowSchema(read);
  return {
    ...formatFlag,
    ...paramFlags(params),
    cursor: string({
      description: 'Continue in the order of pages after this next_cursor; empty: the first page',
    }),
    limit: integer({
      description: 'The first N rows in the order of the list, over as many pages as that takes',
      helpValue: 'N',
      min: 1,
    }),
    all: boolean({ description: 'Every row', exclusive: ['limit'] }),
    fields: fieldsFlag(row),
    sort: sortFlag(row, '. Reads the whole list, then prints its first rows'),
  };
}

/** The flag with the names of the fields that it takes. The build adds them to the manifest, for completion. */
const naming = <F extends Flag>(flag: F, fields: readonly Field[]): F => ({
  ...flag,
  fieldNames: fields.map(({ name }) => name),
});

const fieldsFlag = (row: Schema) =>
  naming(
    string({
      description: 'Print only these fields, in this order; their names are the columns of --format csv',
      helpValue: 'FIELD[,FIELD…]',
    }),
    columnsOf(row),
  );

/** @param cost What the order costs, for the help. */
const sortFlag = (row: Schema, cost = '') =>
  naming(
    string({
      description: `Sort the rows by a field, ascending unless :desc is given; null is last${cost}`,
      helpValue: 'FIELD[:asc|desc]',
    }),
    columnsOf(row).filter(isScalar),
  );

/**
 * The flag for the first rows of a read that is not a list.
 * @param exclusive Flags that it does not go with.
 */
export const limitFlag = (description: string, exclusive: string[] = []) =>
  integer({ description, helpValue: 'N', min: 1, exclusive });

/**
 * The flags of a read with one object as its body: by rows if it has any, and by numbers outside of them.
 * @param row The schema of a row; the response itself: there are no rows.
 */
export const objectOutputFlags = (response: Schema, row: Schema): FlagSet => ({
  fields: fieldsFlag(row),
  ...(row !== response && {
    sort: sortFlag(row),
    limit: limitFlag('The first N rows, in the order of --sort if it is given'),
  }),
  ...(thresholdFields(response).length > 0 && thresholdFlags(thresholdFields(response))),
});

const THEN = 'exit with 9, after printing';

const thresholdFlags = (fields: readonly Field[]): FlagSet => {
  const flag = (description: string, helpValue: string) =>
    naming(string({ description, helpValue, multiple: true, multipleNonGreedy: true }), fields);
  return {
    'fail-below': flag(
      `If the field is below the number, ${THEN}; may be given several times`,
      'FIELD=NUMBER',
    ),
    'fail-above': flag(`If the field is above the number, ${THEN}`, 'FIELD=NUMBER'),
    'fail-if-missing': flag(`If the field is null, which means not measured, ${THEN}`, 'FIELD'),
  };
};

/** The numbers of a response outside of its lists. */
export const thresholdFields = (response: Schema): Field[] =>
  fieldsOf(response)
    // An object that may be null, as the totals of a brand without logs: its numbers are null with it.
    .flatMap((field) => {
      const inner = withoutNull(field.schema);
      return inner.kind === 'object' ? fieldsOf(inner, field.path) : [field];
    })
    .filter(isNumeric);
