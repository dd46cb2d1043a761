import type { Knex } from 'knex';
import { printable } from '../../../contract/printable.js';
import { counted } from '../../render/view.js';
import { type Check, failure, ok, warning } from '../check.js';

/** The stored brands, and those without data. */
export async function checkStoredBrands(db: Knex): Promise<Check> {
  const { listBrands } = await import('../../../server/accounts/brands.js');
  const brands = await listBrands(db, {});
  if (brands.length === 0)
    return warning(
      'brands',
      'No brand is stored: every read answers 404.',
      '`svc admin import` loads data (docs/dataset.md).',
    );
  const never = brands.filter(({ collected }) => !collected).length;
  const finding = `${counted(brands.length, 'brand')} stored`;
  return never === 0
    ? ok('brands', `${finding}.`)
    : warning(
        'brands',
        `${finding}; no answer was ever collected for ${never}.`,
        '`svc admin brands list` names them, `svc admin import` loads data.',
      );
}

const SOON_MS = 14 * 86_400_000;

/** The stored keys, and those that expire soon. */
export async function checkStoredKeys(db: Knex, now: Date): Promise<Check> {
  const { listKeys } = await import('../../../server/accounts/keys.js');
  const unrevoked = (await listKeys(db, {})).filter(({ revokedAt }) => revokedAt === null);
  const left = ({ expiresAt }: (typeof unrevoked)[number]) =>
    expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now.getTime();
  const working = unrevoked.filter((key) => left(key) > 0);
  if (working.length === 0)
    return warning(
      'keys',
      'No stored key works: only the operator key does.',
      '`svc admin keys create` makes one.',
    );
  const soon = working.filter((key) => left(key) < SOON_MS);
  const finding = `${counted(working.length, 'key works', 'keys work')}`;
  if (soon.length === 0) return ok('keys', `${finding}.`);
  const named = soon.map(
    ({ display, expiresAt }) => `${printable(display)}… at ${expiresAt!.toISOString().slice(0, 16)}Z`,
  );
  return warning(
    'keys',
    `${finding}; soon expired: ${named.join(', ')}.`,
    'Make new ones in time: svc admin keys create',
  );
}

/** The statistics and the deletions that the nights before should have done. */
export async function checkNightly(db: Knex, now: Date, retentionDays: number): Promise<Check> {
  const { pendingWork } = await import('../../../server/nightly.js');
  const { days, expiredBrands } = await pendingWork(db, now, retentionDays);
  const pending = [
    ...(days > 0 ? [`statistics of ${counted(days, 'finished day')}`] : []),
    ...(expiredBrands > 0 ? [`expired crawler requests of ${counted(expiredBrands, 'brand')}`] : []),
  ];
  return pending.length === 0
    ? ok('nightly work', 'No nightly work is pending.')
    : warning(
        'nightly work',
        `Pending: ${pending.join(', ')}.`,
        'A running server does it within ten minutes; else look for “failed” in its log.',
      );
}

/** The replica of DATABASE_READ_URL. */
export async function checkReplica(primary: Knex, replica: Knex): Promise<Check> {
  const { compareReplica } = await import('../../../server/database/replica-watch.js');
  const { isDatabaseUnavailable } = await import('../../../server/errors.js');
  const { unavailableMessage } = await import('../../../server/database/failure-text.js');
  const remedy = 'Correct DATABASE_READ_URL or the replica; until then the primary computes all reads.';
  try {
    const { problem } = await compareReplica(primary, replica);
    return problem === null
      ? ok('replica', 'The replica answers.')
      : warning('replica', `The replica is left out: ${problem}.`, remedy);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return failure('replica', `The replica is left out. ${unavailableMessage(error as Error)}`, remedy);
  }
}
