import { expect } from 'chai';
import fc from 'fast-check';
import { nextDue, REPEAT_MS } from '../../src/collect/due.js';
import type { Collection } from '../../src/server/answers/collections.js';
import { addDays, utcDay } from '../../src/server/base/days.js';

const DAILY = { everyDays: 1, at: '04:00' };
const OWN = 'own-journal';

const row = (day: string, changed: Partial<Collection> = {}): Collection => ({
  ...{ day, dueAt: null, journal: OWN, host: 'here', startedAt: new Date(`${day}T04:00:00Z`) },
  ...{
    endedAt: new Date(`${day}T04:10:00Z`),
    outcome: 'complete',
    reason: null,
    remedy: null,
    calls: 2,
    costUsd: 0.01,
  },
  ...{ assumedUsd: 0, answered: 2, missing: 0, waiting: 0 },
  ...changed,
});
const planned = (day: string, time = '04:00'): Collection =>
  row(day, {
    ...{ journal: null, startedAt: null, endedAt: null, outcome: null, calls: null, answered: null },
    dueAt: new Date(`${day}T${time}:00Z`),
  });
const due = (now: string, rows: readonly Collection[], schedule = DAILY) => {
  const found = nextDue(schedule, rows, OWN, new Date(`${now}Z`));
  return { ...found, at: found.at.toISOString().slice(0, 16) };
};

describe('when a server collects', () => {
  it('at once if nothing was ever collected', () => {
    expect(due('2026-11-20T10:00:00', [])).to.deep.equal({
      ...{ day: '2026-11-20', at: '2026-11-20T10:00', missed: [], ahead: null },
    });
  });

  it('at the time of the schedule on the day after', () => {
    expect(due('2026-11-20T10:00:00', [row('2026-11-20')])).to.include({
      day: '2026-11-21',
      at: '2026-11-21T04:00',
    });
    expect(due('2026-11-21T03:59:59', [row('2026-11-20')])).to.include({ at: '2026-11-21T04:00' });
    expect(due('2026-11-20T10:00:00', [row('2026-11-20')], { everyDays: 7, at: '23:30' })).to.include({
      day: '2026-11-27',
      at: '2026-11-27T23:30',
    });
  });

  it('once for all times that passed while no server ran, and names the days that have no answers', () => {
    const found = due('2026-11-24T10:00:00', [planned('2026-11-21'), row('2026-11-20')]);
    expect(found).to.deep.include({ day: '2026-11-24', at: '2026-11-24T10:00' });
    expect(found.missed).to.deep.equal(['2026-11-21', '2026-11-22', '2026-11-23']);
    const noted = row('2026-11-22', { journal: null, outcome: 'missed' });
    expect(due('2026-11-24T10:00:00', [noted, row('2026-11-20')]).missed).to.not.include('2026-11-22');
  });

  it('again on the same day if it was killed or stopped; an hour later if runs are missing that can be asked', () => {
    const open = row('2026-11-20', { outcome: null, endedAt: null });
    expect(due('2026-11-20T10:00:00', [open])).to.include({ day: '2026-11-20' });
    expect(due('2026-11-20T10:00:00', [row('2026-11-20', { outcome: 'stopped' })]).day).to.equal(
      '2026-11-20',
    );
    const missing = { outcome: 'incomplete', missing: 1 } as const;
    expect(due('2026-11-20T04:20:00', [row('2026-11-20', { ...missing, waiting: 1 })])).to.include({
      day: '2026-11-20',
      at: '2026-11-20T05:10',
    });
    expect(due('2026-11-20T04:20:00', [row('2026-11-20', missing)]).day).to.equal('2026-11-21');
  });

  it('not on a day whose journal another machine has, ended or not', () => {
    const elsewhere = row('2026-11-20', { journal: 'other', outcome: null, endedAt: null });
    expect(due('2026-11-20T10:00:00', [elsewhere]).day).to.equal('2026-11-21');
  });

  it('by the days up to the current one, when a clock was ahead before', () => {
    const found = due('2026-11-20T10:00:00', [row('2027-01-01'), row('2026-11-19')]);
    expect(found).to.deep.include({ day: '2026-11-20', ahead: '2027-01-01', missed: [] });
    expect(due('2026-11-20T10:00:00', [row('2027-01-01'), row('2026-11-20')]).day).to.equal('2026-11-21');
  });

  it('however the clock jumps, no day is collected twice, and each due day before today is collected or noted', () => {
    const jump = fc.oneof(
      fc.integer({ min: 0, max: 26 * 60 }),
      fc.integer({ min: -40 * 1440, max: 40 * 1440 }),
    );
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (jumps, everyDays) => {
        const schedule = { everyDays, at: '04:00' };
        const rows = new Map<string, Collection>();
        const times = new Map<string, number>();
        const all = () => [...rows.values()].sort((a, b) => b.day.localeCompare(a.day));
        let now = Date.parse('2026-11-20T10:00:00Z');
        for (const minutes of jumps) {
          now += minutes * 60_000;
          const today = utcDay(new Date(now));
          const before = all();
          const found = nextDue(schedule, before, OWN, new Date(now));
          for (const day of found.missed) {
            expect(rows.has(day)).to.equal(false);
            rows.set(day, row(day, { journal: null, outcome: 'missed' }));
          }
          const last = before.find(({ day, journal }) => journal !== null && day <= today);
          for (
            let day = last && addDays(last.day, everyDays);
            day && day < today;
            day = addDays(day, everyDays)
          )
            if (day >= addDays(today, -31)) expect(rows.has(day), day).to.equal(true);
          if (found.at.getTime() > now) {
            // It is never put off by more than one turn of the schedule.
            expect(found.at.getTime() - now).to.be.at.most((everyDays + 1) * 86_400_000 + REPEAT_MS);
            continue;
          }
          expect(found.day).to.equal(today);
          times.set(today, (times.get(today) ?? 0) + 1);
          rows.set(today, row(today));
        }
        expect([...times.values()].filter((count) => count > 1)).to.deep.equal([]);
      }),
      { numRuns: 500 },
    );
  });
});
