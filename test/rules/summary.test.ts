/** The sentence about a brand says what the reads say: its rank is that of the competitors, and its promise of a verdict is kept. */
import { expect } from 'chai';
import { textOf } from '../../src/contract/phrase.js';
import type { Overview } from '../../src/contract/reads/overview.js';
import type { BodyOf } from '../../src/contract/registry.js';
import { firstVerdictIn, sentenceOf } from '../../src/contract/summary.js';
import { addDays } from '../../src/server/base/days.js';
import { market, NOW, runOf } from '../server/intake/dataset/support/load.js';
import { shared } from '../support/hooks.js';
import { testServer } from '../support/server.js';

const TODAY = '2026-11-20';
/** The first collected day: answers come every day since then. */
const FIRST = '2026-11-02';

describe('rule: the sentence says what the reads say', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    const days = Array.from({ length: 19 }, (_, at) => addDays(FIRST, at));
    const runs = days.flatMap((day, at) =>
      ['Acme', 'Globex', null].map((name, place) =>
        runOf(`${day}-${place}`, {
          collected_at: `${day}T08:00:00Z`,
          mentions: name === null || (at % 5 === 0 && place === 1) ? [] : [{ name, order: 1 }],
        }),
      ),
    );
    await server.load([...market, ...runs]);
  });

  const readOf = <B>(read: string, from: string, to: string) =>
    server.read<B>(`/api/v1/${read}?from=${from}&to=${to}`);

  it('promises the first verdict for the day on which it comes', async () => {
    for (const days of [4, 7, 9]) {
      const overviewOn = (end: string) => readOf<Overview>('overview', addDays(end, 1 - days), end);
      const verdictOn = async (end: string) => (await overviewOn(end)).change.presence_rate.verdict;
      for (let end = FIRST; end < addDays(FIRST, days + 3); end = addDays(end, 1)) {
        const left = firstVerdictIn(await overviewOn(end), end);
        expect(left, `${days} days to ${end}`).to.be.a('number');
        const first = addDays(end, left!);
        expect(await verdictOn(first), `${days} days to ${end}: ${first}`).to.not.equal('unknown');
        expect(await verdictOn(addDays(first, -1)), `before ${first}`).to.equal('unknown');
      }
      expect(firstVerdictIn(await overviewOn(TODAY), TODAY)).to.equal(null);
    }
  });

  it('has the rank of the competitors, and is that of the briefing', async () => {
    for (const days of [1, 4, 5, 10]) {
      const range = [addDays(TODAY, 1 - days), TODAY] as const;
      const overview = await readOf<Overview>('overview', ...range);
      const { competitors } = await readOf<BodyOf<'competitors'>>('competitors', ...range);
      const says = textOf(sentenceOf({ overview, competitors, today: TODAY }));
      const briefing = await readOf<BodyOf<'briefing'>>('briefing', ...range);
      expect(briefing.sentence).to.equal(says);
      expect(briefing.place).to.deep.equal({ rank: 1, of: 2 });
      expect(says).to.match(/, (joint )?first of two brands/);
    }
  });
});
