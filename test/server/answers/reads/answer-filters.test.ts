import { expect } from 'chai';
import { SEARCHED_ANSWERS } from '../../../../src/contract/limits.js';
import type { Answer } from '../../../../src/contract/reads/answers.js';
import type { SourceGap } from '../../../../src/contract/reads/gaps.js';
import { canonicalUrl } from '../../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { fresh, shared } from '../../../support/hooks.js';
import { entitiesOf } from '../../../support/reference/entities.js';
import {
  expectedAnswers,
  findBrand,
  memoisedUrlRules,
  randomDataset,
  recordsOf,
  recordsOfBrand,
  settled,
} from '../../../support/reference/index.js';
import type { AnswersParams } from '../../../support/reference/parameters.js';
import { testServer } from '../../../support/server.js';
import { marketServer, runOf } from './support/market-server.js';

const TODAY = '2026-11-20';
const rules = memoisedUrlRules({ canonicalUrl, pageType, domainLabel });

interface Body {
  answers: Answer[];
  filter: object | null;
  total: number | null;
  note: string | null;
  next_cursor?: string | null;
}

describe('filters of answers', () => {
  describe('on a random brand', () => {
    const records = randomDataset(37, TODAY, { runs: 500 });
    const { id: brand, workspace } = recordsOf(records, 'brand')[0]!;
    const scope = { workspace, brand, today: TODAY };
    const entities = entitiesOf(records, findBrand(records, scope)!);
    const [own, ...rivals] = entities.map(({ id }) => id) as [string, ...string[]];
    const cited = recordsOfBrand(records, 'run', brand).flatMap(({ citations }) =>
      citations.map(({ url }) => url),
    );
    const domains = [...new Set(cited.map((url) => rules.canonicalUrl(url).domain))].filter(Boolean);
    const pages = [...new Set(cited)].filter((url) => /^https?:/.test(url));

    const choices: AnswersParams[] = [
      ...domains.slice(0, 6).map((cites) => ({ cites })),
      ...domains.slice(0, 3).map((domain) => ({ cites: `WWW.${domain.toUpperCase()}:443` })),
      ...domains
        .filter((each) => each.split('.').length > 2)
        .slice(0, 3)
        .map((each) => ({ cites: each.replace(/^[^.]*\./, '') })),
      ...pages.slice(0, 6).map((cites) => ({ cites })),
      { cites: 'never.example' },
      ...[own, ...rivals].flatMap((id) => [{ names: id }, { without: id }]),
      { names: `${rivals[0]},${rivals.at(-1)}`, without: own },
      { names: own, without: rivals.join() },
      { names: own, without: own },
      ...(['negative', 'neutral', 'positive'] as const).map((tone) => ({ tone })),
      { tone: 'negative', names: rivals[0]!, engines: ['chatgpt', 'gemini', 'llama'] },
      { cites: domains[0]!, names: rivals.join(), without: own, from: '2026-10-01', to: TODAY },
    ];

    let key: string;
    const server = shared(() => testServer({ now: new Date(`${TODAY}T12:00:00Z`) }));
    before(async () => {
      await server.load(records);
      key = await server.key({ workspace, kind: 'read' });
    });

    async function get(params: object): Promise<Body> {
      server.pass();
      return server.read(`/api/v1/answers?${new URLSearchParams({ brand, ...params })}`, key);
    }

    it('choose what the second implementation chooses, unpaged and paged', async () => {
      let found = 0;
      for (const choice of choices) {
        const { engines, ...filters } = choice;
        const params = { ...filters, ...(engines && { engine: engines.join() }) };
        const { body, listing } = expectedAnswers(records, scope, rules, choice)!;
        const words = JSON.stringify(choice);
        expect(settled(await get(params), body), words).to.deep.equal(body);
        found += Math.sign(listing.length);
        const paged: Answer[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await get({ ...params, limit: 40, ...(cursor && { cursor }) });
          paged.push(...page.answers);
          expect(page.total, words).to.equal(listing.length);
          cursor = page.next_cursor!;
        }
        expect(settled(paged, listing), words).to.deep.equal(listing);
      }
      expect(found, 'choices that some answer fits').to.be.above(20);
    });
  });

  describe('on a small market', () => {
    const server = fresh(marketServer);

    const cite = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) });
    const name = (...names: string[]) => ({
      mentions: names.map((each, at) => ({ name: each, order: at + 1 })),
    });
    const ids = async (query: string) =>
      (await server.body<Body>('answers', query)).answers.map(({ id }) => id);

    it('a gap of sources counts the answers that the same filters list', async () => {
      await server.collect(
        runOf('r1', { ...name('Globex'), ...cite('https://forum.example/a', 'https://forum.example/b') }),
        runOf('r2', { ...name('Globex', 'Acme'), ...cite('https://forum.example/a') }),
        runOf('r3', { ...name('Globex'), ...cite('https://www.forum.example/a?utm_source=x') }),
        runOf('r4', { ...name('Globex'), ...cite('https://other.example/') }),
        runOf('r5', cite('https://forum.example/a')),
      );
      const { gaps } = await server.body<{ gaps: SourceGap[] }>('gaps', '&kind=sources');
      const { domain, answers, rivals } = gaps[0]!;
      const query = `&cites=${domain}&without=b&names=${rivals.map(({ id }) => id).join()}`;
      expect([domain, answers]).to.deep.equal(['forum.example', 2]);
      expect(await ids(query)).to.deep.equal(['r3', 'r1']);
    });

    it('a domain has what is below it and no other that ends alike; a page is one page in any spelling', async () => {
      await server.collect(
        runOf('r1', cite('https://old.reddit.com/r/x')),
        runOf('r2', cite('https://notreddit.com/r/x')),
        runOf('r3', cite('https://www.reddit.com/r/a/comments/abc/title?utm_source=x')),
        runOf('r4', cite('http://1.2.3.4/')),
      );
      expect(await ids('&cites=reddit.com')).to.deep.equal(['r3', 'r1']);
      expect(await ids('&cites==WWW.reddit.com'), 'the domain alone').to.deep.equal(['r3']);
      expect(await ids('&cites=old.reddit.com')).to.deep.equal(['r1']);
      expect(await ids(`&cites=${encodeURIComponent('https://redd.it/abc')}`)).to.deep.equal(['r3']);
      expect(await ids('&cites=1.2.3.4')).to.deep.equal(['r4']);
    });

    it('what is no domain, no page, or no id of a tracked company is refused', async () => {
      await server.collect(runOf('r1'));
      for (const cites of ['', 'not a domain', 'reddit.com/r/x', '%00', 'https://'])
        expect(await server.refused('answers', `&cites=${cites}`)).to.match(
          /^Invalid cites: .*\. Give a domain, such as example\.com, or the address of a page with https:\/\/\.$/,
        );
      for (const filter of ['names', 'without'])
        expect(await server.refused('answers', `&${filter}=c,Acme`)).to.equal(
          `Unknown ${filter}: Acme. Known for this brand: b, c`,
        );
      expect(await server.refused('answers', '&tone=bad')).to.equal(
        'Invalid tone: bad. Give one of negative, neutral, positive.',
      );
    });

    it('a request searches so many answers and no more: the next page goes on where it ended', async () => {
      await server.collect(runOf('first', { collected_at: '2026-11-14T08:00:00Z', ...name('Globex') }));
      const { knex } = server.database;
      const { rows } = await knex.raw(
        `select column_name as name from information_schema.columns where table_name = 'runs'`,
      );
      const others: Record<string, string> = {
        id: `lpad(n::text, 6, '0')`,
        day: `date '2026-11-20'`,
        m_name: `'{}'`,
      };
      const columns: string[] = rows.map((each: { name: string }) => each.name);
      await knex.raw(
        `insert into runs (${columns.join()}) select ${columns.map((each) => others[each] ?? each).join()}
         from runs cross join generate_series(1, ${SEARCHED_ANSWERS}) n`,
      );
      const page = await server.body<Body>('answers', '&names=c&limit=5');
      expect(page.answers).to.deep.equal([]);
      const next = await server.body<Body>('answers', `&names=c&limit=5&cursor=${page.next_cursor}`);
      expect(next.answers.map(({ id }) => id)).to.deep.equal(['first']);
      expect(next.next_cursor).to.equal(null);
      const unpaged = await server.body<Body>('answers', '&names=c');
      expect(unpaged.answers).to.deep.equal([]);
      expect([page.total, unpaged.total], 'more answers than are searched').to.deep.equal([null, null]);
      expect((await server.body<Body>('answers', '&cites=never.example')).total).to.equal(0);
      expect(unpaged.note).to.equal(
        'Only the newest 50000 answers of the window, back to 2026-11-20, were searched: pages (limit, cursor) reach the others.',
      );
    });
  });
});
