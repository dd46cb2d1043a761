import { expect } from 'chai';
import { accessLog, demoRobots } from '../../src/demo/site-files.js';
import { agents } from '../../src/logs/agents/match.js';
import { createLogParser } from '../../src/logs/parse.js';
import { DAY_MS } from '../../src/server/base/days.js';
import { robotsVerdicts } from '../../src/server/base/robots/verdict.js';

describe('the access log of the demo', () => {
  const now = new Date('2026-11-20T15:00:00Z');
  const log = accessLog(now);

  it('is read line by line, with visits of AI agents and of people in the last week', () => {
    const hits: { agent: string; time: string }[] = [];
    const parser = createLogParser({ now, onHit: (hit) => hits.push(hit as never) });
    parser.push(Buffer.from(log));
    parser.end();
    const lines = log.trimEnd().split('\n').length;
    expect(parser.counts).to.include({ unparsed: 0 });
    expect(hits.length).to.be.within(lines / 10, lines / 2);
    expect(new Set(hits.map(({ agent }) => agent)).size).to.be.at.least(8);
    for (const { time } of hits) {
      expect(new Date(time).getTime()).to.be.within(now.getTime() - 7 * DAY_MS, now.getTime());
    }
  });

  it('contains the lines of earlier days again on the next day', () => {
    const later = accessLog(new Date('2026-11-21T15:00:00Z'));
    const linesOf = (text: string) => text.split('\n').filter((line) => line.includes('[19/Nov/2026'));
    expect(linesOf(later)).to.deep.equal(linesOf(log)).and.not.to.be.empty;
  });
});

describe('the robots.txt of the demo', () => {
  it('gives every verdict to some agent', async () => {
    const robots = await demoRobots('torvello.example');
    if (robots.state !== 'ok') throw new Error(robots.state);
    const verdictOf = robotsVerdicts(robots.groups);
    const verdicts = agents.map((agent) => verdictOf(agent));
    const seen = new Set(
      verdicts.map(({ verdict, blocked_path }) => `${verdict} ${blocked_path ?? 'nothing'}`),
    );
    expect([...seen]).to.include.members([
      'allowed nothing',
      'allowed /parts',
      'blocked /',
      'unaddressed /cart',
    ]);
  });

  it('is absent for one brand, and cannot be read for another', async () => {
    expect((await demoRobots('aerisvane.example')).state).to.equal('absent');
    expect((await demoRobots('slumbrook.example')).state).to.equal('error');
  });
});
