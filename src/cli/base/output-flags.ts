/** The flags by which reads select fields, sort rows, watch a value and repeat themselves. */
import type { Interfaces } from '@oclif/core';
import { integer, string } from '@oclif/core/flags';
import { type Field, fieldsOf, isScalar } from '../../contract/rows.js';
import type { Schema } from '../../contract/schema.js';
import { thresholdFields } from './thresholds.js';
import { WATCH_SECONDS } from './watch.js';

type FlagSet = { [name: string]: Interfaces.Flag<unknown> };

/** The flag with the names of the fields that it takes. The build adds them to the manifest, for completion. */
const naming = (flag: object, fields: readonly Field[]): FlagSet[string] =>
  ({ ...flag, fieldNames: fields.map(({ name }) => name) }) as unknown as FlagSet[string];

const fieldsFlag = (row: Schema) =>
  naming(
    string({
      description: 'Print only these fields, in this order; their names are the columns of --format csv',
      helpValue: 'FIELD[,FIELD…]',
    }),
    fieldsOf(row),
  );

/** @param cost What the order costs, for the help. */
const sortFlag = (row: Schema, cost = '') =>
  naming(
    string({
      description: `Sort the rows by a field, ascending unless :desc is given; null is last${cost}`,
      helpValue: 'FIELD[:asc|desc]',
    }),
    fieldsOf(row).filter(isScalar),
  );

/**
 * The flag for the first rows of a read that is not a list.
 * @param exclusive Flags that it does not go with.
 */
export const limitFlag = (description: string, exclusive: string[] = []) =>
  integer({ description, helpValue: 'N', min: 1, exclusive });

/** The flags of a list. */
export const listOutputFlags = (row: Schema): FlagSet => ({
  fields: fieldsFlag(row),
  sort: sortFlag(row, '. Reads the whole list, then prints its first rows'),
});

/**
 * The flags of a read with one object as its body: by rows if it has any, and by numbers outside of them.
 * @param row The schema of a row; the response itself: there are no rows.
 */
export const objectOutputFlags = (response: Schema, row: Schema): FlagSet => ({
  fields: fieldsFlag(row),
  ...(row !== response && {
    sort: sortFlag(row),
    limit: limitFlag('The first N rows, in the order of --sort if it is given') as FlagSet[string],
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

/** The flag of the reads that change while one looks at them. */
export const watchFlag = {
  watch: string({
    description: `Read again every SECONDS (default ${WATCH_SECONDS.default}, at least ${WATCH_SECONDS.least}) and redraw in place, until Ctrl-C. In a pipe, print again when something changed`,
    helpValue: '[SECONDS]',
    exclusive: ['fail-below', 'fail-above', 'fail-if-missing'],
  }),
};
