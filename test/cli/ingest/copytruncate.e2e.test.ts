import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { follow, Tail } from '../../../src/cli/ingest/follow.js';
import { answer, FIRST_SECOND, logLine } from '../../sdk/support/ingest-server.js';
import { Home } from '../support/run.js';
import { shippingSession, until } from '../support/shipping.js';

const hit = (at: number) => logLine(FIRST_SECOND + at, `/p${at}`);
const log = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => hit(from + at)).join('');
const paths = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `/p${from + at}`);

/** Rotates like logrotate with `copytruncate`. */
function copyTruncate(path: string, copy = `${path}.1`): void {
  copyFileSync(path, copy);
  truncateSync(path);
}

describe('a followed log that is copied and truncated', () => {
  let home: Home;
  let path: string;
  let warnings: string[];
  let stop: AbortController;
  beforeEach(() => {
    home = new Home();
    path = `${home.folder}/access.log`;
    warnings = [];
    stop = new AbortController();
  });
  afterEach(() => {
    stop.abort();
    home.remove();
  });

  const read = (start: number | 'end' = 0) =>
    follow(path, start, { signal: stop.signal, warn: (text) => warnings.push(text), note: () => {} });
  type Reading = ReturnType<typeof read>;

  /** Reads chunks up to this text, and returns all of them. */
  async function untilText(reading: Reading, text: string): Promise<string> {
    let all = '';
    while (!all.includes(text)) {
      const { done, value } = await reading.next();
      if (done) throw new Error(`It ended with ${all}`);
      all += Buffer.from(value.bytes).toString();
    }
    return all;
  }

  it('is read from the copy to its end, also in the middle of a line, then from the log again', async () => {
    writeFileSync(path, log(0, 20) + hit(20).slice(0, 30));
    const reading = read();
    const before = await untilText(reading, '/p19');
    appendFileSync(path, hit(20).slice(30) + log(21, 1020));
    copyTruncate(path);
    appendFileSync(path, log(1020, 1025));
    expect(before + (await untilText(reading, hit(1024)))).to.equal(log(0, 1025));
    expect(warnings).to.deep.equal([]);
  });

  it('is read from the copy in the folder of its target, if its name is a link', async () => {
    const folder = `${home.folder}/elsewhere`;
    mkdirSync(folder);
    const target = `${folder}/site.log`;
    writeFileSync(target, log(0, 20));
    symlinkSync(target, path);
    const reading = read();
    const before = await untilText(reading, hit(19));
    appendFileSync(target, log(20, 50));
    copyTruncate(target);
    appendFileSync(target, hit(50));
    expect(before + (await untilText(reading, hit(50)))).to.equal(log(0, 51));
    expect(warnings).to.deep.equal([]);
  });

  it('is read from a copy that was compressed since', async () => {
    writeFileSync(path, log(0, 20));
    const reading = read();
    const before = await untilText(reading, hit(19));
    appendFileSync(path, log(20, 50));
    writeFileSync(`${path}.1.gz`, gzipSync(readFileSync(path)));
    truncateSync(path);
    appendFileSync(path, hit(50));
    expect(before + (await untilText(reading, hit(50)))).to.equal(log(0, 51));
  });

  it('is read from the copy and not from its incomplete compressed file', async () => {
    writeFileSync(path, log(0, 20));
    const reading = read();
    await untilText(reading, hit(19));
    appendFileSync(path, log(20, 50));
    copyTruncate(path);
    writeFileSync(`${path}.1.gz`, gzipSync(readFileSync(`${path}.1`)).subarray(0, 40));
    expect(await untilText(reading, hit(49))).to.equal(log(20, 50));
    expect(warnings).to.deep.equal([]);
  });

  it('is read from all copies if it was truncated several times between two checks', async () => {
    writeFileSync(path, log(0, 20));
    const reading = read();
    await untilText(reading, hit(19));
    appendFileSync(path, log(20, 30));
    copyTruncate(path);
    appendFileSync(path, log(30, 40));
    renameSync(`${path}.1`, `${path}.2`);
    copyTruncate(path);
    appendFileSync(path, log(40, 50));
    expect(await untilText(reading, hit(49))).to.equal(log(20, 50));
  });

  it('is read from all files if it was renamed several times and compressed', async () => {
    writeFileSync(path, log(0, 20));
    const reading = read();
    await untilText(reading, hit(19));
    writeFileSync(`${path}.2.gz`, gzipSync(readFileSync(path)));
    unlinkSync(path);
    writeFileSync(`${path}.1`, log(20, 30));
    writeFileSync(path, log(30, 40));
    expect(await untilText(reading, hit(39))).to.equal(log(20, 40));
  });

  it('causes a warning with the number of lost bytes if there is no copy', async () => {
    const content = log(0, 8000);
    writeFileSync(path, content);
    const reading = read();
    const { value } = await reading.next();
    const lost = content.length - value!.bytes.length;
    writeFileSync(path, log(9000, 9003));
    expect(await untilText(reading, hit(9002))).to.equal(log(9000, 9003));
    expect(lost).to.be.above(100_000);
    expect(warnings).to.deep.equal([
      `${path} was emptied: ${lost.toLocaleString('en')} bytes of it were not read before, and no copy of it was found in its folder. They are lost.`,
    ]);
  });

  describe('before anything was read of it', () => {
    /** A log that was opened while it was empty. Nothing is read until `next` is called. */
    const opened = async () => {
      writeFileSync(path, '');
      return Tail.open(path, 0);
    };
    /** Follows an empty log until it was opened, and then changes it between two looks. */
    async function readWhile(change: () => void, last: string): Promise<string> {
      writeFileSync(path, '');
      const notes: string[] = [];
      const reading = follow(path, 'end', {
        signal: stop.signal,
        warn: (text) => warnings.push(text),
        note: (text) => {
          notes.push(text);
          change();
        },
      });
      const all = await untilText(reading, last);
      expect(notes).to.have.length(1);
      return all;
    }

    it('is read from its copy', async () => {
      const all = await readWhile(() => {
        appendFileSync(path, log(0, 400));
        copyTruncate(path);
      }, hit(399));
      expect(all).to.equal(log(0, 400));
      expect(warnings).to.deep.equal([]);
    });

    it('is read from its copy and then from the log, if that was written since', async () => {
      writeFileSync(`${path}.1`, log(700, 720));
      const all = await readWhile(() => {
        renameSync(`${path}.1`, `${path}.2`);
        appendFileSync(path, log(0, 400));
        copyTruncate(path);
        appendFileSync(path, log(400, 900));
      }, hit(899));
      expect(all).to.equal(log(0, 900));
      expect(warnings).to.deep.equal([]);
    });

    it('is read once if the copy is not complete yet', async () => {
      const all = await readWhile(() => {
        appendFileSync(path, log(0, 400));
        writeFileSync(`${path}.1`, log(0, 200));
      }, hit(399));
      expect(all).to.equal(log(0, 400));
      expect(warnings).to.deep.equal([]);
    });

    it('causes a warning that lines may be lost if there is no copy', async () => {
      const stopped = readWhile(() => {
        appendFileSync(path, log(0, 400));
        // A time of its own, because two changes may have the same in the file system.
        truncateSync(path);
        utimesSync(path, 1, 1);
      }, hit(500));
      await until(() => warnings.length > 0, 'the warning');
      appendFileSync(path, hit(500));
      expect(await stopped).to.equal(hit(500));
      expect(warnings).to.deep.equal([
        `${path} was written to and emptied between two looks, and no copy of it was found in its folder. Lines may be lost.`,
      ]);
    });

    it('causes no warning if it was empty when it was copied', async () => {
      const all = await readWhile(() => {
        copyTruncate(path);
        utimesSync(path, 1, 1);
        setTimeout(() => appendFileSync(path, hit(0)), 500);
      }, hit(0));
      expect(all).to.equal(hit(0));
      expect(warnings).to.deep.equal([]);
    });

    it('is known to be emptied, and by how many bytes, once its size was seen', async () => {
      const tail = await opened();
      appendFileSync(path, log(0, 400));
      expect(await tail.look()).to.equal(false);
      truncateSync(path);
      appendFileSync(path, log(500, 1000));
      expect([await tail.next(), tail.unread]).to.deep.equal(['emptied', log(0, 400).length]);
      await tail.close();
    });
  });

  it('causes no warning if a burst of new lines exceeds what was read', async () => {
    writeFileSync(path, log(0, 20));
    const tail = await Tail.open(path, 0);
    expect(await tail.next()).to.include({ offset: 0 });
    copyTruncate(path);
    appendFileSync(path, log(20, 5000));
    expect([await tail.next(), tail.unread]).to.deep.equal(['emptied', 0]);
    await tail.close();
  });

  it('is not read from another rotated file, and causes no warning if all was read', async () => {
    writeFileSync(`${path}.1`, log(700, 720));
    writeFileSync(path, log(0, 20));
    const reading = read();
    await untilText(reading, hit(19));
    writeFileSync(path, log(20, 21));
    expect(await untilText(reading, hit(20))).to.equal(hit(20));
    expect(warnings).to.deep.equal([]);
  });

  it('is read from its beginning if it does not exist yet, also with --from end', async () => {
    const reading = read('end');
    const first = untilText(reading, hit(1));
    await until(() => warnings.length > 0, 'the warning');
    writeFileSync(path, log(0, 2));
    expect(await first).to.equal(log(0, 2));
    expect(warnings).to.deep.equal([`There is no file ${path} yet: waiting for it.`]);
  });
});

