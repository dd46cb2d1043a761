import { expect } from 'chai';
import { demoRobots } from '../../src/demo/robots.js';
import { agents } from '../../src/logs/agents/match.js';
import { robotsVerdicts } from '../../src/server/robots/verdict.js';

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
