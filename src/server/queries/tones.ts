import type { ToneSums } from '../metrics/tones.js';
import type { WindowBindings } from './bindings.js';
import { statement } from './statement.js';

/** Runs and quotes of a window on some engines. Always one row. */
export const quotedRuns = statement<{ runs: number; quotes: number }, WindowBindings>(
  'quoted_runs',
  `select coalesce(sum(run_count), 0)::bigint as runs, coalesce(sum(quotes), 0)::bigint as quotes
   from day_scope where brand_key = :brandKey and day between :start and :end and engine = any(:engines)`,
);

/** The brand's tones on each engine that ran. */
export const brandTonesByEngine = statement<ToneSums & { engine: string }, WindowBindings>(
  'brand_tones_by_engine',
  `select s.engine, coalesce(sum(e.present_runs), 0)::bigint as present,
     coalesce(sum(e.positive), 0)::bigint as positive, coalesce(sum(e.neutral), 0)::bigint as neutral,
     coalesce(sum(e.negative), 0)::bigint as negative
   from day_scope s
   left join day_entity e
     on e.brand_key = :brandKey and e.day = s.day and e.engine = s.engine and e.entity = 0
   where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)
   group by s.engine`,
);

export interface QuoteRow {
  runId: string;
  day: string;
  engine: string;
  promptId: string;
  prompt: string;
  /** As captured. */
  name: string;
  /** 0 is the brand itself; null: not tracked. */
  entity: number | null;
  /** −1, 0 or 1. */
  tone: number;
  quote: string;
}

/** The newest runs with a quote of one tone, engine by engine: each of them has one at least. */
const newestWith = (tone: number, quotes: string) => `
  (select r.*, ${tone} as wanted from unnest(cast(:engines as text[])) as e(engine)
   cross join lateral (
     select day, id, runs.engine, prompt_key, m_name, m_order, m_tone, m_evidence from runs
     where brand_key = :brandKey and runs.engine = e.engine and day between :start and :end and ${quotes} > 0
     order by day desc, id desc limit :rows
   ) r
   order by r.day desc, r.id desc limit :rows)`;

/** Quotes of a window on some engines: negative, neutral, positive, and newest first within a tone. */
export const worstQuotes = statement<QuoteRow, WindowBindings & { rows: number }>(
  'worst_quotes',
  `with quoted as materialized (
     ${newestWith(-1, 'quotes_negative')} union all
     ${newestWith(0, 'quotes_neutral')} union all
     ${newestWith(1, 'quotes_positive')}
   )
   select r.id as "runId", r.day, r.engine, p.id as "promptId", p.text as prompt, n.name, n.entity, m.tone,
     m.evidence as quote
   from quoted r
   cross join lateral unnest(r.m_name, r.m_order, r.m_tone, r.m_evidence)
     with ordinality as m(name_key, position, tone, evidence, place)
   join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   where m.tone = r.wanted and m.evidence is not null
   order by m.tone, r.day desc, r.id desc, m.position, m.place
   limit :rows`,
);
