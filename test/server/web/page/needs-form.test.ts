import { expect } from 'chai';
import type { Briefing } from '../../../../src/contract/reads/briefing.js';
import { NOW, records } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { postForm, signIn, type Visitor } from './support/visitor.js';

const ID = 'facts_stale';
const FORM = '/brands/first/needs/aside';

describe('setting a need aside on the page', () => {
  const server = ruleServer({
    clock: 'refill',
    data: [
      ...records,
      {
        ...{ type: 'fact_check', brand: 'first', checked_at: '2026-10-01T08:00:00Z' },
        ...{ answers_checked: 1, discrepancies: [] },
      },
    ],
  });
  let guest: Visitor;
  before(async () => {
    guest = await signIn(server, await server.key({ workspace: 'w', kind: 'full' }));
  });
  beforeEach(() => {
    server.now = NOW;
  });

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}, path = FORM) =>
    postForm(server, path, fields, { Cookie: guest.cookie, ...headers });
  const briefing = async (query = '') => {
    server.pass();
    return server.read<Briefing>(`/api/v1/briefing?brand=first${query}`);
  };
  const asides = async () => (await briefing()).aside.map(({ need, reason }) => [need.id, reason]);
  const block = (html: string, id: string) =>
    (html.split(`id="${id}"`)[1] ?? '').split('</section>')[0]!.replaceAll(/\s+/g, ' ');
  const words = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
  /** What a browser sends for a button. */
  const fieldsOf = (html: string, id: string, value: string): Record<string, string> => {
    const form = html
      .split('<form')
      .find((each) => each.includes(`value="${id}"`) && each.includes(`value="${value}"`))!;
    const hidden = form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
    return { ...Object.fromEntries([...hidden].map(([, name, text]) => [name, text])), do: value };
  };
  const refusal = async (response: Response) => [response.status, words(await response.text())] as const;

  it('leads back to the page, where the need is below with reason and day, and can be brought back at once', async () => {
    const query = '?days=7&engine=chatgpt';
    const page = await guest.html(`/brands/first/needs${query}`);
    expect(block(page, 'actions')).to.contain('aria-label="Not us: Check the facts"');
    expect(page).to.not.contain('id="aside"');
    const set = await post(fieldsOf(page, ID, 'not_us'));
    const to = new URL(set.headers.get('location')!, server.url + FORM);
    expect([set.status, to.pathname + to.search]).to.deep.equal([303, `/brands/first/needs${query}`]);
    const after = await guest.html(to.pathname + to.search);
    expect(block(after, 'actions')).to.not.contain('Check the facts');
    expect(words(block(after, 'aside')))
      .to.contain('Check the facts')
      .and.contain('Not us, since 20 Nov 2026');
    expect(await asides()).to.deep.equal([[ID, 'not_us']]);
    const back = await post(fieldsOf(after, ID, 'back'));
    expect(back.status).to.equal(303);
    expect(await guest.html(`/brands/first/needs${query}`)).to.equal(page);
    expect(await asides()).to.deep.equal([]);
  });

  it('shows of what is set aside the numbers of the briefing', async () => {
    const counted = (await briefing('&days=28')).needs.find(({ facts }) => facts.count !== null)!;
    await post({ id: counted.id, do: 'done', days: '28' });
    const { aside } = await briefing('&days=28');
    const shown = block(await guest.html('/brands/first/needs?days=28'), 'aside');
    expect(shown).to.contain(
      `<data value="${aside[0]!.need.facts.count}" data-field="briefing.aside.0.need.facts.count">`,
    );
    expect(words(shown)).to.contain('Done, since 20 Nov 2026');
    await post({ id: counted.id, do: 'back' });
    expect(await asides()).to.deep.equal([]);
  });

  it('takes forms of its own origin only, from somebody who is signed in', async () => {
    const fields = { id: ID, do: 'done' };
    for (const Origin of ['https://evil.example', 'null'])
      expect((await post(fields, { Origin })).status, Origin).to.equal(403);
    expect((await post(fields, { Cookie: '' })).status).to.be.oneOf([303, 401]);
    expect((await post(fields, { Cookie: 'svc_session=x' })).status).to.equal(401);
    expect((await post(fields, {}, '/brands/foreign/needs/aside')).status).to.equal(404);
    const get = await guest.get(FORM);
    expect([get.status, get.headers.get('allow')]).to.deep.equal([405, 'POST']);
    expect(await asides()).to.deep.equal([]);
  });

  it('is no part of the page of a key that only reads, and refused to it and to the viewers of a link', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const reader = await signIn(server, key);
    await post({ id: ID, do: 'done' });
    const page = await reader.html('/brands/first/needs');
    expect(words(block(page, 'aside'))).to.contain('Done, since 20 Nov 2026');
    expect(page).to.not.contain('needs/aside');
    for (const fields of [
      { id: ID, do: 'back' },
      { id: 'logs_silent', do: 'done' },
    ]) {
      const [status, text] = await refusal(await post(fields, { Cookie: reader.cookie }));
      expect([status, text.includes('only a full key sets needs aside')]).to.deep.equal([403, true]);
    }
    const made = await server.request('/shares?brand=first', key, { method: 'POST' });
    const { path } = (await made.json()) as { path: string };
    const viewed = await post({ id: ID, do: 'back' }, {}, `${path}/needs/aside`);
    expect(viewed.status).to.equal(405);
    expect(await asides()).to.deep.equal([[ID, 'done']]);
    await post({ id: ID, do: 'back' }, { Cookie: (await signIn(server, OPERATOR_KEY)).cookie });
    expect(await asides()).to.deep.equal([]);
  });

  it('says what is wrong with a forged form', async () => {
    for (const [fields, status, problem] of [
      [{ id: 'nobody', do: 'done' }, 404, 'Unknown need: nobody. Give one of'],
      [{ id: ID, do: 'back' }, 404, `Unknown need: ${ID}. There is none.`],
      [{ id: '\u0000', do: 'back' }, 404, 'Unknown need:'],
      [{ id: ID, do: 'delete' }, 400, 'Invalid do: delete. Give one of not_us, done, back'],
      [{ id: ID }, 400, 'Missing do.'],
      [{ do: 'done' }, 400, 'Missing id.'],
      [{ id: ID, do: 'done', days: '8' }, 400, 'Invalid days: 8.'],
      [{ id: ID, do: 'done', tag: 'nobody' }, 400, 'Unknown tag: nobody.'],
      [{ id: ID, do: 'done', workspace: 'x' }, 400, 'Unknown argument: workspace.'],
      [{ id: 'x'.repeat(70_000), do: 'done' }, 413, ''],
    ] as const) {
      const [given, text] = await refusal(await post(fields as Record<string, string>));
      expect([given, text.includes(problem)], `${problem} ${text}`).to.deep.equal([status, true]);
    }
    expect(await asides()).to.deep.equal([]);
  });
});
