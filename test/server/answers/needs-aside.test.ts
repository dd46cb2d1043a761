import { expect } from 'chai';
import fc from 'fast-check';
import type { AsideReason, Briefing } from '../../../src/contract/reads/briefing.js';
import { type Access, findBrand } from '../../../src/server/accounts/access.js';
import { asideIn, bringNeedBack, GROWN, setNeedAside } from '../../../src/server/answers/needs-aside.js';
import { storeFactCheck } from '../../../src/server/answers/reads/fact-check.js';
import { operatorReads } from '../../../src/server/answers/reads/operator-reads.js';
import { addDays } from '../../../src/server/base/days.js';
import { RefusedError } from '../../../src/server/base/errors.js';
import { createRobotsChecks } from '../../../src/server/base/robots/fetch.js';
import { fresh } from '../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../support/server.js';
import { market, NOW, runOf } from '../intake/dataset/support/load.js';
import { signIn } from '../web/page/support/visitor.js';

const TODAY = '2026-11-20';
const NEVER = 'engine_never_names:gemini';

describe('a need that is set aside', () => {
  const server = fresh(() => testServer({ now: NOW }));

  /** Six answers a day of an engine, of which some name the brand and some cite a site of others. */
  const runs = (engine: string, { from = '2026-10-01', to = TODAY, named = 5, cited = 0 } = {}) => {
    const made: object[] = [];
    for (let day = from; day <= to; day = addDays(day, 1))
      for (let place = 0; place < 6; place++)
        made.push(
          runOf(`${engine}-${day}-${place}`, {
            engine,
            collected_at: `${day}T08:00:00Z`,
            mentions: [{ name: place < named ? 'Acme' : 'Globex', order: 1 }],
            citations: place >= 6 - cited ? [{ url: 'https://forum.example/a' }] : [],
          }),
        );
    return made;
  };
  const load = (...lines: object[][]) =>
    server.load([{ ...market[0]!, plan: 'growth' }, ...market.slice(1), ...lines.flat()]);
  const briefing = (query = '') => server.read<Briefing>(`/api/v1/briefing?brand=b${query}`);
  const ids = ({ needs }: Briefing) => needs.map(({ id }) => id);
  const asides = ({ aside }: Briefing) => aside.map(({ need, ...rest }) => ({ id: need.id, ...rest }));

  const editor = (access?: Partial<Access>) => {
    const clock = () => server.now;
    const robots = createRobotsChecks(clock, { allowPrivate: false, timeoutMs: 2000 });
    return operatorReads(server.database.knex, 'b', { clock, robots }).then((of) => ({
      ...of,
      access: { ...of.access, ...access },
    }));
  };
  const set = async (id: string, reason: AsideReason = 'not_us', access?: Partial<Access>) => {
    const aside = await setNeedAside(server.database.knex, await editor(access), { id, reason }, server.now);
    server.pass();
    return aside;
  };
  const back = async (id: string) => {
    await bringNeedBack(server.database.knex, await editor(), id);
    server.pass();
  };
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.catch((caught: unknown) => caught);
    if (!(error instanceof RefusedError)) throw error;
    return error.refusal;
  };

  it('has one id as long as it is about the same', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    const before = ids(await briefing());
    expect(before).to.include.members([NEVER, 'logs_silent', 'facts_stale']);
    expect(new Set(before).size).to.equal(before.length);
    server.now = new Date(`${addDays(TODAY, 1)}T12:00:00Z`);
    expect(ids(await briefing())).to.include.members([NEVER, 'logs_silent', 'facts_stale']);
  });

  it('leaves the needs of every face, stands under aside, and can be brought back', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    const visitor = await signIn(server, OPERATOR_KEY);
    /** The page above what was set aside. */
    const page = async () =>
      (await visitor.html('/brands/b/needs')).replaceAll(/<[^>]*>/g, '').split('Set aside')[0];
    const before = await briefing();
    const need = before.needs.find(({ id }) => id === NEVER)!;
    expect(await page()).to.contain('Gemini never names you');
    expect(await set(NEVER)).to.deep.equal({ need, reason: 'not_us', since: TODAY });
    const after = await briefing();
    expect(ids(after)).to.deep.equal(ids(before).filter((id) => id !== NEVER));
    expect(after.aside).to.deep.equal([{ need, reason: 'not_us', since: TODAY }]);
    expect(await page()).to.not.contain('Gemini never names you');
    expect(asides(await briefing('&days=7'))).to.deep.equal([{ id: NEVER, reason: 'not_us', since: TODAY }]);
    await back(NEVER);
    expect(await briefing()).to.deep.equal(before);
  });

  it('moves the version of the brand, so that no cache keeps it', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    const version = async () => {
      const brand = await findBrand(server.database.knex, (await editor()).access, 'b');
      return typeof brand === 'string' ? null : [brand.dataVersion, brand.storedVersion];
    };
    const before = (await version())!;
    await set(NEVER);
    expect(await version()).to.deep.equal(before.map((each) => Number(each) + 1));
    await back(NEVER);
    expect(await version()).to.deep.equal(before.map((each) => Number(each) + 2));
  });

  it('comes back when a fact has another text, and when it is another day’s', async () => {
    await load(runs('chatgpt'));
    const { brand } = await editor();
    const check = (day: string, truth: string) =>
      storeFactCheck(server.database.knex, {
        ...{ brandKey: brand.key, checked_at: `${day}T08:00:00Z`, answers_checked: 2, cost_usd: null },
        discrepancies: JSON.stringify([{ engine: 'chatgpt', claim: 'Closed.', truth, severity: 'high' }]),
      });
    await check('2026-10-01', 'Open.');
    const [wrong] = ids(await briefing());
    expect(wrong).to.match(/^wrong_fact:chatgpt:[0-9a-f]{10}$/);
    await set(wrong!);
    await set('facts_stale');
    const quiet = await briefing();
    expect(ids(quiet)).to.not.include.members([wrong]).and.not.include('facts_stale');
    await check('2026-10-02', 'Open.');
    const again = await briefing();
    expect(ids(again)).to.include('facts_stale').and.not.include(wrong);
    await check('2026-10-02', 'Open on Mondays.');
    expect(ids(await briefing())).to.include(wrong);
  });

  it('comes back when its amount has tripled, and not when it has grown by less', async () => {
    const cited = (count: number) => runs('chatgpt', { named: 3, cited: count });
    await load(cited(1));
    const id = 'source_to_win:forum.example';
    expect(ids(await briefing())).to.include(id);
    await set(id);
    await load(cited(2));
    expect(asides(await briefing()).map((each) => each.id)).to.deep.equal([id]);
    await load(cited(3));
    expect(ids(await briefing())).to.include(id);
  });

  it('comes back as not done once all days of the window are later', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    await set(NEVER, 'done');
    server.now = new Date('2026-11-28T12:00:00Z');
    const later = { from: '2026-11-21', to: '2026-11-28' };
    await load(runs('chatgpt', later), runs('gemini', { ...later, named: 0 }));
    expect(ids(await briefing('&days=7'))).to.include(NEVER);
    expect(ids(await briefing('&days=14'))).to.not.include(NEVER);
    await set(NEVER, 'not_us');
    expect(ids(await briefing('&from=2026-11-21&to=2026-11-28'))).to.not.include(NEVER);
  });

  it('is unknown where the briefing has none of this id; the error has those that it has', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    const unknown = await refusal(set('engine_never_names:grok'));
    expect(unknown).to.include({ status: 404, code: 'unknown_need' });
    for (const id of ids(await briefing())) expect(unknown.message).to.contain(id);
    expect((await refusal(back(NEVER))).message).to.equal(`Unknown need: ${NEVER}. There is none.`);
    await set(NEVER);
    expect((await refusal(back('x\u0000'))).message).to.contain(`Give one of ${NEVER}`);
  });

  it('is set aside by a key that may do everything, and never by a viewer or a key that reads', async () => {
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    for (const access of [{ kind: 'read' }, { shareId: 's' }] as const)
      expect(await refusal(set(NEVER, 'done', access))).to.include({
        status: 403,
        code: 'may_not_set_aside',
      });
    expect(asides(await briefing())).to.deep.equal([]);
    await set(NEVER, 'done', { kind: 'full', keyId: 'k' });
    expect(asides(await briefing())).to.have.length(1);
  });

  it('stays among the needs of the brands of other workspaces', async () => {
    const other = (line: object) => JSON.parse(JSON.stringify(line).replaceAll('"b"', '"b2"'));
    await load(runs('chatgpt'), runs('gemini', { named: 0 }));
    await server.load([
      { type: 'workspace', id: 'w2', name: 'W2', plan: 'growth' },
      ...market.slice(1).map((line) => ({ ...other(line), ...('workspace' in line && { workspace: 'w2' }) })),
      ...runs('chatgpt').map(other),
      ...runs('gemini', { named: 0 }).map(other),
    ]);
    await set(NEVER);
    const key = await server.key({ workspace: 'w2', kind: 'full' });
    const theirs = await server.read<Briefing>('/api/v1/briefing?brand=b2', key);
    expect(ids(theirs)).to.include(NEVER);
    expect(theirs.aside).to.deep.equal([]);
    expect((await server.request('/api/v1/briefing?brand=b', key)).status).to.equal(404);
  });

  it('does not come back while an amount only varies', async () => {
    await load(runs('chatgpt', { named: 3, cited: 2 }));
    const { needs, window } = await briefing();
    const need = needs.find(({ kind }) => kind === 'source_to_win')! as never as Parameters<
      ReturnType<typeof asideIn>
    >[0];
    const amount = need.worth! / window.days;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10, noNaN: true }), (factor) => {
        const facts = { names: [], amount };
        const stored = { id: need.id, reason: 'not_us' as const, facts, setAt: NOW, keyId: 'k' };
        const now = { ...need, worth: factor * need.worth! };
        const isAside = asideIn([stored], window)(now) !== undefined;
        if (factor < GROWN * 0.999) expect(isAside).to.equal(true);
        if (factor > GROWN * 1.001) expect(isAside).to.equal(false);
      }),
    );
  });
});
