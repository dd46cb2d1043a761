import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { NewPlan } from '../../../../src/collect/first-plan.js';
import { readPlanFile } from '../../../../src/collect/plan/read-plan.js';
import { createKey } from '../../../../src/server/accounts/keys.js';
import { tellMovesOfRuns } from '../../../../src/server/alerts/moves/tell.js';
import { applyCatalog, catalogChanges } from '../../../../src/server/intake/dataset/apply-catalog.js';
import { NOW } from '../../../rules/support/records.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../../support/server.js';
import { cookieIn, signIn, type Visitor, visitor } from './support/visitor.js';

const ANSWERS = {
  ...{ name: 'Fleetfoot', domain: 'fleetfoot.example', aliases: '', region: 'us', engines: 'chatgpt' },
  ...{ rivals: 'Stride, stride.example', prompts: 'Which shoes last?\nWhich shoes are wide?' },
};
type Fields = Readonly<Record<string, string>>;

describe('making the first plan on the page', () => {
  let folder: string;
  let server: TestServer;
  let operator: Visitor;
  let fault: string | null;
  let taken: string[];
  const file = () => join(folder, 'svc.toml');

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
    fault = null;
    taken = [];
    await begin(folder, { OPENAI_API_KEY: 'key' });
  });
  afterEach(async () => {
    await server.close();
    server = undefined as never;
    rmSync(folder, { recursive: true, force: true });
  });

  async function begin(where: string, env: Fields): Promise<void> {
    await server?.close();
    const take = async (path: string) => {
      taken.push(path);
      if (fault !== null) return { fault, key: null };
      const { knex } = server.database;
      const { catalog } = await readPlanFile(path, true);
      const { changes } = await catalogChanges(knex, catalog!, NOW);
      await applyCatalog(knex, catalog!, { now: NOW, expected: changes, afterDays: tellMovesOfRuns });
      const wanted = { workspace: catalog!.brand.id, kind: 'full' } as const;
      return { fault: null, key: (await createKey(knex, wanted, NOW)).key };
    };
    const firstPlan = new NewPlan({ folder: where, env, clock: () => NOW, take });
    server = await testServer({ now: NOW, firstPlan });
    operator = await signIn(server, OPERATOR_KEY);
  }

  const post = (go: string, fields: Fields | string[][] = ANSWERS, headers: Fields = {}) =>
    server.request('/start', null, {
      method: 'POST',
      body: new URLSearchParams([['go', go], ...(Array.isArray(fields) ? fields : Object.entries(fields))]),
      headers: { Origin: server.url, Cookie: operator.cookie, ...headers },
      redirect: 'manual',
    });
  const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const said = async (response: Promise<Response>) => {
    const got = await response;
    return [got.status, words(await got.text())] as const;
  };

  it('is for the operator only, from the own origin only', async () => {
    await server.load([
      { type: 'workspace', id: 'other', name: 'Other', plan: 'growth' },
      { type: 'brand', id: 'other', workspace: 'other', name: 'Other', domain: 'other.example' },
    ]);
    const before = (await server.request('/start', null, { redirect: 'manual' })).headers.get('location');
    expect(before).to.equal('./sign-in?to=%2Fstart');
    for (const kind of ['full', 'read'] as const) {
      const guest = await signIn(server, await server.key({ workspace: 'other', kind }));
      const headers = { Cookie: guest.cookie };
      expect((await guest.get('/start')).status, kind).to.equal(404);
      for (const go of ['review', 'propose', 'write'])
        expect((await post(go, ANSWERS, headers)).status, `${kind} ${go}`).to.equal(404);
      expect((await guest.get('/brands')).headers.get('location')).to.include('other');
    }
    for (const Origin of ['https://evil.example', 'null'])
      expect((await post('write', ANSWERS, { Origin })).status, Origin).to.equal(403);
    expect((await post('write', ANSWERS, { Cookie: 'svc_session=x' })).status).to.equal(401);
    // A key in a header signs nobody in.
    expect((await server.request('/start', OPERATOR_KEY, { redirect: 'manual' })).status).to.equal(303);
    expect((await operator.get('/start?go=write&name=x')).status).to.equal(200);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('leads the operator of an empty server to the questions, and everybody to the page afterwards', async () => {
    expect((await operator.get('/brands')).headers.get('location')).to.equal('./start');
    const made = await post('write');
    expect([made.status, made.headers.get('location')]).to.deep.equal([303, './brands/fleetfoot']);
    const own = visitor(server, cookieIn(made));
    expect(await own.html('/brands/fleetfoot')).to.include('key that may do everything');
    expect((await own.get('/start')).headers.get('location')).to.equal('./brands/fleetfoot');
    expect((await post('propose')).headers.get('location')).to.equal('./brands/fleetfoot');
    server.pass();
    const stranger = await signIn(server, await server.key({ workspace: 'fleetfoot', kind: 'read' }));
    const late = await post('write', ANSWERS, { Cookie: stranger.cookie });
    expect([late.headers.get('location'), late.headers.getSetCookie()]).to.deep.equal([
      './brands/fleetfoot',
      [],
    ]);
  });

  it('writes one file for a button that is pressed twice, and of two people the first', async () => {
    const [first, again, other] = await Promise.all([
      post('write'),
      post('write'),
      post('write', { ...ANSWERS, name: 'Stride', rivals: '' }),
    ]);
    expect([first, again].map(({ status }) => status)).to.deep.equal([303, 303]);
    expect(other.status).to.equal(409);
    expect(words(await other.text()))
      .to.include('Nothing of yours was written')
      .and.include('This server uses it: the page of Fleetfoot .')
      .and.include('name = &quot;Stride&quot;');
    expect(taken).to.deep.equal([file()]);
    expect(readdirSync(folder)).to.deep.equal(['svc.toml']);
  });

  it('says of a place that cannot be written why, keeps the answers, and writes no part', async () => {
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    await begin(blocked, {});
    const response = await post('write');
    const html = await response.text();
    expect([response.status, words(html)[0] !== undefined]).to.deep.equal([503, true]);
    expect(words(html)).to.include('svc.toml cannot be used (ENOTDIR). Nothing was written.');
    expect(html).to.include('name="prompts" value="Which shoes last?\nWhich shoes are wide?"');
    expect(readdirSync(folder)).to.deep.equal(['file']);
  });

  it('says of a database that does not take the plan that the file is there, and never writes it twice', async () => {
    fault = 'it is full.';
    expect(await said(post('write'))).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 503 && text.includes('is written, and it is not in use yet: it is full.'),
    );
    fault = null;
    const [status, text] = await said(post('write'));
    expect(status).to.equal(409);
    expect(text).to.include('start it again with svc serve --edit');
  });

  it('refuses a brand of which the database has the history, by name or by site', async () => {
    await server.load([
      { type: 'workspace', id: 'fleetfoot', name: 'Fleetfoot', plan: 'growth' },
      {
        type: 'brand',
        id: 'fleetfoot',
        workspace: 'fleetfoot',
        name: 'Fleetfoot',
        domain: 'fleetfoot.example',
      },
    ]);
    for (const go of ['review', 'write']) {
      const [status, text] = await said(post(go));
      expect([go, status]).to.deep.equal([go, 422]);
      expect(text).to.include('has Fleetfoot already, with its history');
      expect((await said(post(go, { ...ANSWERS, name: 'Fleet' })))[1]).to.include(
        'has Fleetfoot with this site already',
      );
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('tells every fault beside its question, and keeps what was typed', async () => {
    const response = await post('review', {
      ...{ name: ' ', domain: 'no site', aliases: '', region: 'usa', engines: 'telex' },
      ...{ rivals: 'A, B, C\nStride=a b', prompts: '' },
    });
    const html = await response.text();
    expect(response.status).to.equal(422);
    for (const field of ['name', 'domain', 'rivals', 'prompts', 'engines', 'region'])
      expect(html, field).to.include(`id="${field}-fault"`);
    expect(words(html))
      .to.include('expected one competitor a line, as Stride, stride.example, got A, B, C')
      .and.include('got telex');
    expect(html).to.include('A, B, C\nStride=a b</textarea>');
  });

  it('says what is left out, and which prompts name the brand', async () => {
    const [status, text] = await said(
      post('review', {
        ...ANSWERS,
        rivals: 'Stride\nstride\nFleetfoot',
        prompts: 'Which shoes last?\nwhich shoes last\n# a note\nIs Fleetfoot better than Stride?',
      }),
    );
    expect(status).to.equal(200);
    expect(text)
      .to.include('Of the rivals, 2 left out')
      .and.include('Of the questions, 1 left out')
      .and.include('1 prompt names the brand or a competitor');
  });

  it('takes tables and exports of Search Console as they are pasted', async () => {
    const queries =
      'Top queries,Clicks,Impressions,CTR,Position\nfleetfoot wide shoes,9,90,1%,1\nbest wide shoes,1,50,2%,3\n';
    expect((await said(post('review', { ...ANSWERS, prompts: queries })))[1]).to.include(
      '1 of 2 search queries become prompts; left out: 1 with the name of the brand.',
    );
    const csv = 'text\ttopic\ttags\nWhich shoes last?\tDurability\ta;b\n';
    await post('write', { ...ANSWERS, prompts: csv });
    expect((await readPlanFile(file(), true)).catalog!.prompts).to.deep.equal([
      { text: 'Which shoes last?', topic: 'Durability', tags: ['a', 'b'], was: [] },
    ]);
  });

  it('shows 5,000 prompts in short and writes all, and refuses what no plan has', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => `Which shoe is number ${at}?`).join('\n');
    const page = await (await post('review', { ...ANSWERS, prompts: many(5000) })).text();
    expect(words(page)).to.include('And 4,988 more').and.include('5,000');
    const [status, text] = await said(post('review', { ...ANSWERS, prompts: many(30_000) }));
    expect([status, text.includes('expected at most 10000 prompts, got 30000')]).to.deep.equal([422, true]);
    expect((await post('review', { ...ANSWERS, prompts: 'x'.repeat(5_000_000) })).status).to.equal(413);
    expect((await said(post('review', { ...ANSWERS, prompts: 'x'.repeat(1_000_000) })))[0]).to.equal(422);
  });

  it('refuses forms that no page has', async () => {
    expect((await post('review', { ...ANSWERS, toml: 'x' })).status).to.equal(400);
    expect((await post('sell')).status).to.equal(400);
    expect((await post('review', [...Object.entries(ANSWERS), ['name', 'twice']])).status).to.equal(400);
    expect((await post('review', {})).status).to.equal(422);
    expect(
      (await server.request('/start', null, { method: 'DELETE', headers: { Cookie: operator.cookie } }))
        .status,
    ).to.equal(405);
  });

  it('without a key of an engine says so at the end, and leads there again', async () => {
    await begin(folder, {});
    expect((await said(post('review')))[1]).to.include('Nothing is asked yet: OPENAI_API_KEY is not set.');
    const made = await post('write');
    expect(made.headers.get('location')).to.equal('./start');
    const own = visitor(server, cookieIn(made));
    expect(words(await own.html('/start'))).to.include('export OPENAI_API_KEY=… svc serve --edit');
  });

  it('writes every name and question as it was typed, and shows it as text', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      fc.constantFrom(
        '"]\n[brand]\nname = "x"',
        "'''",
        '\\u0000',
        '</textarea><script>',
        '{{x}}',
        '日本の靴',
        'مرحبا',
        '\u202egnp.exe',
        '\u001b[31m',
      ),
    );
    const plan = new NewPlan({
      folder,
      env: {},
      clock: () => NOW,
      take: async () => ({ fault: null, key: null }),
    });
    await fc.assert(
      fc.asyncProperty(odd, odd, async (name, prompt) => {
        const answers = {
          ...ANSWERS,
          name,
          prompts: `Which shoes last?\n${prompt}`,
          rivals: '',
          engines: ['chatgpt'],
          takenRivals: [],
          takenPrompts: [],
        };
        const understood = await plan.understand(server.database.knex, answers);
        if (!('view' in understood)) {
          expect(understood.faults.length).to.be.above(0);
          return;
        }
        const { catalog } = await readPlanFile(
          file(),
          true,
          new Map([[file(), Buffer.from(understood.view.toml)]]),
        );
        expect(catalog!.brand.name).to.equal(name.replace(/\s+/gu, ' ').trim());
        expect(catalog!.prompts[0]!.text).to.equal('Which shoes last?');
      }),
      { numRuns: 60 },
    );
    const hostile = '</textarea><script>alert(1)</script>';
    for (const go of ['review', 'change']) {
      const html = await (await post(go, { ...ANSWERS, name: hostile, prompts: hostile })).text();
      expect(html).to.not.include('<script>');
    }
    expect(readdirSync(folder)).to.deep.equal([]);
    expect(() => readFileSync(file())).to.throw();
  });
});
