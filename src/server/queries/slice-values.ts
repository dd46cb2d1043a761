/** What the values of a slice stand for. */
import { statement } from './statement.js';

/** The elements of a binding as rows, which the database hashes: a caller may send as many values as a message can hold. */
const among = (name: string): string => `in (select unnest(cast(:${name} as text[])))`;

export interface ChosenPrompt {
  key: number;
  id: string;
  topic_id: string | null;
  tags: string[];
}

/** The prompts, active or not, that one of the values names: by id, by topic folder or by tag. */
export const promptsNamed = statement<
  ChosenPrompt,
  { brandKey: number; prompts: readonly string[]; topics: readonly string[]; tags: readonly string[] }
>(
  'prompts_named',
  `select prompt_key as key, id, topic_id, tags from prompts
   where brand_key = :brandKey
     and (id ${among('prompts')} or topic_id ${among('topics')}
       or prompt_key in (
         select t.prompt_key from prompts t cross join unnest(t.tags) tag
         where t.brand_key = :brandKey and tag ${among('tags')}
       ))`,
);

/** How many prompts there are, active or not. Always one row. */
export const promptCount = statement<{ prompts: number }, { brandKey: number }>(
  'prompt_count',
  'select count(*) as prompts from prompts where brand_key = :brandKey',
);

/** The topic folders with these ids. */
export const topicsNamed = statement<{ id: string }, { brandKey: number; topics: readonly string[] }>(
  'topics_named',
  `select id from topics where brand_key = :brandKey and id ${among('topics')}`,
);

/** The regions in which runs were collected. */
export const collectedRegions = statement<{ region: string }, { brandKey: number }>(
  'collected_regions',
  'select distinct region from day_region where brand_key = :brandKey order by region',
);
