import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { fresh } from '../../../support/hooks.js';
import { editedPlan, PLAN, SETTINGS } from './support/edited-plan.js';

const words = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
const SCRIPTS = [
  'どの靴が一番長持ちしますか？',
  'أي الأحذية أفضل؟',
  'Какие кроссовки лучше?',
  'รองเท้าไหนดีที่สุด',
  '👟 für breite Füße?',
  'Cafe\u0301 shoes',
];
const TOML = [
  '"]\n[[target]]\nengine = "x"',
  '\'\'\' """ # not a comment',
  'a = 1 \\u0041 \\" \\',
  '[brand]',
  '{ text = "x" }',
];

describe('what people paste into the settings', () => {
  const plan = fresh(() => editedPlan());
  const names = (key: string, field: string) =>
    ((parse(plan.toml())[key] ?? []) as Record<string, string>[]).map((each) => each[field]);
  const written = async (fields: Record<string, string>) => {
    const shown = await plan.shown(fields);
    if (shown.status !== 200) return words(shown.html);
    const { status } = await plan.write(shown);
    return status;
  };

  it('may be 5,000 prompts with some twice and some that name the brand, and is listed page by page', async () => {
    const all = Array.from(
      { length: 5000 },
      (_, at) => `Which shoes number ${at} are the best for long runs?`,
    );
    const pasted = [...all, all[7]!, 'Which shoes last longest?', 'Are Fleetfoot shoes good?'].join('\r\n');
    const shown = await plan.shown({ do: 'add_prompts', pasted });
    expect(shown.status).to.equal(200);
    const text = words(shown.html);
    expect(text, text.slice(0, 900)).to.contain('Added 5001 prompts');
    expect(text)
      .to.contain('A prompt names the brand or a rival')
      .and.contain('because the plan has the same words');
    expect(text).to.contain('A day is 5,002 calls').and.contain('more lines');
    expect((await plan.write(shown)).status).to.equal(303);
    expect(names('prompt', 'text')).to.have.length(5002);
    const [first, last, found] = await Promise.all(
      ['', '?page=101', '?find=number%204999%20'].map((query) => plan.editor.html(SETTINGS + query)),
    );
    expect(words(first!)).to.contain('Page 1 of 101').and.contain('number 48 ').and.not.contain('number 49 ');
    expect(words(last!)).to.contain('Are Fleetfoot shoes good?');
    expect(words(found!)).to.contain('number 4999').and.not.contain('number 4998 ');
    expect(first!.length).to.be.below(200_000);
  });

  it('may be 1 MB, which is written or refused with what was typed, and not more than 2 MB', async () => {
    const long = 'x'.repeat(1_000_000);
    const refused = await plan.shown({ do: 'add_prompts', pasted: long });
    expect(refused.status).to.equal(422);
    expect(refused.html).to.contain(long);
    const quotes = Array.from({ length: 5000 }, (_, at) => `${'"\\"'.repeat(20)} ${at} which?`).join('\n');
    expect(await written({ do: 'add_prompts', pasted: quotes })).to.equal(303);
    expect(names('prompt', 'text')).to.have.length(5001);
    const more = await plan.post('change', { do: 'add_prompts', pasted: 'x'.repeat(2_200_000) });
    expect(more.status).to.equal(413);
  });

  it('may be of every script, and TOML, which stays the text of a name', async () => {
    expect(await written({ do: 'add_prompts', pasted: SCRIPTS.join('\n') })).to.equal(303);
    expect(names('prompt', 'text').slice(1)).to.deep.equal(SCRIPTS);
    for (const name of TOML) {
      const line = name.split('\n')[0]!;
      expect(
        await written({ do: 'change_brand', 'to.name': line, 'to.domain': 'fleetfoot.example' }),
        line,
      ).to.equal(303);
      const { brand, target } = parse(plan.toml()) as unknown as {
        brand: { name: string };
        target: object[];
      };
      expect([brand.name, target.length]).to.deep.equal([line, 1]);
    }
    expect(await written({ do: 'change_brand', 'to.name': TOML[0]! }))
      .to.be.a('string')
      .that.contains('in one line');
  });

  it('may be an export of Search Console, whose queries become prompts by the rules of svc init', async () => {
    const rows = [
      'best shoes for flat feet,9,90,10%,3',
      'fleetfoot shop opening hours,8,80,10%,1',
      'shoes,7,70,10%,2',
    ];
    const pasted = ['Top queries,Clicks,Impressions,CTR,Position', ...rows].join('\n');
    const shown = await plan.shown({ do: 'add_prompts', pasted });
    expect(words(shown.html)).to.contain('2 queries of the export left out');
    expect((await plan.write(shown)).status).to.equal(303);
    expect(names('prompt', 'text')[1]).to.match(/best shoes for flat feet/i);
    expect(names('prompt', 'text')).to.have.length(2);
  });

  it('is never markup on the page', async () => {
    const name = '"><script>alert(1)</script>';
    expect(await written({ do: 'add_competitors', pasted: name })).to.equal(303);
    expect(await written({ do: 'add_prompts', pasted: `Is ${name} good?` })).to.equal(303);
    const refused = await plan.shown({ do: 'change_brand', 'to.name': name, 'to.domain': name });
    for (const html of [await plan.editor.html(SETTINGS), refused.html])
      expect(html).to.contain('&lt;script').and.not.contain('<script');
  });

  it('is any text: written as it was, or refused in words', async function () {
    this.timeout(60_000);
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (name) => {
        const before = plan.toml();
        const result = await written({
          do: 'change_competitor',
          name: 'Stride',
          'to.name': name,
          'to.aliases': 'Stride',
        });
        const [own] = names('competitor', 'name');
        // The form takes blanks away at its ends.
        if (result === 303) expect(own?.normalize('NFC')).to.equal(formText(name).trim().normalize('NFC'));
        else expect([typeof result, plan.toml()]).to.deep.equal(['string', before]);
        if (result === 303) await written({ do: 'change_competitor', name: own!, 'to.name': 'Stride' });
      }),
      { numRuns: 25 },
    );
  });
});

