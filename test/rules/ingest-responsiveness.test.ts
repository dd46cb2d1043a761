import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { itOnServer } from '../support/on-server.js';
import { ruleServer } from './support/rule-server.js';
import { CHROME, line, shipped } from './support/shipping.js';

const LIMIT = 10_485_760;
/** At least one other request is answered per so many bytes. Each takes some turns of the event loop, and a slice of 32 KiB is one. */
const BYTES_PER_ANSWER = 256 * 1024;

/** A body of about 10 MB in which every thousandth line is an agent's. */
function largeLog(bytes: number): Buffer {
  const people = line({ agent: CHROME, path: '/a/page/of/some/length?with=query' });
  const parts: string[] = [];
  for (let size = 0, i = 0; size + people.length < bytes; i++) {
    const next = i % 1000 === 0 ? line({ path: `/${i}` }) : people;
    parts.push(next);
    size += next.length;
  }
  return Buffer.from(parts.join(''));
}

describe('rule: other requests are answered while large bodies are parsed', () => {
  const server = ruleServer();

  const lines = () => largeLog(LIMIT - 1000);
  const bodies: [what: string, text: () => Buffer, sent: (text: Buffer) => Buffer][] = [
    ['10 MB of lines', lines, (text) => text],
    [
      '30 MB of lines in a small gzip',
      () => Buffer.concat(Array(3).fill(lines())),
      (text) => gzipSync(text, { level: 1 }),
    ],
  ];
  for (const [what, textOf, sent] of bodies) {
    itOnServer(what, async () => {
      const text = textOf();
      const body = sent(text);
      let answered = 0;
      let done = false;
      const reading = (async () => {
        while (!done) {
          const reply = await server.request('/livez', null);
          await reply.arrayBuffer();
          answered++;
        }
      })();
      expect((await shipped(server, body)).totalLines).to.be.greaterThan(30_000);
      done = true;
      await reading;
      expect(answered).to.be.above(text.length / BYTES_PER_ANSWER);
    });
  }
});
