import { expect } from 'chai';
import fc from 'fast-check';
import { engineIds } from '../../src/contract/engines.js';
import { postForm, signIn, type Visitor } from '../server/web/page/support/visitor.js';
import { OPERATOR_KEY } from '../support/server.js';
import { steering } from './support/hostile.js';
import { ruleServer } from './support/rule-server.js';
import { send } from './support/wire.js';

/** Requests of each property. */
const RUNS = { numRuns: 60 };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e3',
    'null',
    '\u0000',
    '\u001b[31m',
    '\u202e',
    '../..',
    "'",
    ',,',
    'x'.repeat(6000),
  ),
);
const day = fc
  .date({ min: new Date('2019-01-01'), max: new Date('2031-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const values = new Map<string, fc.Arbitrary<string>>(
  Object.entries({
    days: fc.constantFrom('7', '14', '28', '56', '8'),
    from: day,
    to: day,
    engine: fc.subarray([...engineIds], { minLength: 1 }).map((ids) => ids.join()),
    page: fc.oneof(
      fc.integer().map(String),
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    ),
  }),
);
const pair = fc
  .constantFrom(...values.keys(), '__proto__', 'constructor', 'days[]', 'brand', '')
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof({ weight: 3, arbitrary: values.get(name) ?? text }, { weight: 1, arbitrary: text }),
    ),
  );
const range = fc.tuple(day, day).map((days) => {
  const [from = '', to = ''] = days.sort();
  return [
    ['from', from],
    ['to', to],
  ] as [string, string][];
});
const query = fc
  .oneof(range, fc.array(pair, { maxLength: 4 }))
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString());

describe('rule: no request to the page fails, whatever it holds', () => {
  const server = ruleServer({ clock: 'refill' });
  let guest: Visitor;
  before(async () => {
    guest = await signIn(server, OPERATOR_KEY);
  });
  /** Time for two more tokens. */
  const later = () => {
    server.now = new Date(server.now.getTime() + 1000);
  };

  const expectPage = async (response: Response, allowed: readonly number[], of: string) => {
    const body = await response.text();
    expect(allowed, `${of}: ${body.slice(0, 300)}`).to.include(response.status);
    expect(body, of).to.not.match(steering);
  };

  it('a query is a page, or 400 in words', async () => {
    const paths = [
      '/brands',
      '/brands/first',
      '/brands/uncollected',
      '/brands/stopped',
      '/brands/first/prompts/p1',
      '/brands/first/visibility.json',
      '/brands/first/visibility.csv',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, async (path, search) => {
        later();
        await expectPage(
          await guest.get(`${path}?${search}`),
          [200, 400, ...(path === '/brands' ? [404] : [])],
          `${path}?${search}`,
        );
      }),
      RUNS,
    );
  });

  it('a parameter given twice is 400 and named, on the list too', async () => {
    for (const [path, name] of [
      ['/brands?page=1&page=2', 'page'],
      ['/brands/first?from=2026-11-01&from=2026-11-02&to=2026-11-03', 'from'],
      ['/brands/first/visibility.csv?days=7&days=14', 'days'],
    ] as const) {
      const response = await guest.get(path);
      expect(response.status, path).to.equal(400);
      expect(await response.text()).to.contain(`Parameter ${name} was given 2 times.`);
    }
  });

  it('a path is a page, or 404 in words', async () => {
    const segment = fc.oneof(
      text.map((value) => encodeURIComponent(value.toWellFormed())),
      fc.constantFrom('%', '%ZZ', '%C3%28', '%ED%A0%80', '.', '..', '%2e%2e', '%2F', 'first'),
    );
    await fc.assert(
      fc.asyncProperty(segment, segment, async (brand, prompt) => {
        for (const path of [
          `/brands/${brand}`,
          `/brands/first/prompts/${prompt}`,
          `/brands/${brand}/${prompt}`,
        ]) {
          later();
          const { status, body } = await send(server.url, path, { headers: { Cookie: guest.cookie } });
          expect([200, 400, 404], `${path} ${body.slice(0, 300)}`).to.include(status);
        }
      }),
      RUNS,
    );
  });

  it('a forged cookie is the form', async () => {
    const cookie = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.base64String({ maxLength: 200 }).map((value) => `svc_session=${value}`),
      fc.uint8Array({ minLength: 68, maxLength: 68 }).map((bytes) => {
        return `svc_session=${Buffer.from(bytes).toString('base64url')}`;
      }),
      fc.constantFrom(
        'svc_session=',
        'svc_session',
        'svc_session=a; svc_session=b',
        ';;=;',
        `svc_session="${'A'.repeat(91)}"`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(cookie, async (value) => {
        const { status } = await send(server.url, '/brands/first', { headers: { Cookie: value } });
        expect([303, 401], value).to.include(status);
      }),
      RUNS,
    );
  });

  it('an old or invented link and form are refused, and lead nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (token, to) => {
        const [path, target] = [token, to].map((each) => encodeURIComponent(each.toWellFormed()));
        const link = await server.request(`/sign-in/x${path}?to=${target}&to=x`, null, {
          redirect: 'manual',
        });
        await expectPage(link, [401, 404], `/sign-in/${path}`);
        const form = await postForm(server, '/sign-in', { key: `x${token}`, to });
        await expectPage(form, [401], to);
        const asked = await server.request(`/sign-in?to=${target}&to=${path}`, null);
        await expectPage(asked, [200], to);
      }),
      RUNS,
    );
  });

  it('an address of days long gone, or to come, shows that nothing was measured', async () => {
    for (const year of [2020, 2030]) {
      const page = await guest.html(`/brands/first?from=${year}-01-01&to=${year}-02-01`);
      expect(page, `${year}`).to.contain(
        `No answer of this choice was collected from 1 Jan ${year} to 1 Feb ${year}: nothing was measured.`,
      );
    }
  });
});
