import { createHmac, createSecretKey } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Hit, identityInput, PATH_LIMIT } from '../../../../src/logs/hit.js';
import {
  BATCH_ROWS,
  dedupeKey,
  ROWS_PER_STATEMENT,
  takeLogs,
} from '../../../../src/server/intake/ingest/take-logs.js';
import { line } from '../../../rules/support/shipping.js';
import { citusWorkers } from '../../../support/citus.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const HITS = BATCH_ROWS + 4000;
const HITS_PER_PIECE = 500;

/** Every hit occurs twice in one second, half a body apart: their ordinals are 0 and 1. */
const pieces = Array.from({ length: HITS / HITS_PER_PIECE }, (_, piece) =>
  Buffer.from(
    Array.from({ length: HITS_PER_PIECE }, (_, i) =>
      line({ path: `/${(piece * HITS_PER_PIECE + i) % (HITS / 2)}` }),
    ).join(''),
  ),
);

/** The hits of `longPaths`, which fill more than one batch by their characters. */
const FEW_HITS = 2500;
const longPaths = Array.from({ length: FEW_HITS / HITS_PER_PIECE }, (_, piece) =>
  Buffer.from(
    Array.from({ length: HITS_PER_PIECE }, (_, i) =>
      line({ path: `/${String(piece * HITS_PER_PIECE + i).padEnd(PATH_LIMIT - 1, '.')}` }),
    ).join(''),
  ),
);

/** Chunks that call back when they are read. */
const watched = (of: readonly Buffer[], onPiece: () => void): readonly Buffer[] =>
  Object.assign([...of], {
    *[Symbol.iterator]() {
      for (const piece of of) {
        onPiece();
        yield piece;
      }
    },
  });

describe('the ingest of a long body', () => {
  const database = fresh(emptyDatabase);

  const take = (wire: readonly Buffer[], headers = {}) =>
    takeLogs(
      { db: database.knex, secret: createSecretKey(Buffer.alloc(32, 1)), retentionDays: 400, lists: [] },
      { brandKey: 1, wire, headers, vercelVerify: undefined, now: NOW },
    );
  const stored = async (): Promise<number> =>
    (await database.knex.raw('select count(*) as rows from crawler_events')).rows[0].rows;

  it('keeps at most one batch and one chunk of hits in memory, and numbers equal hits across batches', async () => {
    let came = 0;
    let sent = 0;
    let most = 0;
    const wire = watched(pieces, () => {
      most = Math.max(most, came - sent);
      came += HITS_PER_PIECE;
    });
    const onQuery = ({ bindings }: { bindings?: unknown[] }) => {
      const rows = bindings?.find((each) => typeof each === 'string' && each.startsWith('[{"key"'));
      if (rows) sent += JSON.parse(rows as string).length;
    };
    database.knex.on('query', onQuery);
    const { result } = await take(wire);
    database.knex.removeListener('query', onQuery);
    expect(result).to.deep.equal({ inserted: HITS, matched: HITS, totalLines: HITS, unparsed: 0 });
    expect([came, sent]).to.deep.equal([HITS, HITS]);
    expect(most).to.be.within(1, BATCH_ROWS + HITS_PER_PIECE);
    expect((await take(pieces)).result).to.deep.equal({ ...result, inserted: 0 });
    expect(await stored()).to.equal(HITS);
  });

  it('stores a batch in the order of its keys without sending it at once, which would delay other requests', async () => {
    const keys: string[] = [];
    const statements: number[] = [];
    const onQuery = ({ bindings }: { bindings?: unknown[] }) => {
      const rows = bindings?.find((each) => typeof each === 'string' && each.startsWith('[{"key"'));
      if (!rows) return;
      const added = JSON.parse(rows as string).map(({ key }: { key: string }) => key);
      keys.push(...added);
      statements.push(added.length);
    };
    database.knex.on('query', onQuery);
    try {
      await take(pieces.slice(0, BATCH_ROWS / HITS_PER_PIECE - 1));
    } finally {
      database.knex.removeListener('query', onQuery);
    }
    expect(keys).to.have.lengthOf(BATCH_ROWS - HITS_PER_PIECE);
    expect(keys).to.deep.equal([...keys].sort());
    expect(Math.max(...statements)).to.equal(ROWS_PER_STATEMENT);
  });

  it('stores nothing if the body is corrupt after its first batches', async () => {
    const whole = gzipSync(Buffer.concat(longPaths));
    const error: unknown = await take([whole.subarray(0, -9)]).catch((thrown: unknown) => thrown);
    expect(error).to.have.nested.property('refusal.status', 400);
    expect(await stored()).to.equal(0);
    expect((await take([whole])).result).to.include({ inserted: FEW_HITS });
  });

  it('stores nothing if the last statement fails', async () => {
    const db = database.knex;
    await db.raw('alter table crawler_connections add constraint refuse check (data_version < 0)');
    const error: unknown = await take(longPaths).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', '23514');
    await db.raw('alter table crawler_connections drop constraint refuse');
    expect(await stored()).to.equal(0);
  });

  it('parses the body again if its transaction lost against another one', async function () {
    // A distributed table has no triggers.
    if (citusWorkers.length > 0) this.skip();
    const db = database.knex;
    await db.raw(`create function lose_once() returns trigger language plpgsql as $$
      begin
        if nextval('losses') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$`);
    await db.raw('create sequence losses');
    await db.raw('create trigger lose before insert on crawler_connections execute function lose_once()');
    const { result } = await take(longPaths);
    await db.raw('drop trigger lose on crawler_connections; drop sequence losses; drop function lose_once');
    expect(result).to.include({ inserted: FEW_HITS, matched: FEW_HITS });
    expect(await stored()).to.equal(FEW_HITS);
  });
});

const hit: Hit = {
  agent: 'gptbot',
  path: '/a',
  time: 0,
  status: 200,
  verified: null,
  identity: { kind: 'id', id: 'ray' },
};

describe('the de-duplication key of a hit', () => {
  it('is the first 16 bytes of HMAC-SHA256 over the identity of the hit', () => {
    const secret = Buffer.alloc(32, 7);
    const whole = createHmac('sha256', secret).update(identityInput(hit)).digest('hex');
    expect(dedupeKey(createSecretKey(secret), hit).toString('hex')).to.equal(whole.slice(0, 32));
  });

  it('differs for another secret, and for another path with the same request id', () => {
    const key = (fill: number, of: Hit) =>
      dedupeKey(createSecretKey(Buffer.alloc(32, fill)), of).toString('hex');
    expect(new Set([key(1, hit), key(2, hit), key(1, { ...hit, path: '/b' })]).size).to.equal(3);
    expect(key(1, hit)).to.equal(key(1, { ...hit, status: 404 }));
  });
});
