import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { cites, on, runOf, toolDatabase } from './support/tool-database.js';

const A = 'AAAAAAAAAAA';
const B = 'BBBBBBBBBBB';
const C = 'ccccccccccc';
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`;

describe('tool: list_youtube_citations', () => {
  const tools = fresh(toolDatabase);

  const videos = async () => (await tools.payload('youtube-citations')).videos;

  it('counts all spellings of a video as one, with the positions in the citation lists', async () => {
    await tools.collect(
      runOf('r', cites('https://x.example/', `https://youtu.be/${A}?t=9`, `${watch(A)}&list=z`)),
      runOf('s', {
        engine: 'grok',
        ...on('2026-11-14', '00:00:00'),
        ...cites(`https://m.youtube.com/shorts/${A}`),
      }),
    );
    const [video, ...others] = await videos();
    expect(others).to.deep.equal([]);
    expect(video).to.deep.equal({
      video_id: A,
      url: watch(A),
      title: null,
      channel_id: null,
      channel_name: null,
      engines: ['chatgpt', 'grok'],
      citations: 3,
      answers: 2,
      best_position: 1,
      avg_position: 2,
      published_at: null,
      views: null,
      likes: null,
      stats_as_of: null,
    });
  });

  it('returns the values of the vendor, also zeros, and never the title of an engine', async () => {
    const stated = {
      type: 'youtube_video',
      video_id: A,
      title: 'T',
      channel_id: 'UCq7Tn3mPlaEsprLab5kZt2w',
      channel_name: 'N',
      published_at: '2026-01-01T00:00:00+01:00',
      views: 5_000_000_000,
      likes: 0,
      stats_as_of: '2026-11-19T04:00:00Z',
    };
    await tools.collect(
      stated,
      runOf('r', { citations: [{ url: watch(A) }, { url: watch(B), title: 'Said by the engine' }] }),
    );
    const [first, second] = await videos();
    expect(first).to.include({
      title: 'T',
      channel_id: 'UCq7Tn3mPlaEsprLab5kZt2w',
      channel_name: 'N',
      published_at: '2025-12-31T23:00:00.000Z',
      views: 5_000_000_000,
      likes: 0,
      stats_as_of: '2026-11-19T04:00:00.000Z',
    });
    expect(second!.title).to.equal(null);
  });

  it('sorts by citations, then by id in code point order', async () => {
    await tools.collect(
      runOf('r', cites(watch(C), watch(B), watch('_________aa'), watch(A))),
      runOf('s', cites(watch(C))),
    );
    expect((await videos()).map(({ video_id }) => video_id)).to.deep.equal([C, A, B, '_________aa']);
  });

  it('lists only videos that blended engines cite in the window, and no other pages of the site', async () => {
    await tools.collect(
      runOf('early', { ...on('2026-11-13', '23:59:59'), ...cites(watch(A)) }),
      runOf('model', { engine: 'llama', ...cites(watch(B)) }),
      runOf(
        'pages',
        cites('https://www.youtube.com/@c', 'https://www.youtube.com/watch?v=short', 'https://vimeo.com/1'),
      ),
      runOf('first', { ...on('2026-11-14', '00:00:00'), ...cites(watch(C)) }),
    );
    expect((await videos()).map(({ video_id }) => video_id)).to.deep.equal([C]);
  });

  it('notes that nothing was collected in the window, and has no note otherwise', async () => {
    await tools.collect(
      runOf('old', { ...on('2026-11-01'), ...cites(watch(A)) }),
      runOf('m', { engine: 'llama' }),
    );
    expect((await tools.payload('youtube-citations')).note).to.match(
      /No answer was collected in this window/,
    );
    await tools.collect(runOf('new'));
    expect((await tools.payload('youtube-citations')).note).to.equal(null);
  });
});
