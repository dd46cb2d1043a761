import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { cites, on, padded, runOf, toolDatabase, upTo } from './support/tool-database.js';

const thread = (url: string, fields: object = {}) => ({
  type: 'community_thread',
  brand: 'b',
  url,
  ...fields,
});
const question = (at: number) => `https://stackoverflow.com/questions/1${padded(at)}`;

describe('tool: list_community_threads', () => {
  const tools = fresh(toolDatabase);

  const read = () => tools.payload('community-threads');

  it('combines all spellings of a thread with its verdict', async () => {
    await tools.collect(
      thread('https://redd.it/1abcd2', {
        title: 'T',
        kind: 'forum',
        brand_in_thread: false,
        checked_at: '2026-11-19T05:00:00Z',
      }),
      runOf('r', cites('https://old.reddit.com/r/x/comments/1abcd2/slug/', 'https://redd.it/1abcd2')),
      runOf('s', { engine: 'aio', ...cites('https://www.reddit.com/r/x/comments/1ABCD2/?a=b') }),
    );
    const { total, threads, note } = await read();
    expect({ total, note }).to.deep.equal({ total: 1, note: null });
    expect(threads).to.deep.equal([
      {
        url: 'https://www.reddit.com/comments/1abcd2/',
        domain: 'reddit.com',
        kind: 'forum',
        title: 'T',
        citations: 3,
        answers: 2,
        engines: ['chatgpt', 'aio'],
        brand_in_thread: false,
        checked_at: '2026-11-19T05:00:00.000Z',
      },
    ]);
  });

  it('distinguishes yes, no and not checked', async () => {
    await tools.collect(
      thread(question(0), { brand_in_thread: true }),
      thread(question(1), { brand_in_thread: false }),
      thread(question(2)),
      runOf('r', cites(question(0), question(1), question(2), question(3))),
    );
    const { threads } = await read();
    expect(threads.map((row) => row.brand_in_thread)).to.deep.equal([true, false, null, null]);
    expect(threads.map((row) => row.checked_at)).to.deep.equal([null, null, null, null]);
  });

  it('lists a cited thread without a record, with its kind from the address and its title from an engine', async () => {
    const say = (title: string) => ({ citations: [{ url: 'https://youtu.be/dQw4w9WgXcQ', title }] });
    await tools.collect(
      runOf('r', { ...on('2026-11-15'), ...say('Old') }),
      runOf('s', { ...on('2026-11-18'), ...say('New') }),
      runOf('t', { ...on('2026-11-19'), ...cites('https://youtu.be/dQw4w9WgXcQ', question(1)) }),
      runOf('u', cites('https://talk.example/t/topic/12')),
      runOf('v', cites('https://www.reddit.com/r/crm/', 'https://www.youtube.com/@c', 'https://acme.com/')),
    );
    const { total, threads } = await read();
    expect(total).to.equal(3);
    expect(threads.map(({ kind, title, citations }) => [kind, title, citations])).to.deep.equal([
      ['video', 'New', 3],
      ['qa', null, 1],
      ['forum', null, 1],
    ]);
  });

  it('prefers the recorded kind to that of the address, and returns null without both', async () => {
    await tools.collect(
      thread('https://a.example/x'),
      thread('https://b.example/x', { kind: 'qa' }),
      thread(question(1), { kind: 'forum' }),
      runOf('r', cites('https://a.example/x', 'https://b.example/x', question(1))),
    );
    expect((await read()).threads.map(({ kind }) => kind)).to.deep.equal([null, 'qa', 'forum']);
  });

  it('lists only threads that blended engines cite in the window', async () => {
    await tools.collect(
      ...upTo(3).map((at) => thread(question(at))),
      runOf('early', { ...on('2026-11-13', '23:59:59'), ...cites(question(0)) }),
      runOf('model', { engine: 'deepseek', ...cites(question(1)) }),
    );
    const { total, threads, note } = await read();
    expect([total, threads]).to.deep.equal([0, []]);
    expect(note).to.match(/No answer was collected in this window/);
  });

  it('sorts by citations, then by url, and counts before it applies the cap of 50', async () => {
    await tools.collect(runOf('r', cites(...upTo(53).map(question))), runOf('s', cites(question(52))));
    const { total, threads, note } = await read();
    expect([total, threads.length]).to.deep.equal([53, 50]);
    expect(threads.map(({ url }) => url)).to.deep.equal([question(52), ...upTo(49).map(question)]);
    expect(note).to.equal('These are the 50 most cited of 53 threads.');
  });
});
