import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'smol-toml';
import { revokeKey } from '../../../../src/server/accounts/keys.js';
import { fresh } from '../../../support/hooks.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { editedPlan, PLAN, SETTINGS, shownIn } from './support/edited-plan.js';
import { postForm, signIn } from './support/visitor.js';

const ADD = { do: 'add_prompts', pasted: 'Which are wide?' };
const words = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

describe('the settings of a brand on the page', () => {
  const plan = fresh(() => editedPlan());
  const isUnchanged = () => expect(plan.toml()).to.equal(PLAN);

  describe('a change', () => {
    it('is shown first, then written with the comments kept, applied and listed', async () => {
      const shown = await plan.shown({ ...ADD, topic: 'Width', tags: 'a, b' });
      expect(shown.status).to.equal(200);
      expect(words(shown.html))
        .to.contain('Added 1 prompt: “Which are wide?”')
        .and.contain('A day is 2 calls');
      isUnchanged();
      const written = await plan.write(shown);
      const to = new URL(written.headers.get('location')!, `${plan.server.url}${SETTINGS}/write`);
      expect([written.status, to.pathname]).to.deep.equal([303, SETTINGS]);
      expect(plan.toml()).to.equal(
        PLAN.replace(
          '\n[[target]]',
          '\n[[prompt]]\ntext = "Which are wide?"\ntopic = "Width"\ntags = ["a", "b"]\n\n[[target]]',
        ),
      );
      const page = words(await plan.editor.html(SETTINGS));
      expect(page).to.match(/Added 1 prompt: “Which are wide\?” ?20 Nov 2026, 12:00 UTC ?Ida/);
      const { rows } = await plan.server.database.knex.raw('select text from prompts order by text desc');
      expect(rows.map(({ text }: { text: string }) => text)).to.deep.equal([
        'Which shoes last longest?',
        'Which are wide?',
      ]);
      expect(readdirSync(plan.folder)).to.not.contain.members(['.svc.toml.new']);
    });

    it('of each kind leads to the plan that it states', async () => {
      const steps: Record<string, string>[] = [
        {
          do: 'change_brand',
          'to.name': 'Fleetfoot',
          'to.domain': 'fleet.example',
          'to.aliases': 'Fleet\r\nFF',
        },
        { do: 'add_competitors', pasted: 'Bexley bexley.example\r\nLanzaro' },
        { do: 'change_competitor', name: 'Lanzaro', 'to.name': 'Lanzaro Sport', 'to.domain': '' },
        { do: 'retire_competitors', names: 'Stride' },
        {
          do: 'change_prompt',
          text: 'Which shoes last longest?',
          'to.text': 'Which shoes last?',
          'to.tags': '',
        },
        { do: 'change_engine', engine: 'chatgpt', at: '0', 'to.enabled': 'off' },
        { do: 'change_engine', engine: 'chatgpt', at: '0', 'to.call_usd': '' },
        { do: 'add_engine', engine: 'perplexity', region: 'de' },
        {
          do: 'set_schedule',
          'schedule.every': '7d',
          'schedule.at': '05:30',
          'schedule.max_usd': '2.5',
          'schedule.max_calls': '',
        },
      ];
      for (const step of steps) {
        const shown = await plan.shown(step);
        expect([step.do, shown.status, (await plan.write(shown)).status], words(shown.html)).to.deep.equal([
          step.do,
          200,
          303,
        ]);
      }
      const { brand, competitor, prompt, target, schedule } = parse(plan.toml()) as Record<string, unknown>;
      expect(brand).to.deep.include({ domain: 'fleet.example', aliases: ['Fleet', 'FF'] });
      expect(competitor).to.deep.equal([
        { name: 'Bexley', domain: 'bexley.example' },
        { name: 'Lanzaro Sport', was: 'Lanzaro' },
      ]);
      expect(prompt).to.deep.equal([{ text: 'Which shoes last?', was: 'Which shoes last longest?' }]);
      expect((target as object[])[0])
        .to.deep.include({ engine: 'chatgpt', enabled: false })
        .and.not.have.property('call_usd');
      expect((target as object[])[1]).to.deep.include({ engine: 'perplexity', region: 'de' });
      expect(schedule).to.deep.equal({ every: '7d', at: '05:30', max_usd: 2.5 });
      expect(plan.toml()).to.contain('# the old spelling');
      const never = await plan.shown({ do: 'set_schedule', schedule: '' });
      await plan.write(never);
      expect(parse(plan.toml())).to.not.have.property('schedule');
      expect(words(await plan.editor.html(SETTINGS))).to.contain('Nothing is collected by itself');
    });

    it('is offered as a mark of its day, which the marks of the brand then have', async () => {
      await plan.write(await plan.shown(ADD));
      const page = await plan.editor.html(SETTINGS);
      const form = page.split('<form').find((each) => each.includes('value="add_mark"'))!;
      const day = /name="day" value="([^"]*)"/.exec(form)![1]!;
      const shown = await plan.shown({ do: 'add_mark', day, text: 'Added 1 prompt: “Which are wide?”' });
      expect((await plan.write(shown)).status).to.equal(303);
      plan.server.pass();
      const { marks } = await plan.server.read<{ marks: object[] }>('/api/v1/marks?brand=fleetfoot');
      expect(marks[0]).to.deep.include({ day: '2026-11-20', text: 'Added 1 prompt: “Which are wide?”' });
    });
  });

  describe('who may', () => {
    const refusedFor = async (key: string, status: number) => {
      const visitor = await signIn(plan.server, key);
      expect((await visitor.get(SETTINGS)).status).to.equal(status);
      const post = (step: string) =>
        postForm(plan.server, `${SETTINGS}/${step}`, ADD, { Cookie: visitor.cookie });
      for (const step of ['change', 'write', 'collect'])
        expect((await post(step)).status, step).to.equal(status);
      const page = await visitor.get('/brands/fleetfoot');
      expect(await page.text()).to.not.contain('>Settings<');
      isUnchanged();
    };

    it('is nobody unless the server was started for it', async () => {
      const server = await testServer({ database: plan.server.database, now: plan.server.now });
      try {
        const visitor = await signIn(server, OPERATOR_KEY);
        expect((await visitor.get(SETTINGS)).status).to.equal(404);
        expect(await visitor.html('/brands/fleetfoot')).to.not.contain('>Settings<');
      } finally {
        await server.close();
      }
    });

    it('is a full key and the operator, not a key that only reads', async () => {
      await refusedFor(await plan.server.key({ workspace: 'w', kind: 'read' }), 403);
      const operator = await signIn(plan.server, OPERATOR_KEY);
      expect(await operator.html(SETTINGS)).to.contain('Which shoes last longest?');
      expect(await plan.editor.html('/brands/fleetfoot')).to.contain('>Settings<');
    });

    it('is nobody of another workspace, for whom the brand does not exist', async () => {
      await plan.server.load([
        { type: 'workspace', id: 'other', name: 'o', plan: 'growth' },
        { type: 'brand', id: 'b', workspace: 'other', name: 'B', domain: 'b.example' },
      ]);
      await refusedFor(await plan.server.key({ workspace: 'other', kind: 'full' }), 404);
    });

    it('is nobody with a link that shows the brand', async () => {
      const made = await plan.server.request('/api/v1/../../shares?brand=fleetfoot', plan.key, {
        method: 'POST',
      });
      const { path } = (await made.json()) as { path: string };
      expect(await (await plan.server.request(path, null)).text()).to.not.contain('>Settings<');
      for (const step of ['settings', 'settings/collect'])
        expect((await plan.server.request(`${path}/${step}`, null)).status).to.equal(404);
      const posted = await plan.server.request(`${path}/settings/change`, null, {
        method: 'POST',
        body: new URLSearchParams(ADD),
        headers: { Origin: plan.server.url },
      });
      expect(posted.status).to.be.oneOf([404, 405]);
      isUnchanged();
    });

    it('is nobody whose key was revoked between question and answer', async () => {
      const shown = await plan.shown(ADD);
      const { rows } = await plan.server.database.knex.raw(`select id from api_keys where name = 'Ida'`);
      await revokeKey(plan.server.database.knex, { id: rows[0].id, now: plan.server.now });
      plan.server.pass();
      expect((await plan.write(shown)).status).to.equal(401);
      isUnchanged();
    });
  });

  it('are led to from the table of brands, for those that have a plan here', async () => {
    await plan.server.load([
      { type: 'brand', id: 'unplanned', workspace: 'w', name: 'Unplanned', domain: 'unplanned.example' },
    ]);
    const table = await plan.editor.html('/brands');
    expect(table).to.contain('aria-label="Settings of Fleetfoot"').and.not.contain('Settings of Unplanned');
    expect((await plan.editor.get('/brands/unplanned/settings')).status).to.equal(404);
    const reader = await signIn(plan.server, await plan.server.key({ workspace: 'w', kind: 'read' }));
    expect(await reader.html('/brands')).to.not.contain('Settings of');
  });

  describe('a forged form', () => {
    it('of another origin, of none, and without a cookie writes nothing', async () => {
      const { change, token } = await plan.shown(ADD);
      for (const step of ['change', 'write', 'collect']) {
        const fields = step === 'change' ? ADD : { change, token };
        expect((await plan.post(step, fields, { Origin: 'https://evil.example' })).status, step).to.equal(
          403,
        );
        expect((await plan.post(step, fields, { Origin: 'null' })).status, step).to.equal(403);
        const without = await postForm(plan.server, `${SETTINGS}/${step}`, fields);
        expect(without.status, step).to.be.oneOf([303, 401]);
        if (step !== 'collect') expect((await plan.editor.get(`${SETTINGS}/${step}`)).status).to.equal(405);
      }
      isUnchanged();
      expect(plan.begun).to.deep.equal([]);
    });

    it('with fields that its change does not have is refused in words', async () => {
      for (const [step, fields, status] of [
        ['change', { do: 'nothing' }, 400],
        ['change', {}, 400],
        ['change', { do: '__proto__' }, 400],
        ['change', { ...ADD, 'to.base_url': 'http://evil.example' }, 400],
        ['change', { do: 'change_engine', engine: 'chatgpt', at: '0', 'to.key_env': 'HOME' }, 400],
        ['change', { do: 'change_engine', engine: 'chatgpt', at: 'x', 'to.enabled': 'maybe' }, 422],
        ['change', { do: 'change_engine', engine: 'grok', at: '0', 'to.enabled': 'off' }, 422],
        ['change', { do: 'change_competitor', name: 'Nobody', 'to.name': 'N' }, 422],
        ['change', { do: 'set_schedule', 'schedule.every': 'daily', 'schedule.at': '25:00' }, 422],
        ['change', { do: 'add_engine', engine: 'hal', region: 'us' }, 422],
        ['write', { change: '{}', token: 'x' }, 422],
        ['write', { change: '[]', token: 'x' }, 400],
        ['write', { change: '{', token: 'x' }, 400],
        ['write', { change: '{"do":"add_prompts","pasted":"Q?"}' }, 400],
        ['write', { change: '{"do":"add_prompts","pasted":"Q?","__proto__":{"a":1}}', token: 'x' }, 422],
        [
          'write',
          {
            change:
              '{"do":"change_engine","engine":"chatgpt","at":0,"to":{"base_url":"http://evil.example"}}',
            token: 'x',
          },
          422,
        ],
        ['write', { change: '{"do":"add_prompts","pasted":"Q?"}', token: 'x' }, 409],
      ] as const) {
        const response = await plan.post(step, fields as Record<string, string>);
        const text = words(await response.text());
        expect(
          [response.status, text.includes('Something went wrong')],
          JSON.stringify(fields) + text,
        ).to.deep.equal([status, false]);
      }
      isUnchanged();
    });
  });

  describe('a change of something that changed meanwhile', () => {
    it('is not written over what was edited by hand, and shows what it does now', async () => {
      const shown = await plan.shown(ADD);
      const edited = PLAN.replace('longest', 'very long');
      writeFileSync(plan.file, edited);
      const refused = await shownIn(await plan.write(shown));
      expect(refused.status).to.equal(409);
      expect(words(refused.html))
        .to.contain('changed meanwhile, so nothing was written')
        .and.contain('very long');
      expect(plan.toml()).to.equal(edited);
      expect((await plan.write(refused)).status).to.equal(303);
      expect(plan.toml()).to.contain('very long').and.contain('Which are wide?');
    });

    it('is written once if the button is pressed twice', async () => {
      const shown = await plan.shown(ADD);
      expect((await plan.write(shown)).status).to.equal(303);
      const once = plan.toml();
      expect((await plan.write(shown)).status).to.equal(303);
      expect(plan.toml()).to.equal(once);
    });

    it('is that of one of two people, and of one of two servers', async () => {
      const other = { do: 'add_competitors', pasted: 'Bexley' };
      const [mine, theirs] = [await plan.shown(ADD), await plan.shown(other)];
      const server = await plan.beside();
      try {
        const { cookie } = await signIn(server, plan.key);
        const { change, token } = theirs;
        const answers = await Promise.all([
          plan.write(mine),
          postForm(server, `${SETTINGS}/write`, { change, token }, { Cookie: cookie }),
        ]);
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 409]);
        const lost = await shownIn(answers.find(({ status }) => status === 409)!);
        expect((await plan.write(lost)).status).to.equal(303);
        expect(plan.toml()).to.contain('Bexley').and.contain('Which are wide?');
      } finally {
        await server.close();
      }
    });

    it('says what is wrong with a file that cannot be read, and changes nothing', async () => {
      const shown = await plan.shown(ADD);
      writeFileSync(plan.file, 'samples = "many"');
      expect(words(await plan.editor.html(SETTINGS)))
        .to.contain('samples')
        .and.contain('has corrected the file');
      expect((await plan.write(shown)).status).to.equal(422);
      expect((await plan.shown(ADD)).status).to.equal(422);
      rmSync(plan.file);
      expect(words(await plan.editor.html(SETTINGS))).to.contain('cannot be read (ENOENT)');
      expect((await plan.write(shown)).status).to.equal(422);
      const moved = PLAN.replace('[brand]', '[brand]\nid = "other"');
      writeFileSync(plan.file, moved);
      expect((await plan.write(shown)).status).to.equal(404);
      expect(plan.toml()).to.equal(moved);
    });
  });

  describe('a file that cannot be written', () => {
    it('stays whole, and the page says why', async () => {
      const shown = await plan.shown(ADD);
      mkdirSync(join(plan.folder, '.svc.toml.new'));
      writeFileSync(join(plan.folder, '.svc.toml.new', 'x'), '');
      const refused = await plan.write(shown);
      expect([refused.status, words(await refused.text())]).to.satisfy(
        ([status, text]: [number, string]) => status === 422 && text.includes('cannot be used'),
      );
      isUnchanged();
    });

    it('stays whole if the disk is full in the middle', async () => {
      const shown = await plan.shown(ADD);
      const { open } = fsp;
      fsp.open = async (path, ...rest) => {
        const file = await open(path, ...rest);
        if (String(path).endsWith('.svc.toml.new'))
          file.writeFile = async (bytes) => {
            await file.write((bytes as Buffer).subarray(0, 40));
            throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
          };
        return file;
      };
      syncBuiltinESMExports();
      try {
        const refused = await plan.write(shown);
        expect([refused.status, words(await refused.text())]).to.satisfy(
          ([status, text]: [number, string]) =>
            status === 422 && text.includes('no space is left: ENOSPC') && text.includes('Try again'),
        );
      } finally {
        fsp.open = open;
        syncBuiltinESMExports();
      }
      isUnchanged();
      expect(readdirSync(plan.folder).filter((name) => name.startsWith('.svc'))).to.deep.equal([]);
      expect((await plan.write(shown)).status).to.equal(303);
    });

    it('keeps its mode', async () => {
      chmodSync(plan.file, 0o640);
      await plan.write(await plan.shown(ADD));
      expect((await fsp.stat(plan.file)).mode & 0o777).to.equal(0o640);
    });
  });
});
