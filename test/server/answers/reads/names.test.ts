import { expect } from 'chai';
import type { UntrackedName } from '../../../../src/contract/reads/names.js';
import { fresh } from '../../../support/hooks.js';
import { marketServer, runOf } from './support/market-server.js';

interface Body {
  names: UntrackedName[];
  listed_answers: number;
  note: string | null;
  next_cursor?: string | null;
}

describe('names that nobody tracks', () => {
  const server = fresh(marketServer);

  const name = (...names: string[]) => ({
    mentions: names.map((each, at) => ({ name: each, order: at + 1 })),
  });
  const body = (query = '') => server.body<Body>('names', query);

  it('are counted by answer, prompt and engine, whatever the case of their letters; tracked ones are not listed', async () => {
    await server.collect(
      runOf('r1', name('Rivadoro', 'Acme', 'Globex')),
      runOf('r2', { ...name('RIVADORO', 'Rivadoro'), engine: 'perplexity', prompt: 'q' }),
      runOf('r3', { ...name('Rivadoro', 'Umbra'), region: 'de' }),
      runOf('r4', { ...name('Llama only'), engine: 'llama' }),
      runOf('r5', name('Globex')),
    );
    const { names, listed_answers } = await body();
    expect(names).to.deep.equal([
      { name: 'Rivadoro', answers: 3, prompts: 2, engines: ['chatgpt', 'perplexity'] },
      { name: 'Umbra', answers: 1, prompts: 1, engines: ['chatgpt'] },
    ]);
    expect(listed_answers).to.equal(4);
    expect((await body('&region=de')).names.map((row) => row.name)).to.deep.equal(['Rivadoro', 'Umbra']);
    expect((await body('&engine=llama')).names.map((row) => row.name)).to.deep.equal(['Llama only']);
    expect((await body('&prompt=q')).names[0]).to.include({ name: 'RIVADORO', answers: 1 });
    const page = await body('&limit=1');
    const next = await body(`&cursor=${page.next_cursor}`);
    expect([...page.names, ...next.names].map((row) => row.name)).to.deep.equal(['Rivadoro', 'Umbra']);
    expect(next.next_cursor).to.equal(null);
  });

  it('say nothing of answers in which only tracked names were looked for', async () => {
    await server.collect(
      runOf('r1', { ...name('Acme'), names: 'tracked' }),
      runOf('r2', { ...name('Globex', 'Rivadoro') }),
    );
    const { names, listed_answers, note } = await body();
    expect(names.map((row) => [row.name, row.answers])).to.deep.equal([['Rivadoro', 1]]);
    expect(listed_answers).to.equal(1);
    expect(note).to.include('In 1 answers only tracked names were looked for');
  });

  it('come as CSV; a wrong choice is refused', async () => {
    await server.collect(runOf('r1', name('Rivadoro')));
    server.pass();
    const reply = await server.request('/api/v1/names?brand=b', undefined, {
      headers: { Accept: 'text/csv' },
    });
    expect(await reply.text()).to.equal('name,answers,prompts,engines\nRivadoro,1,1,"[""chatgpt""]"\n');
    expect(await server.refused('names', '&region=mars')).to.match(/^Unknown region: mars/);
    expect(await server.refused('names', '&cursor=x')).to.match(/^Invalid cursor/);
  });
});
