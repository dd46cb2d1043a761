import { expect } from 'chai';
import { reply } from './support/server.js';
import { failureOf, withServer } from './support/setup.js';

describe('a list', () => {
  it('yields every row of every page, with one request per page of 200 rows', async () => {
    await withServer({ rows: 450 }, async (svc, server) => {
      const ids: string[] = [];
      for await (const prompt of svc.prompts.list({ brand: 'b' })) ids.push(prompt.id);
      expect(new Set(ids).size).to.equal(450);
      expect(server.paths).to.deep.equal([
        '/api/v1/prompts?brand=b&limit=200',
        '/api/v1/prompts?brand=b&cursor=200&limit=200',
        '/api/v1/prompts?brand=b&cursor=400&limit=200',
      ]);
    });
  });

  it('returns its first page when awaited, with the next_cursor for another call', async () => {
    await withServer({ rows: 60 }, async (svc) => {
      const first = await svc.prompts.list({ limit: 50 });
      expect(first.prompts).to.have.length(50);
      expect(first.tag_groups).to.deep.equal([]);
      const last = await svc.prompts.list({ limit: 50, cursor: first.next_cursor! });
      expect(last.prompts.map((prompt) => prompt.id)).to.include('p-0059');
      expect(last.next_cursor).to.equal(null);
    });
  });

  it('sends no request until it is used, and only one when it is awaited several times', async () => {
    await withServer({}, async (svc, server) => {
      const list = svc.answers.list();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(server.paths).to.deep.equal([]);
      const [page, again] = await Promise.all([list, list]);
      expect(page).to.equal(again);
      expect((await list.withResponse()).requestId).to.equal('r-1');
      expect(server.paths).to.have.length(1);
    });
  });

  it('sends no more requests when the loop stops', async () => {
    await withServer({}, async (svc, server) => {
      for await (const _ of svc.answers.list({ limit: 10 })) break;
      expect(server.paths).to.have.length(1);
    });
  });

  it('yields its pages as the API sends them', async () => {
    await withServer({ rows: 25 }, async (svc) => {
      const cursors: (string | null)[] = [];
      for await (const page of svc.sources.list({ limit: 10 }).pages()) cursors.push(page.next_cursor);
      expect(cursors).to.deep.equal(['10', '20', null]);
    });
  });

  it('sends one request without cursor and limit for the unpaged read, with the API’s caps', async () => {
    await withServer({ rows: 450 }, async (svc, server) => {
      const top = await svc.sources.top({ brand: 'b' });
      expect(top.sources).to.have.length(20);
      expect(top).not.to.have.property('next_cursor');
      expect(server.paths).to.deep.equal(['/api/v1/sources?brand=b']);
    });
  });

  it('returns all rows by all() up to max, and throws if there are more', async () => {
    await withServer({ rows: 450 }, async (svc) => {
      expect(await svc.answers.list().all({ max: 450 })).to.have.length(450);
      const error = await failureOf(svc.answers.list().all({ max: 449 }));
      expect(error)
        .to.be.an('error')
        .with.property('message', 'More than 449 answers: raise max, or iterate.');
    });
  });

  it('explains the call of all() without a max, and sends no request', async () => {
    await withServer({}, async (svc, server) => {
      const list = svc.answers.list() as unknown as { all(...args: unknown[]): Promise<unknown> };
      for (const args of [
        [],
        [undefined],
        [null],
        [{}],
        [{ limit: 5 }],
        [{ max: Number.NaN }],
        [{ max: -1 }],
      ]) {
        const error = await failureOf(list.all(...args));
        expect(error, JSON.stringify(args)).to.have.property('name', 'SvcError');
        expect(error).to.have.property('message', 'all() needs a max.');
      }
      expect(server.requests).to.have.length(0);
    });
  });

  it('throws if a response is not a page, and never returns a short list', async () => {
    const unpaged = { answers: [{ id: 'a-1' }] };
    const wrong = { items: [], next_cursor: null };
    for (const body of [unpaged, wrong]) {
      await withServer({ script: (response) => reply(response, 200, body) }, async (svc) => {
        const error = await failureOf(svc.answers.list().all({ max: 10 }));
        expect(error).to.have.property('message').that.includes('not a page of answers');
      });
    }
  });

  it('throws if the server returns the same cursor twice', async () => {
    const page = { answers: [{ id: 'a-1' }], next_cursor: 'same' };
    await withServer({ script: (response) => reply(response, 200, page) }, async (svc, server) => {
      expect(await failureOf(svc.answers.list().all({ max: 1000 })))
        .to.have.property('message')
        .that.includes('cursor');
      expect(server.paths).to.have.length(2);
    });
  });

  it('has catch and finally like a promise', async () => {
    await withServer(
      { script: (response) => reply(response, 404, { error: 'Unknown brand' }) },
      async (svc) => {
        let ended = false;
        const caught = await svc.prompts.list().catch((error: unknown) => error);
        expect(caught).to.have.property('message', 'Unknown brand');
        await failureOf(
          svc.prompts.list().finally(() => {
            ended = true;
          }),
        );
        expect(ended).to.equal(true);
      },
    );
  });
});
