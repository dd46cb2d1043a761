/** The flags by which reads select fields, sort rows, watch a value and repeat themselves. */
import type { Interfaces } from '@oclif/core';
import { string } from '@oclif/core/flags';
import type { Schema } from '../../contract/schema.js';
import { fieldsOf } from '../../rows/fields.js';
import { WATCH_SECONDS } from '../watch/interval.js';
import { thresholdFields } from './thresholds.js';

type FlagSet = { [name: string]: Interfaces.Flag<unknown> };

const fieldsFlag = string({
  description: 'Print only these fields, in this order; their names are the heads of --format csv',
  helpValue: 'FIELD[,FIELD…]',
});

/** @param cost What the order costs, for the help. */
const sortFlag = (cost = '') =>
  string({
    description: `Sort the rows by a field, ascending unless :desc is given; null is last${cost}`,
    helpValue: 'FIELD[:asc|desc]',
  });

/** The flags of a list. */
export const listOutputFlags = (): FlagSet => ({
  fields: fieldsFlag as FlagSet[string],
  sort: sortFlag('. Reads the whole list, then prints its first rows') as FlagSet[string],
});

/** The flags of a read with one object as its body: by rows if it has any, and by numbers outside of them. */
export const objectOutputFlags = (response: Schema): FlagSet => ({
  fields: fieldsFlag as FlagSet[string],
  ...(hasRows(response) && { sort: sortFlag() as FlagSet[string] }),
  ...(thresholdFields(response).length > 0 && (thresholdFlags() as FlagSet)),
});

const hasRows = (response: Schema): boolean =>
  fieldsOf(response).some(({ schema }) =>
    /"kind":"list","items":\{"kind":"object"/.test(JSON.stringify(schema)),
  );

const THEN = 'exit with 9, after printing';

const thresholdFlags = () => ({
  'fail-below': string({
    description: `If the field is below the number, ${THEN}; may be given several times`,
    helpValue: 'FIELD=NUMBER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'fail-above': string({
    description: `If the field is above the number, ${THEN}`,
    helpValue: 'FIELD=NUMBER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'fail-if-missing': string({
    description: `If the field is null, which means not measured, ${THEN}`,
    helpValue: 'FIELD',
    multiple: true,
    multipleNonGreedy: true,
  }),
});

/** The flag of the reads that change while one looks at them. */
export const watchFlag = {
  watch: string({
    description: `Read again every SECONDS (${WATCH_SECONDS.default} when absent, at least ${WATCH_SECONDS.least}) and redraw in place, until Ctrl-C. In a pipe, print again when something changed`,
    helpValue: '[SECONDS]',
    exclusive: ['fail-below', 'fail-above', 'fail-if-missing'],
  }),
};
