import { expect } from 'chai';
import { z } from 'zod';
import { engineIds } from '../../../src/contract/engines.js';
import entries from '../../../src/logs/agents/agents.json' with { type: 'json' };
import { agents, findAgent, recogniseAgent } from '../../../src/logs/agents/match.js';

const filled = z.string().trim().min(1);
const entry = z.strictObject({
  token: filled,
  key: z.stringFormat('key', /^[a-z0-9.-]+$/).optional(),
  aliases: z.array(filled).min(1).optional(),
  label: filled.optional(),
  operator: filled,
  purpose: z.enum(['training', 'search_index', 'user_fetch', 'ad_check']),
  engine: z.enum(engineIds as readonly [string, ...string[]]).optional(),
  robotsTokens: z.array(filled).min(1).optional(),
  robotsFallback: z.array(filled).min(1).optional(),
  mayIgnoreRobots: z.literal(true).optional(),
  inLogs: z.literal(false).optional(),
  caseSensitive: z.literal(true).optional(),
  confidence: z.enum(['observed', 'third-party', 'undocumented']).optional(),
  ranges: z.array(filled).min(1).optional(),
  defaultList: z.literal(false).optional(),
  note: filled.optional(),
});

describe('the agent registry', () => {
  it('has entries of one form, which state nothing that is the default', () => {
    for (const each of entries) entry.parse(each);
  });

  it('has a unique key for every agent', () => {
    expect(new Set(agents.map((agent) => agent.key)).size).to.equal(agents.length);
    expect(agents).to.have.length(119);
    expect(agents.filter((agent) => agent.token !== null)).to.have.length(117);
  });

  it('names only engines of the contract', () => {
    for (const { key, engine } of agents) if (engine !== null) expect(engineIds, key).to.include(engine);
  });

  it('recognises each agent by its token, in any user agent that contains it', () => {
    for (const { key, token, aliases } of agents) {
      for (const name of token === null ? [] : [token, ...aliases]) {
        expect(
          recogniseAgent(`Mozilla/5.0 (compatible; ${name}${name.endsWith('/') ? '' : '/'}1.0)`)?.key,
        ).to.equal(key);
      }
    }
  });

  it('has a fixed number of agents in the default list', () => {
    expect(agents.filter((agent) => agent.defaultList)).to.have.length(84);
  });

  it('has a robots.txt token for every agent, and for Applebot the fallback that Apple documents', () => {
    for (const { key, robotsTokens } of agents) expect(robotsTokens, key).to.not.be.empty;
    expect(findAgent('applebot')?.robotsFallback).to.deep.equal(['Googlebot']);
    expect(findAgent('yandexadditional')?.robotsTokens).to.deep.equal([
      'YandexAdditional',
      'YandexAdditionalBot',
    ]);
  });

  it('does not recognise tokens of robots.txt in logs', () => {
    expect(agents.filter((agent) => !agent.inLogs).map((agent) => agent.key)).to.deep.equal([
      'google-extended',
      'applebot-extended',
    ]);
    expect(recogniseAgent('Google-Extended/1.0')).to.equal(null);
    expect(recogniseAgent('Mozilla/5.0 (compatible; Applebot-Extended/0.1)')).to.equal(null);
  });

  it('has no single engine for Googlebot, and Copilot for bingbot', () => {
    expect(findAgent('googlebot')).to.include({ engine: null, purpose: 'search_index', token: 'Googlebot/' });
    expect(findAgent('bingbot')).to.include({ engine: 'copilot', purpose: 'search_index' });
    expect(findAgent('grokbot')?.confidence).to.equal('undocumented');
    expect(findAgent('petalbot')?.defaultList).to.equal(false);
    expect(findAgent('no-such-agent')).to.equal(undefined);
  });
});
