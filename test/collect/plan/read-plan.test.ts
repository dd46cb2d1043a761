import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { catalogOf } from '../../../src/collect/plan/catalog-shape.js';
import { PlanError, parsePlan, parsePlanFile } from '../../../src/collect/plan/parse-plan.js';
import { readPlanFile } from '../../../src/collect/plan/read-plan.js';

const TARGET =
  '[[target]]\nengine = "llama"\nprotocol = "openai-responses"\nbase_url = "http://h/v1"\nmodel = "m"\n';
const BRAND = '[brand]\nname = "Fleetfoot"\ndomain = "fleetfoot.example"\n';
const PROMPT = '[[prompt]]\ntext = "Which last?"\n';

function faultsOf(toml: string, parse = parsePlanFile): string[] {
  try {
    parse(toml, 'svc.toml');
  } catch (error) {
    if (error instanceof PlanError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('a svc.toml', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-plan-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const written = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('a svc.toml is a plan with a brand, competitors, prompts and a schedule', async () => {
    const file = written(
      'svc.toml',
      `${BRAND}aliases = ["Fleet Foot"]\n[[competitor]]\nname = "Stride"\nwas = "Strid"\n${PROMPT}topic = "Life"\ntags = ["a"]\n${TARGET}[schedule]\nevery = "2d"\n`,
    );
    const { plan, catalog, schedule } = await readPlanFile(file, true);
    expect(plan.targets).to.have.length(1);
    expect(schedule).to.deep.equal({ everyDays: 2, at: '04:00', maxUsd: null, maxCalls: null });
    expect(catalog).to.deep.equal({
      workspace: null,
      brand: {
        ...{ id: 'fleetfoot', name: 'Fleetfoot', domain: 'fleetfoot.example' },
        ...{ aliases: ['Fleet Foot'], was: [], forget: [] },
      },
      competitors: [{ text: 'Stride', domain: null, aliases: [], was: ['Strid'], forget: [] }],
      prompts: [{ text: 'Which last?', topic: 'Life', tags: ['a'], was: [] }],
    });
  });

  it('a svc.toml has a brand under its first id after its name changed', () => {
    const renamed = BRAND.replace('"Fleetfoot"', '"Swift"');
    expect(
      catalogOf(parsePlanFile(`${renamed}was = "Fleetfoot"\n${PROMPT}`, 'svc.toml').catalog, null)?.brand,
    ).to.include({ id: 'fleetfoot', name: 'Swift' });
  });

  it('a svc.toml cannot forget a spelling that the same entry states', () => {
    expect(faultsOf(`${BRAND}aliases = ["FF"]\nforget = ["ff", "Old"]\n${PROMPT}`)).to.deep.equal([
      'line 5: brand.forget: expected spellings that the entry does not have, got FF, which is its name or an alias',
    ]);
  });

  it('a svc.toml may name a file with prompts, beside it', async () => {
    written('prompts.csv', 'text,topic\nWhich last?,Life\n');
    const file = written('with-csv.toml', `prompts = "prompts.csv"\n${BRAND}`);
    const { catalog, plan } = await readPlanFile(file, false);
    expect(catalog?.prompts).to.deep.equal([{ text: 'Which last?', topic: 'Life', tags: [], was: [] }]);
    expect(plan.targets).to.deep.equal([]);
    written('prompts.csv', 'Top queries,Clicks,Impressions,CTR,Position\nwide shoes,1,2,5%,3\n');
    const error = await readPlanFile(file, false).catch((reason) => reason);
    expect(error.message).to.match(/prompts\.csv cannot be used:\nline 1: is an export of Search Console/);
  });

  it('without a brand is a plan, and needs targets; so does a collection', () => {
    expect(parsePlan(TARGET, 'svc.toml').catalog.brand).to.equal(null);
    const missing = ['line 1: target: expected one or more [[target]], got nothing'];
    expect(faultsOf('samples = 1\n')).to.deep.equal(missing);
    expect(faultsOf(BRAND + PROMPT)).to.deep.equal([]);
    expect(faultsOf(BRAND + PROMPT, parsePlan)).to.deep.equal(missing);
  });

  it('a svc.toml has its faults with lines, what came and what is allowed', () => {
    expect(
      faultsOf(`[brand]\nname = ""\ndomain = "https://x.example/"\nnmae = 1\n${PROMPT}text2 = "x"\n`),
    ).to.deep.equal([
      'line 2: brand.name: expected text that is not blank, got an empty text',
      'line 3: brand.domain: expected a host or host:port, got https://x.example/',
      'line 4: brand.nmae: no such field',
      'line 7: prompt[0].text2: no such field',
    ]);
    expect(
      faultsOf(`${BRAND}${PROMPT}[schedule]\nevery = "1h"\nat = "25:00"\n`).map((each) =>
        each.replace(/: ids.*, got/, ', got'),
      ),
    ).to.deep.equal([
      'line 7: schedule.every: expected 1d to 28d, got 1h',
      'line 8: schedule.at: expected a time of day in UTC, such as 04:00, got 25:00',
    ]);
    expect(faultsOf(BRAND)[0]).to.equal(
      'line 1: prompt: expected [[prompt]], or prompts = "FILE", got nothing',
    );
    expect(faultsOf(`prompts = "a.csv"\n${BRAND}${PROMPT}`)[0]).to.match(/^line 1: prompts: expected either/);
    expect(faultsOf(PROMPT + TARGET)).to.deep.equal(['line 1: prompt: expected [brand] in the same file']);
  });

  it('a svc.toml has no two entries with one text, in any case or as an earlier text', () => {
    const rivals =
      '[[competitor]]\nname = "Stride"\naliases = ["FLEETFOOT"]\n[[competitor]]\nname = "stride"\n';
    expect(faultsOf(BRAND + rivals + PROMPT)).to.deep.equal([
      'line 4: competitor[0]: expected texts that no other entry has, but brand has FLEETFOOT too',
      'line 7: competitor[1]: expected texts that no other entry has, but competitor[0] has stride too',
    ]);
    expect(faultsOf(`${BRAND}${PROMPT}[[prompt]]\ntext = "Other"\nwas = ["which last"]\n`)).to.deep.equal([
      'line 6: prompt[1]: expected texts that no other entry has, but prompt[0] has which last too',
    ]);
  });
});
