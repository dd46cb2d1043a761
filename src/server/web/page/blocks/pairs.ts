/** What a change of a prompt looks like: an answer of the window before and one of now, of which one names the brand. */
import { windowBefore } from '../../../base/days.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { card, loadedOr } from '../parts/card.js';
import { isMove } from '../parts/change.js';
import { day, engineName, regionName } from '../parts/text.js';
import { slicedReads, withRange } from '../slice.js';

/** Answers that are looked at in each window, the newest first. */
const LOOKED_AT = '50';
const MOST = 3;

/** Nothing where the change may be chance, or where no engine has both in one region. */
export async function pairs({ ofSlice, reads, slice, leads }: Loading): Promise<Markup> {
  const overview = loadedOr(null, await ofSlice.loadIfPossible('overview'))?.body;
  const verdict = overview?.change.presence_rate.verdict ?? null;
  if (!isMove(verdict)) return null;
  const own = reads.brand.id;
  const before = slicedReads(reads, withRange(slice, windowBefore({ start: slice.from, end: slice.to })));
  const [named, absent] = [
    { names: own, limit: LOOKED_AT },
    { without: own, limit: LOOKED_AT },
  ];
  const isUp = verdict === 'up';
  const [now, then] = await Promise.all([
    ofSlice.loadIfPossible('answers', isUp ? named : absent),
    before.loadIfPossible('answers', isUp ? absent : named),
  ]);
  if ('refused' in now || 'refused' in then) return null;
  const placeOf = ({ engine, region }: { engine: string; region: string }) => `${engine} ${region}`;
  const earlier = new Map(then.body.answers.toReversed().map((each) => [placeOf(each), each]));
  const newest = new Map(now.body.answers.toReversed().map((each) => [placeOf(each), each]));
  const found = [...newest].flatMap(([place, answer]) => {
    const other = earlier.get(place);
    return other === undefined ? [] : [{ answer, other }];
  });
  if (found.length === 0) return null;
  const [first, last] = isUp ? ['Did not name you', 'names you'] : ['Named you', 'does not name you'];
  const link = ({ id, date }: (typeof found)[number]['answer'], words: string) =>
    html`<a href=${leads.answer(id)}>${words} on <time datetime=${date}>${day(date)}</time></a>`;
  return card(
    {
      id: 'pairs',
      title: isUp ? 'Absent before, named now' : 'Named before, absent now',
      about: 'the same engine and region',
    },
    html`<ul class="pairs">${found
      .slice(-MOST)
      .toReversed()
      .map(
        ({ answer, other }) =>
          html`<li><strong>${engineName(answer.engine)}</strong>, ${regionName(answer.region)}: ${link(other, first)}, ${link(answer, last)}</li>`,
      )}</ul>`,
  );
}