/** What a form sends of a text: a lone surrogate is no character. */
const formText = (text: string): string => new URLSearchParams({ text }).get('text')!;

describe('collecting now from the settings', () => {
  const plan = fresh(() => editedPlan());
  const page = async () => {
    const response = await plan.editor.get(`${SETTINGS}/collect`);
    const html = await response.text();
    return { words: words(html), token: /name="token" value="(\w+)"/.exec(html)?.[1] ?? '' };
  };

  it('names the variable of a missing key, and offers no button', async () => {
    const shown = await page();
    expect(shown.words).to.contain('SHOES_KEY is not set.').and.contain('1 call, about $');
    expect(shown.token).to.equal('');
    expect((await plan.post('collect', { token: 'x' })).status).to.equal(409);
    expect((await plan.post('collect', {})).status).to.equal(400);
    expect(plan.begun).to.deep.equal([]);
  });

  it('says calls, dollars and receivers, then begins at the second click, and never shows the key', async () => {
    plan.env.SHOES_KEY = 'sk-secret-of-shoes';
    const shown = await page();
    expect(shown.words)
      .to.contain('1 call, about $0.')
      .and.contain('The prompts go to 127.0.0.1:1 with SHOES_KEY.');
    expect(shown.words + (await plan.editor.html(SETTINGS))).to.not.contain('sk-secret');
    expect((await plan.post('collect', { token: shown.token })).status).to.equal(303);
    expect(plan.begun).to.deep.equal([plan.file]);
  });

  it('begins nothing else than what was shown', async () => {
    plan.env.SHOES_KEY = 'k';
    const { token } = await page();
    await plan.write(await plan.shown({ do: 'add_prompts', pasted: 'One more?' }));
    const refused = await plan.post('collect', { token });
    expect([refused.status, words(await refused.text())]).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 409 && text.includes('2 calls') && text.includes('nothing was sent'),
    );
    expect(plan.begun).to.deep.equal([]);
  });

  it('says that a price is not known before it sends, and that a limit in dollars needs one', async () => {
    plan.env.SHOES_KEY = 'k';
    await plan.write(
      await plan.shown({ do: 'change_engine', engine: 'chatgpt', at: '0', 'to.call_usd': '' }),
    );
    const shown = await page();
    expect(shown.words)
      .to.contain('a cost that is not known, because a price is not stated')
      .and.contain('whatever they cost');
    expect(shown.token).to.not.equal('');
    const schedule = {
      do: 'set_schedule',
      'schedule.every': '1d',
      'schedule.at': '04:00',
      'schedule.max_usd': '1',
    };
    expect((await plan.write(await plan.shown(schedule))).status).to.equal(303);
    const limited = await page();
    expect([limited.token, limited.words.includes('max_usd of [schedule] needs prices')]).to.deep.equal([
      '',
      true,
    ]);
  });

  it('waits for the end of another one, and does not ask what another machine asks', async () => {
    plan.env.SHOES_KEY = 'k';
    const { knex } = plan.server.database;
    await knex.raw(
      `insert into collections (brand_key, day, journal, host, started_at)
       select brand_key, '2026-11-20', 'j1', 'other-machine', now() from brands where id = 'fleetfoot'`,
    );
    const shown = await page();
    expect([shown.token, shown.words.includes('are collected by other-machine')]).to.deep.equal(['', true]);
    expect(words(await plan.editor.html(SETTINGS))).to.contain('Answers are being collected since');
  });

  it('is not possible without an engine', async () => {
    await plan.write(
      await plan.shown({ do: 'change_engine', engine: 'chatgpt', at: '0', 'to.enabled': 'off' }),
    );
    expect((await page()).words)
      .to.contain('No engine of')
      .and.contain('is on: nothing is asked.');
    expect(PLAN).to.contain('[[target]]');
  });
});
