import { expect } from 'chai';
import { combined, parseText } from '../support/parse.js';

const record = (path: string): Record<string, unknown> => ({
  request_uri: path,
  http_user_agent: 'GPTBot/1.2',
  time: '2026-11-20T10:18:45Z',
  request_id: path,
});
const paths = (body: string): string[] => parseText(body).hits.map((hit) => hit.path);
const json = JSON.stringify;
const three = [record('/a'), record('/b'), record('/c')];
const many = Array.from({ length: 2000 }, (_, i) => record(`/${i}`));
const all = many.map((one) => one.request_uri);

describe('the parser of JSON bodies', () => {
  const bodies: [what: string, body: string][] = [
    ['one object per line', three.map((one) => json(one)).join('\n')],
    ['an array in one line', json(three)],
    ['an array over many lines', json(three, null, 2)],
    ['an array that begins with space', ` \n${json(three)}`],
    ['an indented array below a line', `${json(record('/a'))}\n  ${json(three.slice(1))}`],
    ['arrays in lines', `${json(three.slice(0, 2))}\n${json(three.slice(2))}\n`],
    ['consecutive documents', three.map((one) => json(one, null, 1)).join('\n')],
    ['a byte-order mark', `\ufeff${json(three, null, 2)}`],
    ...['logs', 'events', 'records', 'entries', 'data'].flatMap((key): [string, string][] => [
      [`a wrapper "${key}" in one line`, json({ version: [1], [key]: three, more: { x: [] } })],
      [`a wrapper "${key}" over many lines`, json({ version: [1], [key]: three, more: { x: [] } }, null, 2)],
    ]),
    [
      'lines of text in a wrapper',
      json({ logs: ['/a', '/b', '/c'].map((path) => combined({ request: `GET ${path} HTTP/1.1` })) }),
    ],
    [
      'lines in "log"',
      ['/a', '/b', '/c']
        .map((path) =>
          json({
            log: `${combined({ request: `GET ${path} HTTP/1.1` })}\n`,
            stream: 'stdout',
            time: '2026-11-20T10:18:45Z',
          }),
        )
        .join('\n'),
    ],
    ['JSON in "message"', three.map((one) => json({ message: json(one), level: 'info' })).join('\n')],
  ];

  for (const [what, body] of bodies)
    it(`reads ${what}`, () => expect(paths(body)).to.deep.equal(['/a', '/b', '/c']));

  it('reads a single object over many lines', () =>
    expect(paths(json(record('/a'), null, 2))).to.deep.equal(['/a']));

  it('reads arrays and wrappers that are longer than the limit of a line', () => {
    for (const body of [
      json(many),
      json(many, null, 1),
      json({ logs: many }),
      json({ a: 'x', data: many }, null, 2),
    ]) {
      expect(paths(body)).to.deep.equal(all);
    }
  });

  it('reads each line of a mixed file', () => {
    const startUp = json({ level: 'info', ts: 1795169925.4, logger: 'admin', msg: 'started' });
    const { counts } = parseText(
      [startUp, combined(), json(record('/a')), 'noise', '', '# x', json(three)].join('\n'),
    );
    expect(counts).to.include({
      records: 9,
      totalLines: 5,
      matched: 5,
      notRequests: 1,
      unparsed: 1,
      blank: 2,
    });
  });

  it('counts an invalid first line as unparsed and continues with the next', () => {
    for (const broken of ['{"a":"b', '{"a":1,', '{"a":', '{"logs":', '{', '{"a":1}}', '[2026']) {
      const { counts, hits } = parseText(`${broken}\n${three.map((one) => json(one)).join('\n')}\n`);
      expect(hits.length, broken).to.equal(3);
      expect(counts, broken).to.include({ records: 4, unparsed: 1 });
    }
  });

  it('keeps the elements of an array before it breaks off', () => {
    expect(parseText(json(three).slice(0, -10)).counts).to.include({ matched: 2, unparsed: 1 });
    expect(parseText(`${json(three).slice(0, -1)}, !\n${json(record('/d'))}`).counts).to.include({
      matched: 4,
      unparsed: 1,
    });
  });

  it('numbers unparsed records by their line', () => {
    expect(parseText(`${combined()}\n\nbad\n${combined()}\nworse\r\n`).unparsed).to.deep.equal([
      { line: 3, text: 'bad' },
      { line: 5, text: 'worse' },
    ]);
    expect(parseText('[\n{},\n{"url":1,},\n{}\n]\nlast').unparsed).to.deep.equal([
      { line: 3, text: '{"url":1,}' },
      { line: 6, text: 'last' },
    ]);
  });

  it('parses a line of 64 KiB, but not a longer one', () => {
    const line = (length: number): string =>
      combined({
        request: `GET /${'x'.repeat(length - combined({ request: 'GET / HTTP/1.1' }).length)} HTTP/1.1`,
      });
    expect(line(65_536)).to.have.length(65_536);
    expect(parseText(`${line(65_536)}\n${line(65_537)}\n${combined()}`).counts).to.include({
      matched: 2,
      unparsed: 1,
      records: 3,
    });
    expect(parseText(line(200_000)).counts).to.include({ unparsed: 1, records: 1 });
    const long = json({ ...record('/a'), padding: 'x'.repeat(65_536) });
    expect(parseText(`${long}\n${json(record('/b'))}`).counts).to.include({ unparsed: 1, matched: 1 });
    expect(parseText(json([record('/a'), { padding: 'x'.repeat(65_536) }, record('/b')])).counts).to.include({
      unparsed: 1,
      matched: 2,
    });
  });

  it('limits a path to 2,048 characters', () => {
    expect(paths(combined({ request: `GET /${'x'.repeat(5000)} HTTP/1.1` }))[0]).to.have.length(2048);
  });
});
