/** The reads of a page for the viewer of a link: whatever a page asks for, it gets only what the link is limited to. */

import type { Knex } from 'knex';
import { errors } from '../../../contract/errors.js';
import type { FullAnswer } from '../../../contract/reads/answer.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import { type BodyOf, reads as definitions, type ReadName } from '../../../contract/registry.js';
import { promptsNamed } from '../../answers/reads/slice.js';
import { refuse } from '../../base/errors.js';
import type { Loaded, PageReads, Withheld } from './reads.js';
import { refusalIn } from './respond.js';
import { type Filter, filterNames, OF_PROMPTS, type Slice } from './slice.js';

/** The filters of a link. */
export type LinkFilters = Pick<Slice, Filter>;

type Params = Readonly<Record<string, string>>;

/** Reads about answers that have no filter. Those about the site, its visitors and its facts are for people with a key. */
const UNFILTERED: readonly ReadName[] = [
  'brands',
  'prompts',
  'content-coverage',
  'fanouts',
  'shopping',
  'answer',
];

/** Reads that are limited by what is taken out of their bodies. */
const LIMITED_IN_BODY: readonly ReadName[] = ['brands', 'prompts', 'answer'];

const NOT_SHARED = 'This is not part of what was shared with you.';

/**
 * The same reads, within the filters of a link. A page that asks for more gets less: the filters are added to what it asks
 * for, a value beyond them is not found, and a read that cannot be limited is withheld.
 */
export function sharedReads(db: Knex, reads: PageReads, limits: LinkFilters): PageReads {
  const set = filterNames.filter((name) => limits[name] !== undefined);
  // An effect compares prompts with all others: its filters of prompts choose what was done, not what is seen.
  const isMissing = (name: ReadName, filter: Filter) =>
    !(filter in definitions[name].params) ||
    (name === 'effect' && OF_PROMPTS.some((each) => each === filter));
  const missingIn = (name: ReadName) => set.filter((filter) => isMissing(name, filter));

  /** The parameters within the link; null: the read cannot be limited by them. */
  function within(name: ReadName, params: Params): Params | null {
    // They have what is about the site, its visitors and its facts too.
    if (name === 'briefing' || name === 'url') return null;
    // What crawlers fetch is about the visitors of the site, as the read `crawlers`.
    if (name === 'gaps' && params.kind === 'crawl') return null;
    const isAboutAnswers = 'engine' in definitions[name].params || UNFILTERED.includes(name);
    if (!isAboutAnswers || missingIn(name).length > 0) return null;
    const limited = set.map((filter) => [filter, limitedTo(limits[filter]!, params[filter])]);
    return { ...params, ...Object.fromEntries(limited) };
  }

  const allowed = (name: ReadName, params: Params): Params => {
    const limited = within(name, params);
    if (limited === null) throw refuse(errors.notFound());
    return limited;
  };

  /** What the reads of prompts and of an answer have no parameter for is taken out of their bodies. */
  async function load<N extends ReadName>(name: N, params: Params = {}): Promise<Loaded<N>> {
    if (name === 'prompts' && missingIn(name).length > 0) return (await promptsWithin(params)) as Loaded<N>;
    if (name === 'answer') return (await answerWithin(params)) as Loaded<N>;
    // Every link is about one brand, the only one that its access can see.
    if (name === 'brands') return reads.load(name, params);
    return reads.load(name, allowed(name, params));
  }

  async function promptsWithin(params: Params): Promise<Loaded<'prompts'>> {
    const { engine } = limits;
    const own = engine ? { ...params, engine: limitedTo(engine, params.engine) } : params;
    const { body, source } = await reads.load('prompts', own);
    const prompts = body.prompts.filter((prompt) => isChosen(prompt, limits)).map(measuredFor(limits));
    const shown = new Set(prompts.flatMap(({ tags }) => tags));
    const tag_groups = body.tag_groups
      .map((group) => ({ ...group, tags: group.tags.filter((tag) => shown.has(tag)) }))
      .filter(({ tags }) => tags.length > 0);
    return { body: { ...body, tag_groups, prompts } as BodyOf<'prompts'>, source };
  }

  async function answerWithin(params: Params): Promise<Loaded<'answer'>> {
    const loaded = await reads.load('answer', params);
    const { answer } = loaded.body as { answer: FullAnswer };
    const { engine, region, surface } = limits;
    const isHere =
      (engine === undefined || (engine as readonly string[]).includes(answer.engine)) &&
      (region === undefined || region.includes(answer.region)) &&
      (surface === undefined || (answer.surface !== null && surface.includes(answer.surface)));
    if (!isHere || !(await isPromptWithin(answer.prompt_id))) throw refuse(errors.notFound());
    return loaded;
  }

  async function isPromptWithin(id: string): Promise<boolean> {
    const { prompt, topic, tag } = limits;
    if (!prompt && !topic && !tag) return true;
    const brandKey = reads.brand.key;
    const [found] = await promptsNamed(db, { brandKey, prompts: [id], topics: [], tags: [] });
    return found !== undefined && isChosen(found, limits);
  }

  return {
    ...reads,
    load,
    async loadIfPossible<N extends ReadName>(name: N, params: Params = {}): Promise<Loaded<N> | Withheld> {
      const limited = within(name, params);
      if (limited !== null && name !== 'answer') return reads.loadIfPossible(name, limited);
      if (!LIMITED_IN_BODY.includes(name)) return { refused: NOT_SHARED };
      try {
        return await load(name, params);
      } catch (error) {
        const { status, message } = refusalIn(error);
        if (status !== 400) throw error;
        return { refused: message };
      }
    },
    answer: async (name, params) => reads.answer(name, allowed(name, params)),
    // Which others there are is beyond the link.
    regions: async () => [...(limits.region ?? (set.length === 0 ? await reads.regions() : []))],
    surfaces: async () => [...(limits.surface ?? (set.length === 0 ? await reads.surfaces() : []))],
    newestDay: () => reads.newestDay(limits.engine),
    daysCollected: () => reads.daysCollected(limits.engine),
    bodyOfFile: async (name, params) => reads.bodyOfFile(name, allowed(name, params)),
    until: (gone) => sharedReads(db, reads.until(gone), limits),
  };
}

/**
 * The values of a filter within a link: those asked for, or all of the link if none is.
 * @throws 404 for a value that the link does not have.
 */
function limitedTo(allowed: readonly string[], asked: string | undefined): string {
  const values = asked === undefined || asked === '' ? allowed : asked.split(',');
  if (values.some((value) => !allowed.includes(value))) throw refuse(errors.notFound());
  return values.join(',');
}

type PromptFacts = Pick<Prompt, 'id' | 'topic_id' | 'tags'>;

/** Whether a prompt is one of those that a link is about. */
const isChosen = ({ id, topic_id, tags }: PromptFacts, { prompt, topic, tag }: LinkFilters): boolean =>
  (!prompt || prompt.includes(id)) &&
  (!topic || (topic_id !== null && topic.includes(topic_id))) &&
  (!tag || tags.some((each) => tag.includes(each)));

/** Removes numbers that are of all regions and surfaces where the link is about some. */
const measuredFor =
  ({ region, surface }: LinkFilters) =>
  (prompt: Prompt): Prompt =>
    region === undefined && surface === undefined
      ? prompt
      : { ...prompt, presence_rate: null, visibility: null, avg_position: null, run_count: 0 };
