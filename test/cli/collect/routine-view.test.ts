import { expect } from 'chai';
import { scheduleText } from '../../../src/cli/collect/routine-view.js';
import type { RoutineStatus } from '../../../src/collect/routine.js';

describe('the line of a plan when a server starts', () => {
  const now = new Date('2026-11-28T05:00:00Z');
  const status: RoutineStatus = {
    ...{ file: 'svc.toml', brand: { id: 'shoes', workspaceId: 'shoes' }, fault: null, isRunning: false },
    schedule: { everyDays: 1, at: '04:00', maxUsd: 5, maxCalls: null },
    ...{ last: null, nextAt: now, obstacle: null },
  };

  it('says when it collects', () => {
    expect(scheduleText(status, now)).to.equal(
      'answers for shoes now, then every day at 04:00 UTC, for at most $5.00 a day, by svc.toml',
    );
  });

  it('says what is against it instead, and what ends that', () => {
    const of = (reason: string, remedy: 'restart' | 'wait') =>
      scheduleText({ ...status, obstacle: { reason, remedy } }, now);
    expect(of('OPENAI_API_KEY is not set.', 'restart')).to.equal(
      'no answers for shoes: OPENAI_API_KEY is not set. Correct the environment and start the server again. The schedule is every day at 04:00 UTC, for at most $5.00 a day, by svc.toml',
    );
    expect(of('A is not set. B is not set.', 'restart')).to.include(
      'A is not set. B is not set. Correct the environment and start the server again.',
    );
    expect(of('The disk is full.', 'wait')).to.include('The disk is full. The server tries again by itself.');
  });
});
