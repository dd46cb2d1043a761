import type { PromptRecord, TagGroupRecord, TopicRecord } from '../records.js';
import type { Draw } from './draw.js';
import { randomIds } from './ids.js';
import { randomCreation } from './times.js';

const TAGS = ['crm', 'CRM', 'pricing', 'b2b', 'Enterprise', 'für KMU'] as const;
const UNUSED_TAG = 'nobody carries this';

export interface RandomPrompts {
  topics: TopicRecord[];
  prompts: PromptRecord[];
  groups: TagGroupRecord[];
}

/** One prompt at least, active or not; topics, tags and groups, of which some stay empty or unused. */
export function randomPrompts(draw: Draw, brand: string, today: string): RandomPrompts {
  const topics = randomIds(draw, draw.int(0, 3)).map(
    (id): TopicRecord => ({ type: 'topic', id, brand, name: `Topic ${id}` }),
  );
  const prompts = randomIds(draw, draw.int(1, 8)).map((id) => randomPrompt(draw, id, brand, topics, today));
  const groups = randomIds(draw, draw.int(0, 3)).map(
    (id): TagGroupRecord => ({
      type: 'tag_group',
      id,
      brand,
      name: `Group ${id}`,
      color: draw.pick(['#ff8800', '#00aa55', '#123abc']),
      tags: draw.chance(0.2) ? [] : draw.shuffled(draw.some([...TAGS, UNUSED_TAG], 0.4)),
      ...randomCreation(draw, today),
    }),
  );
  return { topics, prompts, groups };
}

function randomPrompt(
  draw: Draw,
  id: string,
  brand: string,
  topics: TopicRecord[],
  today: string,
): PromptRecord {
  const topic = draw.pick<string | null>([null, ...topics.map((each) => each.id)]);
  return {
    type: 'prompt',
    id,
    brand,
    text: `best tool number ${draw.int(1, 99)} for teams?`,
    ...draw.pick([{}, { stage: null }, { stage: 'awareness' }, { stage: 'decision' }]),
    ...(topic === null ? draw.pick([{}, { topic }]) : { topic }),
    ...draw.pick([{}, { tags: null }, { tags: draw.shuffled(draw.some(TAGS, 0.4)) }]),
    ...draw.pick([{}, { active: null }, { active: true }, { active: false }]),
    ...randomCreation(draw, today),
    ...randomVolume(draw),
  };
}

function randomVolume(draw: Draw): Partial<PromptRecord> {
  if (draw.chance(0.5)) return {};
  return {
    est_volume: draw.pick([null, 0, 1200]),
    est_volume_band: draw.pick([null, [100, 900] as [number, number]]),
    volume_confidence: draw.pick([null, 'measured', 'modelled']),
    matched_gsc_query: draw.pick([null, 'best crm']),
    gsc_impressions_28d: draw.pick([null, 0, 345]),
  };
}
