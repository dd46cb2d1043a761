import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'smol-toml';
import { collectable } from '../../../src/collect/plan/engine-access.js';
import {
  suggestedEngines,
  suggestedExtraction,
  suggestedTarget,
} from '../../../src/collect/plan/suggested.js';
import { planOf } from '../../../src/collect/plan/write-plan.js';

describe('suggested engines', () => {
  it('make a plan each, with prices, for every engine with an API of its own', () => {
    expect(suggestedEngines).to.include.members(['chatgpt', 'claude', 'gemini', 'perplexity']);
    for (const engine of suggestedEngines) {
      expect(collectable.map((each) => each.engine)).to.include(engine);
      const stated = {
        samples: 1,
        targets: [suggestedTarget(engine, 'us')],
        extraction: suggestedExtraction([engine]),
      };
      const { targets } = planOf(stated, 'svc.toml');
      expect(targets[0]!.inputUsdPerMtok, engine).not.to.equal(null);
    }
  });

  it('are those of docs/collecting.md', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/collecting.md'), 'utf8');
    const [, toml] = /```toml\n(samples = 1 .*?)^```/ms.exec(text)!;
    const { target, extraction } = parse(toml!) as { target: { engine: 'chatgpt' }[]; extraction: object };
    expect(target.length).to.be.above(3);
    for (const each of target) expect(suggestedTarget(each.engine, 'us')).to.deep.equal(each);
    expect(suggestedExtraction(target.map(({ engine }) => engine))).to.deep.equal(extraction);
  });
});
