import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { ChangePause } from '../../../src/server/database/change-pause.js';
import type { Database } from '../../../src/server/database/database.js';
import { emptyDatabase, serverUrl } from '../../support/database.js';
import { OPERATOR_KEY, testServer } from '../../support/server.js';

const LONG_MS = 600_000;

describe('a pause of changes', () => {
  it('lets everybody go on at its end, and nobody wait before it begins', async () => {
    const pause = new ChangePause();
    await pause.wait(LONG_MS);
    pause.begin();
    const waiting = [pause.wait(LONG_MS), pause.wait(LONG_MS)];
    expect(pause.isOn).to.equal(true);
    pause.end();
    await Promise.all(waiting);
    expect(pause.isOn).to.equal(false);
  });

  it('goes on for those who wait if another one follows at once', async () => {
    const pause = new ChangePause();
    pause.begin();
    let isOver = false;
    const waiting = pause.wait(LONG_MS).then(() => {
      isOver = true;
    });
    pause.end();
    pause.begin();
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    expect(isOver).to.equal(false);
    pause.end();
    await waiting;
  });

  it('is waited for no longer than it may be', async () => {
    const pause = new ChangePause();
    pause.begin();
    await pause.wait(1);
    expect(pause.isOn).to.equal(true);
  });

  describe('of a server', () => {
    const LINE = '192.0.2.1 - - [20/Nov/2026:11:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.1"\n';
    const catalog = [
      { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
      { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
    ];
    before(function () {
      if (serverUrl) this.skip();
    });
    /** A server whose database accepts no changes. */
    const paused = async (mostPauseMs: number) => {
      const pause = new ChangePause();
      const shared = { pause } as NonNullable<Database['shared']>;
      const database = { ...(await emptyDatabase()), shared };
      const server = await testServer({ database, mostPauseMs });
      await server.load(catalog);
      const set = (value: 'on' | 'off') => database.knex.raw(`set default_transaction_read_only = ${value}`);
      await set('on');
      pause.begin();
      const post = () =>
        server.request('/api/v1/crawler-events?brand=shoes', OPERATOR_KEY, { method: 'POST', body: LINE });
      const end = async () => {
        await set('off');
        pause.end();
      };
      const close = async () => {
        await server.close();
        await database.close();
      };
      return { server, post, end, close };
    };

    it('is waited for by a request that changes something, and not by reads', async () => {
      const { server, post, end, close } = await paused(LONG_MS);
      const posted = post();
      expect((await server.request('/api/v1/brands', OPERATOR_KEY)).status).to.equal(200);
      const first = await Promise.race([posted.then(() => 'posted'), setTimeout(20).then(() => 'waits')]);
      expect(first).to.equal('waits');
      await end();
      const response = await posted;
      expect(response.status).to.equal(200);
      expect(await response.json()).to.deep.include({ inserted: 1 });
      await close();
    });

    it('gives 503 with a reason to a request that waited as long as it may', async () => {
      const { post, end, close } = await paused(1);
      const response = await post();
      expect(response.status).to.equal(503);
      expect(response.headers.get('Retry-After')).to.equal('5');
      const body = (await response.json()) as { code: string; error: string };
      expect(body.code).to.equal('changes_paused');
      expect(body.error).to.match(/accepts no changes at present.*Retry after 5s\.$/);
      await end();
      expect((await post()).status).to.equal(200);
      await close();
    });

    it('is not waited for by the tools of an agent', async () => {
      const { server, end, close } = await paused(LONG_MS);
      const listed = await server.request('/api/mcp', OPERATOR_KEY, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      expect(listed.status).to.equal(200);
      await end();
      await close();
    });
  });
});
