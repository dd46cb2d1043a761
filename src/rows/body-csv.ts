import { mainRowSchema, mainRows } from '../contract/main-rows.js';
import type { Read } from '../contract/read.js';
import { csv } from './csv.js';
import { fieldsOf } from './fields.js';
import { unmeasured } from './unmeasured.js';

/**
 * The main rows of a body as CSV, below a line with the names of all fields.
 * @param isMeasured Whether any run was collected; else fields that are 0 because they have no null are empty.
 */
export function bodyCsv(
  read: Pick<Read, 'mainRows' | 'rows' | 'response' | 'zeros'>,
  body: object,
  isMeasured: boolean,
): string {
  const rows = mainRows(read, body);
  const { zeros = [] } = read;
  return csv(
    fieldsOf(mainRowSchema(read)),
    isMeasured ? rows : rows.map((row) => unmeasured(row, zeros)),
    true,
  );
}
