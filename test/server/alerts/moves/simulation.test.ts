/** What is told of simulated brands, in small: `scripts/moves-figures.ts` has the figures of docs/moves.md. */
import { expect } from 'chai';
import {
  SECOND_CHANGES,
  simulatedHistory,
  TRUE_CHANGES,
} from '../../../../scripts/generate/simulated-moves.js';
import { groupsOf } from '../../../../src/contract/move-groups.js';
import { moveTitle } from '../../../../src/contract/moves.js';
import { daysFor, metricMoves } from '../../../../src/server/alerts/moves/metric-moves.js';
import { addDays, windowEnding } from '../../../../src/server/base/days.js';

const END = '2026-11-19';

const messagesOf = (told: Awaited<ReturnType<typeof metricMoves>>) =>
  groupsOf(told).filter(({ role }) => role === 'headline');

describe('moves: on simulated brands', () => {
  it('a quiet brand gets a message every two months at most, and more without the control of false discoveries', async () => {
    const nights = windowEnding(END, 90);
    const [brands, uncontrolledBrands] = [8, 2];
    const monthsOf = (count: number) => count * (90 / 30);
    let [told, uncontrolled] = [0, 0];
    for (let brand = 0; brand < brands; brand += 1) {
      const history = simulatedHistory({ seed: `quiet ${brand}`, days: daysFor(nights), dayShock: 0 });
      told += messagesOf(await metricMoves(history, nights)).length;
      if (brand >= uncontrolledBrands) continue;
      const rules = { falseDiscoveries: Number.POSITIVE_INFINITY, confirming: 2 } as const;
      uncontrolled += messagesOf(await metricMoves(history, nights, rules)).length;
    }
    expect(told / monthsOf(brands)).to.be.at.most(0.5);
    expect(uncontrolled / monthsOf(uncontrolledBrands)).to.be.above(10);
  });

  it('a fall of presence from 50 to 35 % is told within 8 days, in 9 of 10', async () => {
    const nights = windowEnding(END, 8);
    let told = 0;
    for (let at = 0; at < 10; at += 1) {
      const history = simulatedHistory({
        seed: `fall ${at}`,
        days: daysFor(nights),
        dayShock: 0,
        changes: [{ from: nights.start, presence: 0.35 }],
      });
      const found = await metricMoves(history, nights);
      const isFall = found.some(
        ({ facts, direction, day }) =>
          facts.metric === 'presence_rate' &&
          facts.entity === null &&
          facts.engine === null &&
          direction === 'down' &&
          day <= addDays(nights.start, 7),
      );
      if (isFall) told += 1;
    }
    expect(told).to.be.at.least(9);
  });

  it('true changes of ten kinds are a message each, with the right headline, and hardly any besides', async () => {
    const nights = windowEnding(END, 10);
    let [all, moves] = [0, 0];
    const lines: string[] = [];
    for (const [name, { brand, headline }] of Object.entries(TRUE_CHANGES)) {
      const history = simulatedHistory({
        ...{ seed: `change ${name}`, days: daysFor(nights), dayShock: 0 },
        ...brand(nights.start),
      });
      const told = await metricMoves(history, nights);
      const messages = messagesOf(told);
      const titles = messages.map(({ move }) => moveTitle('metric', move.facts));
      lines.push(`${name}: ${told.length} moves, ${messages.length} messages: ${titles.join('; ')}`);
      expect(new Set(messages.map(({ night }) => night)).size, name).to.equal(messages.length);
      expect(
        titles.filter((title) => headline.test(title)),
        lines.at(-1),
      ).to.have.length(1);
      all += messages.length;
      moves += told.length;
    }
    console.log(lines.map((line) => `      ${line}`).join('\n'));
    expect(moves).to.be.above(100);
    // By chance others are told too, as of a quiet brand.
    expect(all).to.be.at.most(14);
  });

  for (const [name, brand] of Object.entries(SECOND_CHANGES))
    it(`${name}: the large one is told within 8 days, also where presence was told before`, async () => {
      const nights = windowEnding(END, 21);
      const from = addDays(END, -7);
      const brands = 10;
      let [told, second] = [0, 0];
      for (let at = 0; at < brands; at += 1) {
        const history = simulatedHistory({
          ...{ seed: `${name} ${at}`, days: daysFor(nights), dayShock: 0 },
          ...brand(from),
        });
        const messages = messagesOf(await metricMoves(history, nights));
        const rises = messages.filter(({ move }) => /^Presence rose/.test(moveTitle('metric', move.facts)));
        const isTold = rises.some(({ move }) => move.day >= from);
        if (isTold) told += 1;
        if (isTold && rises.some(({ move }) => move.day < from)) second += 1;
      }
      expect(told).to.be.at.least(9);
      expect(second).to.be.at.least(2);
    });
});
