import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Runs in whose answers only the names that were tracked were looked for, and the entities that were added later: `name_gaps`
 * has a row for each of them whose names stored answers were not searched for. Days before `measured_since` are not measured,
 * days before `spelled_since` lack a spelling, and of days before `cited_since` not even citations are known; null: no day.
 * Answers from before `kept_before` were searched while the entity was tracked before.
 *
 * The state of a brand has the last day of any of these, so that a read of a brand without gaps looks for none, and how far
 * its stored answers are searched: those of `search_day` and later, and of the day before it those whose id is not less
 * than `search_after`; null: no search is due. Statistics of an entity on a day of which it is not measured have no visibility.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    'alter table runs add column tracked_names boolean not null default false',
    'alter table day_scope add column tracked_runs integer not null default 0',
    'alter table daily_stats alter column visibility drop not null',
    `alter table brand_versions
      add column names_since date,
      add column search_day date,
      add column search_after text collate "C"`,
    `create table name_gaps (
      brand_key      integer not null,
      entity         integer not null,
      measured_since date,
      spelled_since  date,
      cited_since    date,
      kept_before    date,
      primary key (brand_key, entity)
    )`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    'drop table name_gaps',
    'delete from daily_stats where visibility is null',
    'alter table daily_stats alter column visibility set not null',
    'alter table brand_versions drop column names_since, drop column search_day, drop column search_after',
    'alter table day_scope drop column tracked_runs',
    'alter table runs drop column tracked_names',
  ]);
}
