import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ruleServer } from './support/rule-server.js';
import { CHROME, line, shipped } from './support/shipping.js';

const LIMIT = 10_485_760;
/** Far above the time for a slice, far below the time for a whole body that is parsed without a pause. */
const LONGEST_STALL_MS = 500;

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

  const large = largeLog(LIMIT - 1000);
  const bodies: [what: string, body: Buffer][] = [
    ['10 MB of lines', large],
    ['64 MB of lines in a small gzip', gzipSync(Buffer.concat(Array(6).fill(large)), { level: 1 })],
  ];
  for (const [what, body] of bodies) {
    it(what, async () => {
      let longest = 0;
      let asked = 0;
      let done = false;
      const reading = (async () => {
        while (!done) {
          const begin = performance.now();
          const reply = await server.request('/livez', null);
          await reply.arrayBuffer();
          longest = Math.max(longest, performance.now() - begin);
          asked++;
        }
      })();
      for (let i = 0; i < 3; i++) expect((await shipped(server, body)).totalLines).to.be.greaterThan(30_000);
      done = true;
      await reading;
      expect(asked).to.be.greaterThan(10);
      expect(longest).to.be.below(LONGEST_STALL_MS);
    });
  }
});
