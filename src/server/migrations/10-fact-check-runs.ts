import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * The slot of a brand's metered fact check, and a roll-up of what it compares: per engine and day the newest run that has
 * answer text and mentions the brand, so that a check finds its answers however many runs there are.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table fact_check_slots (
      brand_key   integer primary key,
      holder      text not null,
      started_at  timestamptz not null,
      ended_at    timestamptz,
      lease_until timestamptz not null,
      day         date not null,
      spent       integer not null
    )`,
    `create table day_newest_answer (
      brand_key integer not null,
      engine    text collate "C" not null,
      day       date not null,
      run_id    text collate "C" not null,
      primary key (brand_key, engine, day)
    )`,
  ]);
  const { rows: brands } = await knex.raw('select brand_key as "brandKey" from brands order by brand_key');
  for (const { brandKey } of brands) await knex.raw(NEWEST_ANSWERS, { brandKey });
}

/** Of one brand, so that a distributed database computes it where the brand's rows are. */
const NEWEST_ANSWERS = `
  insert into day_newest_answer
  select r.brand_key, r.engine, r.day, (array_agg(r.id order by r.collected_at desc, r.id desc))[1]
  from runs r
  join run_answers a on a.brand_key = :brandKey and a.run_id = r.id
  where r.brand_key = :brandKey and btrim(a.answer, E' \\t\\r\\n') <> '' and exists (
    select 1 from unnest(r.m_name) as m(name_key)
    join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity = 0
  )
  group by r.brand_key, r.engine, r.day`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table fact_check_slots, day_newest_answer');
}
