/** What the brand did: on the 12th of each month something that helps its prompts, on the 2nd something that does not. */
import type { RecordOf } from '../../server/intake/dataset/records/index.js';
import { dateText, daysFrom } from './calendar.js';
import { espresso } from './market.js';

const { brand, site } = espresso;

interface Deed extends Pick<RecordOf<'mark'>, 'prompts' | 'tags'> {
  readonly id: string;
  readonly text: string;
  readonly path: string;
}

/** In turn, so that what was done three months ago does not count as before. */
const HELPFUL: readonly Deed[] = [
  {
    id: 'durability',
    text: 'Test of old machines published',
    path: '/journal/arco-five-years-on',
    prompts: ['p03', 'p19', 'p20'],
  },
  {
    id: 'first-machine',
    text: 'Guide to the first machine rewritten',
    path: '/guides/first-espresso-machine',
    prompts: ['p10', 'p11', 'p14'],
  },
  {
    id: 'small-kitchen',
    text: 'Guide to small kitchens rewritten',
    path: '/guides/espresso-in-a-small-kitchen',
    prompts: ['p06', 'p07', 'p08'],
  },
];
const USELESS: Deed = {
  id: 'milk',
  text: 'Pages on milk drinks refreshed',
  path: '/guides/latte-art-basics',
  tags: ['milk'],
};

const known = new Map<number, Deed | undefined>();

/** What was done on a day; every run asks for many days. */
function deedOn(day: number): Deed | undefined {
  if (!known.has(day)) known.set(day, newDeedOn(day));
  return known.get(day);
}

function newDeedOn(day: number): Deed | undefined {
  const [year, month, date] = dateText(day).split('-').map(Number);
  if (date === 2) return USELESS;
  return date === 12 ? HELPFUL[(12 * year! + month!) % HELPFUL.length] : undefined;
}

export function* marks(first: number, last: number): Generator<RecordOf<'mark'>> {
  for (const day of daysFrom(first, last)) {
    const deed = deedOn(day);
    if (!deed) continue;
    const { id, path, ...rest } = deed;
    const date = dateText(day);
    yield { type: 'mark', id: `${id}-${date}`, brand, day: date, ...rest, pages: [`${site.url}${path}`] };
  }
}

const GAIN = 0.5;
/** Days of the whole gain, and days after which nothing of it is left. */
const LASTS = 30;
const FADED = 80;

/** The factor on the presence of the brand in answers to a prompt, by what was done for it. */
export function gainOf(prompt: string, day: number): number {
  for (let ago = 0; ago < FADED; ago++) {
    const deed = deedOn(day - ago);
    if (deed && HELPFUL.includes(deed) && deed.prompts?.includes(prompt))
      return 1 + GAIN * Math.min(1, (FADED - ago) / (FADED - LASTS));
  }
  return 1;
}
