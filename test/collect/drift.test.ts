import { expect } from 'chai';
import { reportText } from '../../src/cli/collect/views.js';
import { CollectFolder, DATE } from './support/collecting.js';
import { plan, shownTarget, subject } from './support/plans.js';
import { type StandIn, standIn } from './support/stand-in.js';

describe('what answers had before, and none has today', () => {
  let provider: StandIn;
  let folder: CollectFolder;
  beforeEach(async () => {
    provider = await standIn('cloro');
    folder = new CollectFolder();
    provider.queued = 0;
  });
  afterEach(async () => {
    folder.remove();
    await provider.close();
  });

  const YESTERDAY = '2026-11-19';
  const cited = [{ url: 'https://a.example/', title: 'A' }];
  /** Collects a day whose first answers have pages. */
  const collect = (date: string, prompts: number, withPages: number) => {
    provider.show = ({ prompt }) => {
      const at = Number(/\d+/.exec(prompt)![0]);
      return { text: 'Stride.', cited: at <= withPages ? cited : [] };
    };
    const asked = plan([shownTarget(provider.url, 'cloro', 'copilot')]);
    return folder.collect({ plan: asked, subject: subject(prompts), date });
  };

  it('is told with both counts, and not silently none', async () => {
    expect((await collect(YESTERDAY, 10, 9)).drift).to.deep.equal([]);
    const result = await collect(DATE, 10, 0);
    const counts = { answers: 10, earlier_with: 9, earlier_answers: 10 };
    expect(result.drift).to.deep.equal([
      { engine: 'copilot', protocol: 'cloro', field: 'citations', day: YESTERDAY, ...counts },
    ]);
    expect(result.targets[0]!.answered).to.equal(10);
    expect(reportText(result, undefined)).to.include(
      `copilot by cloro: citations: none in 10 of 10 answers, 9 of 10 on ${YESTERDAY}.`,
    );
  });

  it('is not told of what few answers had, or of few answers', async () => {
    await collect(YESTERDAY, 10, 3);
    expect((await collect(DATE, 4, 0)).drift).to.deep.equal([]);
    expect((await collect('2026-11-21', 10, 1)).drift).to.deep.equal([]);
  });
});
