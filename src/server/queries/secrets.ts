import { statement } from './statement.js';

/** Stores a secret of the deployment unless one with this name exists. Of concurrent inserts the first is kept. */
export const addSecret = statement<never, { name: string; value: Buffer }>(
  'add_secret',
  'insert into secrets (name, value) values (:name, :value) on conflict (name) do nothing',
);

export const secretByName = statement<{ value: Buffer }, { name: string }>(
  'secret_by_name',
  'select value from secrets where name = :name',
);
