import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { forget, remember, seenAt } from '../../../src/cli/completion/cache.js';

describe('the cache of completion', () => {
  let folder: string;
  const server = 'http://127.0.0.1:1';
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'svc-cache-')), 'svc');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  it('keeps brands, prompts and answers of responses per server, in a file of the owner', () => {
    remember(folder, server, { brands: [{ id: 'a', name: 'A' }] });
    remember(folder, server, { brand: { id: 'b', name: 'B' }, prompts: [{ id: 'p1', text: 'Which?' }] });
    remember(folder, server, { brand: { id: 'b', name: 'B' }, prompts: [{ prompt_id: 'p2', text: 'Why?' }] });
    remember(folder, server, { answers: [{ id: 'r1', engine: 'chatgpt', date: '2026-11-20' }] });
    remember(folder, server, { answer: { id: 'r2', engine: 'grok', date: '2026-11-19' } });
    remember(folder, 'http://other', { brand: { id: 'c', name: 'C' } });
    expect(seenAt(folder, server)).to.deep.equal({
      brands: { a: 'A', b: 'B' },
      prompts: { p1: 'Which?', p2: 'Why?' },
      answers: { r1: 'chatgpt, 2026-11-20', r2: 'grok, 2026-11-19' },
    });
    const [file, ...others] = readdirSync(folder);
    expect(others).to.deep.equal([]);
    expect(statSync(join(folder, file!)).mode & 0o777).to.equal(0o600);
  });

  it('leaves out ids that a shell would expand, also from a file that was changed', () => {
    const ids = ['$(touch x)', '`x`', 'a b', "a'b", 'a;b', '-a', '*', '', 'a\nb', '~'];
    remember(folder, server, {
      brands: [...ids.map((id) => ({ id, name: 'A' })), { id: 'br_1.x-y:z', name: 'A' }],
    });
    expect(seenAt(folder, server).brands).to.deep.equal({ 'br_1.x-y:z': 'A' });
    const [file] = readdirSync(folder);
    writeFileSync(
      join(folder, file!),
      JSON.stringify({ [server]: { brands: { '$(x)': 'A', b: 1, c: 'C' } } }),
    );
    expect(seenAt(folder, server)).to.deep.equal({ brands: { c: 'C' }, prompts: {}, answers: {} });
  });

  it('forgets a server', () => {
    remember(folder, server, { brand: { id: 'b', name: 'B' } });
    forget(folder, server);
    expect(seenAt(folder, server).brands).to.deep.equal({});
  });

  it('keeps the newest names', () => {
    const brands = Array.from({ length: 501 }, (_, at) => ({ id: `b${at}`, name: 'B' }));
    remember(folder, server, { brands });
    const ids = Object.keys(seenAt(folder, server).brands);
    expect([ids.length, ids[0], ids.at(-1)]).to.deep.equal([500, 'b1', 'b500']);
  });

  it('is optional: an invalid file or a folder that cannot be written disturbs nothing', () => {
    mkdirSync(folder, { recursive: true });
    for (const content of [
      '{',
      '[]',
      'null',
      '{"http://127.0.0.1:1":3}',
      '{"http://127.0.0.1:1":{"brands":[1]}}',
    ]) {
      writeFileSync(join(folder, 'completion.json'), content);
      expect(seenAt(folder, server)).to.deep.equal({ brands: {}, prompts: {}, answers: {} });
    }
    writeFileSync(join(folder, 'file'), '');
    remember(join(folder, 'file', 'below'), server, { brand: { id: 'b', name: 'B' } });
    for (const response of [
      { brand: null },
      { brands: 3 },
      { prompts: [null] },
      { brand: { id: {}, name: [] } },
    ])
      remember(folder, server, response as object);
    expect(seenAt(folder, server)).to.deep.equal({ brands: {}, prompts: {}, answers: {} });
  });
});
