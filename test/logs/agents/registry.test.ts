import { expect } from 'chai';
import { engineIds } from '../../../src/contract/engines.js';
import { agents, findAgent, recogniseAgent } from '../../../src/logs/index.js';

describe('agent registry', () => {
  it('gives every agent a key of its own', () => {
    expect(new Set(agents.map((agent) => agent.key)).size).to.equal(agents.length);
    expect(agents).to.have.length(117);
    expect(agents.filter((agent) => agent.token !== null)).to.have.length(115);
  });

  it('names only engines that the contract knows', () => {
    for (const { key, engine } of agents) if (engine !== null) expect(engineIds, key).to.include(engine);
  });

  it('knows each agent by its own token, in any user agent that holds it', () => {
    for (const { key, token, aliases } of agents) {
      for (const name of token === null ? [] : [token, ...aliases]) {
        expect(
          recogniseAgent(`Mozilla/5.0 (compatible; ${name}${name.endsWith('/') ? '' : '/'}1.0)`)?.key,
        ).to.equal(key);
      }
    }
  });

  it('lists always what it listed before', () => {
    expect(agents.filter((agent) => agent.defaultList)).to.have.length(84);
  });

  it('gives every agent a robots.txt token, and Applebot the fallback that Apple documents', () => {
    for (const { key, robotsTokens } of agents) expect(robotsTokens, key).to.not.be.empty;
    expect(findAgent('applebot')?.robotsFallback).to.deep.equal(['Googlebot']);
    expect(findAgent('yandexadditional')?.robotsTokens).to.deep.equal([
      'YandexAdditional',
      'YandexAdditionalBot',
    ]);
  });

  it('keeps robots.txt tokens out of logs', () => {
    expect(agents.filter((agent) => !agent.inLogs).map((agent) => agent.key)).to.deep.equal([
      'google-extended',
      'applebot-extended',
    ]);
    expect(recogniseAgent('Google-Extended/1.0')).to.equal(null);
    expect(recogniseAgent('Mozilla/5.0 (compatible; Applebot-Extended/0.1)')).to.equal(null);
  });

  it('assigns no single engine to Googlebot, and Copilot to bingbot', () => {
    expect(findAgent('googlebot')).to.include({ engine: null, purpose: 'search_index', token: 'Googlebot/' });
    expect(findAgent('bingbot')).to.include({ engine: 'copilot', purpose: 'search_index' });
    expect(findAgent('grokbot')?.confidence).to.equal('undocumented');
    expect(findAgent('petalbot')?.defaultList).to.equal(false);
    expect(findAgent('no-such-agent')).to.equal(undefined);
  });
});