describe('svc ingest --follow during an outage of the server', () => {
  const now = shippingSession();

  it('delivers all lines once if the log is copied and truncated in between', async () => {
    let isDown = true;
    const refused = { error: 'Database unavailable' };
    now.server.script = (response) => isDown && answer(response, 503, refused, { 'Retry-After': '1' });
    writeFileSync(now.log(), log(0, 20));
    const run = now.start('--follow', '--from', 'beginning', '--flush-every', '0', now.log());
    await until(() => now.server.requests.length > 0, 'the first attempt');
    for (const [from, to] of [
      [20, 1020],
      [1020, 2020],
    ] as const) {
      appendFileSync(now.log(), log(from, to));
      copyTruncate(now.log());
      // The rotation keeps only the newest copy.
      appendFileSync(now.log(), hit(to + 10_000));
      const seen = now.server.requests.length;
      await until(() => now.server.requests.length > seen + 1, 'further attempts');
    }
    isDown = false;
    await until(() => now.server.stored.size >= 2022, '2022 hits');
    expect(await run.stop()).to.equal(0);
    const extra = ['/p11020', '/p12020'];
    expect(now.paths.sort()).to.deep.equal([...paths(0, 2020), ...extra].sort());
    expect(run.stderr).to.match(/^503 Database unavailable; next try in \d s$/m);
  });
});
