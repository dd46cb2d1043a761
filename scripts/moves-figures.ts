/**
 * Prints the figures of docs/moves.md: what is told of simulated brands in 90 nights, with and without the rules, in how many
 * messages true changes are told, whether one that follows another one is, and how soon a fall is told. Takes minutes: `node --import ./scripts/support/typescript.mjs scripts/moves-figures.ts [BRANDS] [FALLS]`.
 */

import { groupsOf } from '../src/contract/move-groups.js';
import { daysFor, metricMoves } from '../src/server/alerts/moves/metric-moves.js';
import { addDays, windowEnding } from '../src/server/base/days.js';
import { SECOND_CHANGES, simulatedHistory, TRUE_CHANGES } from './generate/simulated-moves.js';

const [brands = 100, falls = 200] = process.argv.slice(2).map(Number);
const NIGHTS = windowEnding('2026-11-19', 90);
const MONTH = 30 / 90;
/** Brands of each true change. */
const CHANGED = 20;
/** Brands of each change that follows another one. */
const FOLLOWED = 40;

const RULES = {
  'both rules': { falseDiscoveries: 0.1, confirming: 2 },
  'no second night': { falseDiscoveries: 0.1, confirming: 1 },
  'no control': { falseDiscoveries: Infinity, confirming: 2 },
  neither: { falseDiscoveries: Infinity, confirming: 1 },
} as const;

for (const dayShock of [0, 0.15]) {
  const counts: Record<string, number> = {};
  for (let brand = 0; brand < brands; brand += 1) {
    const history = simulatedHistory({ seed: `quiet ${dayShock} ${brand}`, days: daysFor(NIGHTS), dayShock });
    for (const [name, rules] of Object.entries(RULES)) {
      const told = await metricMoves(history, NIGHTS, rules);
      const messages = groupsOf(told).filter(({ role }) => role === 'headline').length;
      counts[`${name}, moves`] = (counts[`${name}, moves`] ?? 0) + told.length;
      counts[`${name}, messages`] = (counts[`${name}, messages`] ?? 0) + messages;
    }
  }
  for (const [name, count] of Object.entries(counts))
    console.log(`shock ${dayShock}: ${name}: ${((count / brands) * MONTH).toFixed(2)} a month`);
}

for (const [name, { brand }] of Object.entries(TRUE_CHANGES)) {
  const nights = windowEnding('2026-11-19', 28);
  let [moves, messages] = [0, 0];
  for (let at = 0; at < CHANGED; at += 1) {
    const seed = `${name} ${at}`;
    const changed = brand(addDays(nights.start, 2));
    const told = await metricMoves(
      simulatedHistory({ seed, days: daysFor(nights), dayShock: 0, ...changed }),
      nights,
    );
    moves += told.length;
    messages += groupsOf(told).filter(({ role }) => role === 'headline').length;
  }
  const mean = (count: number) => (count / CHANGED).toFixed(1);
  console.log(`${name}: ${mean(moves)} moves in ${mean(messages)} messages in the 28 nights`);
}

for (const [name, brand] of Object.entries(SECOND_CHANGES))
  for (const dayShock of [0, 0.15]) {
    const nights = windowEnding('2026-11-19', 28);
    const from = addDays(nights.end, -12);
    let [told, soon, messages] = [0, 0, 0];
    for (let at = 0; at < FOLLOWED; at += 1) {
      const seed = `${name} ${dayShock} ${at}`;
      const history = simulatedHistory({ seed, days: daysFor(nights), dayShock, ...brand(from) });
      const groups = groupsOf(await metricMoves(history, nights));
      const rise = groups.find(
        ({ into, move: { day, direction, facts } }) =>
          into === null &&
          facts.metric === 'presence_rate' &&
          facts.entity === null &&
          facts.engine === null &&
          direction === 'up' &&
          day >= from,
      );
      if (rise) told += 1;
      if (rise && rise.move.day <= addDays(from, 7)) soon += 1;
      messages += groups.filter(({ role }) => role === 'headline').length;
    }
    console.log(
      `shock ${dayShock}: ${name}: told of ${told}, within 8 days of ${soon}, of ${FOLLOWED}; ${(messages / FOLLOWED).toFixed(1)} messages in the 28 nights`,
    );
  }

for (const dayShock of [0, 0.15]) {
  const until = Array.from({ length: 14 }, () => 0);
  for (let at = 0; at < falls; at += 1) {
    const nights = windowEnding('2026-11-19', 14);
    const history = simulatedHistory({
      seed: `fall ${dayShock} ${at}`,
      days: daysFor(nights),
      dayShock,
      changes: [{ from: nights.start, presence: 0.35 }],
    });
    const told = await metricMoves(history, nights);
    const first = told.find(
      ({ facts, direction }) =>
        facts.metric === 'presence_rate' &&
        facts.entity === null &&
        facts.engine === null &&
        direction === 'down',
    );
    for (let day = 0; day < until.length; day += 1)
      if (first && first.day <= addDays(nights.start, day)) until[day]! += 1;
  }
  console.log(
    `shock ${dayShock}: a fall of presence from 50 to 35 % is told by day`,
    until.map((count, day) => `${day + 1}: ${((100 * count) / falls).toFixed(0)} %`).join(', '),
  );
}
