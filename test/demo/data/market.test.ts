import { expect } from 'chai';
import { espresso, type Market, purifiers } from '../../../src/demo/data/market.js';
import { findAgent } from '../../../src/logs/agents/match.js';

/** What a market refers to, by the list that must have it. */
function references(market: Market) {
  const makers = [...market.entities, ...market.untracked];
  const pages = [...market.pages, ...Object.values(market.sites).flat()];
  return {
    entities: [
      market.brand,
      ...Object.keys(market.sites),
      ...market.prompts.flatMap(({ about = [] }) => about),
    ],
    topics: [
      ...market.prompts.map(({ topic }) => topic),
      ...pages.flatMap(({ topics = [] }) => topics),
      ...makers.flatMap(({ topics = {} }) => Object.keys(topics)),
      ...Object.keys(market.phrases.general),
    ],
    prompts: [...Object.keys(market.demand), ...makers.flatMap(({ prompts = {} }) => Object.keys(prompts))],
  };
}

describe('the data of the demo', () => {
  for (const market of [espresso, purifiers])
    it(`refers only to entities, topics and prompts that the market of ${market.brand} has`, () => {
      for (const [list, ids] of Object.entries(references(market))) {
        const known = market[list as 'entities' | 'topics' | 'prompts'].map(({ id }) => id);
        expect(new Set(known).size, list).to.equal(known.length);
        expect(known, list).to.include.members(ids);
      }
      expect(Object.keys(market.phrases.general)).to.have.members(market.topics.map(({ id }) => id));
    });

  it('names paths of the site, known agents, and shares of visits that add up to 1', () => {
    const { site, visits, crawlers } = espresso;
    const paths = site.paths.map(({ path }) => path);
    expect(new Set(paths).size).to.equal(paths.length);
    const named = [...site.botWalls, ...Object.keys(site.errors), ...site.untimed, ...site.closed];
    expect(paths).to.include.members([...named, ...visits.pages.map(({ path }) => path)]);
    for (const path of site.gone) expect(paths).not.to.include(path);
    for (const { agent } of crawlers) expect(findAgent(agent), agent).not.to.equal(undefined);
    for (const shares of [visits.origins, visits.countries])
      expect(shares.reduce((sum, { share }) => sum + share, 0)).to.be.closeTo(1, 1e-9);
  });
});
