import { expect } from 'chai';
import { CommandError } from '../../../src/cli/command-error.js';
import { Inspector, type Problem, unreadable } from '../../../src/cli/ingest/inspector.js';

/** The problems that an inspector reports for a log. */
function problemsOf(log: string): { unmatchable: Problem[]; unreadable: Problem[] } {
  const told = { unmatchable: [] as Problem[], unreadable: [] as Problem[] };
  const inspector = new Inspector('the log', {
    onUnmatchable: (problem) => told.unmatchable.push(problem),
    onUnreadable: (problem) => told.unreadable.push(problem),
    onUnparsed: undefined,
  });
  for (const line of log.split(/(?<=\n)/)) inspector.take(Buffer.from(line));
  inspector.end();
  return told;
}

const combined = (path: string, agent: string) =>
  `::1 - - [20/Nov/2026:10:18:45 +0000] "GET ${path} HTTP/1.1" 200 17 "-" "${agent}"\n`;
const record = (fields: object) => ({ time: '2026-11-20T10:18:45Z', ...fields });

describe('a dataset in place of a log', () => {
  const brand = { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Shoes' };
  it('is refused at its first line, with the command that loads it', () => {
    for (const first of [
      { type: 'workspace', id: 'w', plan: 'growth' },
      brand,
      { type: 'run', id: 'r', brand: 'b' },
    ])
      expect(() => problemsOf(`${JSON.stringify(first)}\n`))
        .to.throw(CommandError, 'the log is a dataset, not a log')
        .with.property('hint')
        .that.contains('svc admin import');
  });

  it('is no JSON log that has a type, a brand and a request', () => {
    const log = {
      type: 'access',
      brand: 'b',
      ...record({ path: '/', user_agent: 'GPTBot/1.0', status: 200 }),
    };
    expect(problemsOf(`${JSON.stringify(log)}\n`)).to.deep.equal({ unmatchable: [], unreadable: [] });
  });
});

describe('the problem of a log that cannot contain hits', () => {
  const cases: readonly (readonly [name: string, log: string, statement: RegExp, advice: RegExp])[] = [
    [
      'the common format',
      '::1 - - [20/Nov/2026:10:18:45 +0000] "GET / HTTP/1.1" 200 1\n',
      /^Of the first request of the log 1 state no user agent, so they match nothing, such as: ::1 - - \[20/,
      /common format/,
    ],
    [
      'Traefik without headers',
      `${JSON.stringify({ RequestPath: '/', DownstreamStatus: 200, StartUTC: '2026-11-20T10:18:45Z' })}\n`.repeat(
        3,
      ),
      /first 3 requests of the log 3 state no user agent/,
      /Traefik/,
    ],
  ];
  for (const [name, log, statement, advice] of cases) {
    it(name, () => {
      const [problem, ...others] = problemsOf(log).unmatchable;
      expect(others).to.deep.equal([]);
      expect(problem!.statement).to.match(statement);
      expect(problem!.advice).to.match(advice);
    });
  }

  it('is reported for requests without a path', () => {
    const log = `${JSON.stringify(record({ user_agent: 'GPTBot/1.2', status: 200, method: 'GET' }))}\n`;
    const { unmatchable, unreadable: unread } = problemsOf(log.repeat(12));
    // The parser decides whether such a record is a request; either way a problem is reported.
    expect(unmatchable.length + unread.length).to.equal(1);
  });

  it('is reported if most requests have it, but not for a few', () => {
    const log = (with_: number, without: number) =>
      combined('/', 'GPTBot/1.2').repeat(with_) + combined('/', '-').repeat(without);
    expect(problemsOf(log(4, 6)).unmatchable.map(({ statement }) => statement)).to.match(
      /^Of the first 10 requests of the log 6 state no user agent/,
    );
    expect(problemsOf(log(6, 4)).unmatchable).to.deep.equal([]);
  });

  it('shows the element of a JSON document, as UTF-8', () => {
    const document = JSON.stringify(
      [1, 2].map((at) => record({ url: `/straße/${at}`, status: 200 })),
      null,
      1,
    );
    const [problem] = problemsOf(document).unmatchable;
    expect(problem!.statement).to.match(/such as: \{ "time": "2026-11-20T10:18:45Z", "url": "\/straße\/1"/);
  });
});

describe('the problem of a log that cannot be parsed', () => {
  it('is not reported if one of the first lines can be parsed', () => {
    const noise = 'no log line\n';
    expect(problemsOf(noise.repeat(9) + combined('/', 'GPTBot/1.2')).unreadable).to.deep.equal([]);
    expect(problemsOf(noise.repeat(10) + combined('/', 'GPTBot/1.2')).unreadable).to.have.length(1);
  });

  it('shows the first line, as UTF-8 and without control characters', () => {
    const [problem] = problemsOf('größer \u001b[31m\u202eals\n'.repeat(3)).unreadable;
    expect(problem!.statement).to.equal(
      'None of the first 3 lines of the log can be parsed, such as: größer [31mals',
    );
  });

  it('shows the first element of a JSON document that breaks off', () => {
    const [problem] = problemsOf('[\n  {"a": "ü",\n').unreadable;
    expect(problem!.statement).to.match(/such as: \{"a": "ü",$/);
  });

  it('advises to strip a prefix of a log line', () => {
    const line = 'Sep 11 10:00:00 web nginx[12]: ::1 - - [20/Nov';
    expect(unreadable('x', { count: 1, line }).advice).to.match(/--strip-prefix/);
    expect(unreadable('x', { count: 1, line: 'what is this' }).advice).to.match(/combined format/);
  });

  it('shows at most 160 characters of a line', () => {
    const { statement } = unreadable('x', { count: 1, line: '\u{1f600}'.repeat(500) });
    expect([...statement.split('such as: ')[1]!]).to.have.length(161);
  });
});
