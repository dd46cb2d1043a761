import type { Knex } from 'knex';
import { counted } from '../../render/view.js';
import { type Check, failure, ok, warning } from '../check.js';

/** @returns Whether the schema is that of this version, so that data can be read. */
export async function checkSchema(db: Knex): Promise<{ isCurrent: boolean; check: Check }> {
  const { SchemaError, schemaState } = await import('../../../server/database/schema-state.js');
  try {
    const { applied, pending } = await schemaState(db);
    return { isCurrent: pending.length === 0, check: schemaCheck(applied, pending) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return { isCurrent: false, check: failure('schema', error.message, 'Install the newer svc here too.') };
  }
}

function schemaCheck(applied: readonly string[], pending: readonly string[]): Check {
  if (applied.length === 0)
    return warning('schema', 'The database is empty.', '`svc serve` makes its schema when it starts.');
  if (pending.length > 0)
    return warning(
      'schema',
      `The schema is older than this version: ${pending.join(', ')} missing.`,
      '`svc admin migrate` applies them, and `svc serve` when it starts.',
    );
  const last = applied.toSorted().at(-1);
  return ok(
    'schema',
    `The schema is up to date (${counted(applied.length, 'migration')}, the last is ${last}).`,
  );
}
