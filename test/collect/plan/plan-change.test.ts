import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { editedText } from '../../../src/collect/plan/edit-toml.js';
import { parsePlanFile } from '../../../src/collect/plan/parse-plan.js';
import {
  editsOf,
  parseChange,
  type StatedChange,
  type StatedPlan,
} from '../../../src/collect/plan/plan-change.js';
import { parsePrompts } from '../../../src/collect/plan/prompt-files.js';
import { editedPrompts } from '../../../src/collect/plan/prompts-text.js';
import type { CatalogPrompt } from '../../../src/server/intake/dataset/apply-catalog.js';

const PLAN = `[brand]
name = "Fleetfoot"
domain = "fleetfoot.example"
aliases = ["FF"]
[[competitor]]
name = "Stride"
[[prompt]]
text = "Which shoes last?"
topic = "Durability"
tags = ["a"]
[[prompt]]
text = "Which shoes are wide?"
[[mark]]
day = "2026-11-12"
text = "Guide"
prompts = ["Which shoes last?", "Which shoes are wide?"]
[[target]]
engine = "llama"
protocol = "openai-chat"
base_url = "http://127.0.0.1:9/v1"
model = "m"
`;

function stated(toml: string): StatedPlan {
  const { catalog } = parsePlanFile(toml, 'svc.toml');
  return { ...(parse(toml) as unknown as StatedPlan), prompts: catalog.prompt };
}

/** The plan after a change, which is a valid one. */
function changedBy(change: StatedChange, toml = PLAN) {
  const { edits, notes } = editsOf(parseChange(change), stated(toml));
  const text = editedText(toml, edits)!;
  const { catalog, targets } = parsePlanFile(text, 'svc.toml');
  return { text, catalog, targets, notes };
}

const refusal = (change: unknown, toml = PLAN): string => {
  try {
    editsOf(parseChange(change), stated(toml));
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('a change of a plan', () => {
  it('adds pasted prompts once, with topic and tags, and says what was left out', () => {
    const pasted = 'Which shoes last\n\n# no prompt\nIs 5 > 3, or not?\nIs 5 > 3, or not\n[[prompt]] = "x"\n';
    const { catalog, notes } = changedBy({ do: 'add_prompts', pasted, topic: 'New', tags: ['t'] });
    expect(catalog.prompt.slice(2)).to.deep.equal(
      ['Is 5 > 3, or not?', '[[prompt]] = "x"'].map((text) => ({ text, topic: 'New', tags: ['t'], was: [] })),
    );
    expect(notes.join()).to.contain('1 prompt left out');
    expect(refusal({ do: 'add_prompts', pasted: 'which shoes LAST?' })).to.contain('No prompt is new');
  });

  it('rewords a prompt, which keeps topic, tags and history, also in marks', () => {
    const { catalog } = changedBy({
      do: 'change_prompt',
      text: 'which shoes last',
      to: { text: 'Which last longest?' },
    });
    const was = ['Which shoes last?'];
    expect(catalog.prompt[0]).to.deep.equal({
      text: 'Which last longest?',
      topic: 'Durability',
      tags: ['a'],
      was,
    });
    expect(catalog.mark[0]!.prompts).to.deep.equal(['Which last longest?', 'Which shoes are wide?']);
    const again = changedBy({
      do: 'change_prompt',
      text: 'Which shoes last?',
      to: { text: 'Which SHOES last?' },
    });
    expect(again.catalog.prompt[0]!.was).to.deep.equal([]);
  });

  it('changes topic and tags, and takes them away', () => {
    const { catalog } = changedBy({
      do: 'change_prompt',
      text: 'Which shoes last?',
      to: { topic: null, tags: [] },
    });
    expect(catalog.prompt[0]).to.deep.include({ topic: null, tags: [] });
  });

  it('retires prompts, and takes them from marks that have others', () => {
    const { catalog } = changedBy({ do: 'retire_prompts', texts: ['Which shoes last?'] });
    expect(catalog.prompt.map(({ text }) => text)).to.deep.equal(['Which shoes are wide?']);
    expect(catalog.mark[0]!.prompts).to.deep.equal(['Which shoes are wide?']);
  });

  it('adds, renames and retires rivals', () => {
    const { catalog } = changedBy({
      do: 'add_competitors',
      pasted: 'Boltra, www.boltra.example/x\nstride\n',
    });
    expect(catalog.competitor[1]).to.deep.include({ name: 'Boltra', domain: 'boltra.example' });
    const renamed = changedBy({ do: 'change_competitor', name: 'stride', to: { name: 'Strider' } });
    expect(renamed.catalog.competitor[0]).to.deep.include({ name: 'Strider', was: ['Stride'] });
    const back = changedBy(
      { do: 'change_competitor', name: 'Strider', to: { name: 'Stride' } },
      renamed.text,
    );
    expect(back.catalog.competitor[0]).to.deep.include({ name: 'Stride', was: ['Strider'] });
    expect(changedBy({ do: 'retire_competitors', names: ['Stride'] }).catalog.competitor).to.deep.equal([]);
  });

  it('forgets a spelling that is taken away, and not one that comes back', () => {
    const gone = changedBy({ do: 'change_brand', to: { aliases: ['Fleet'] } });
    expect(gone.catalog.brand).to.deep.include({ aliases: ['Fleet'], forget: ['FF'] });
    const back = changedBy({ do: 'change_brand', to: { aliases: ['Fleet', 'ff'] } }, gone.text);
    expect(back.catalog.brand).to.deep.include({ aliases: ['Fleet', 'ff'], forget: [] });
  });

  it('switches an engine off and on, and keeps what it states', () => {
    const off = changedBy({
      do: 'change_engine',
      engine: 'llama',
      at: 0,
      to: { enabled: false, call_usd: 1 },
    });
    expect(off.targets).to.deep.equal([]);
    expect(off.text).to.contain('enabled = false');
    const on = changedBy({ do: 'change_engine', engine: 'llama', at: 0, to: { enabled: true } }, off.text);
    expect(on.targets[0]).to.deep.include({ engine: 'llama', callUsd: 1 });
    expect(refusal({ do: 'change_engine', engine: 'claude', at: 0, to: {} })).to.contain('no engine claude');
  });

  it('sets, changes and removes the schedule', () => {
    const set = changedBy({ do: 'set_schedule', schedule: { every: '2d', at: '05:00', max_usd: 3 } });
    expect(set.catalog.schedule).to.deep.equal({ every: '2d', at: '05:00', max_usd: 3, max_calls: null });
    const free = changedBy({ do: 'set_schedule', schedule: { every: '2d', at: '05:00' } }, set.text);
    expect(free.catalog.schedule!.max_usd).to.equal(null);
    expect(changedBy({ do: 'set_schedule', schedule: null }, set.text).catalog.schedule).to.equal(null);
  });

  it('says what is wrong with a change', () => {
    expect(refusal({ do: 'drop_database' })).to.not.equal('');
    expect(refusal({ do: 'retire_prompts', texts: [] })).to.contain('one or more');
    expect(refusal({ do: 'retire_prompts', texts: ['Nope?'] })).to.contain(
      'Expected a prompt of the plan, got “Nope?”',
    );
    expect(refusal({ do: 'add_competitors', pasted: 'x, not a site.example' })).to.equal('');
    expect(refusal({ do: 'add_competitors', pasted: '=' })).to.contain('name of');
    expect(refusal({ do: 'set_schedule', schedule: { every: '99d' } })).to.contain('expected 1d to 28d');
    expect(refusal({ do: 'add_prompts', pasted: `a${'b'.repeat(3000)}` })).to.contain('2000 characters');
  });

  it('takes any text as a prompt, a rival and a spelling, or says why not', () => {
    const any = fc.string({ maxLength: 40, unit: 'binary' });
    fc.assert(
      fc.property(any, (text) => {
        const changes: StatedChange[] = [
          { do: 'add_prompts', pasted: text },
          { do: 'add_competitors', pasted: text },
          { do: 'change_brand', to: { name: text, aliases: [text] } },
          { do: 'change_prompt', text: 'Which shoes last?', to: { text, topic: text, tags: [text] } },
        ];
        for (const change of changes) if (refusal(change) === '') changedBy(change);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a change of a file with prompts', () => {
  const changed = (file: string, text: string, change: StatedChange): string | null => {
    const read = parsePrompts(Buffer.from(text), file);
    const before = read.kind === 'prompts' ? read.prompts : [];
    const { edits } = editsOf(parseChange(change), { ...stated(PLAN), mark: [], prompts: before });
    const wanted = before
      .filter((_, at) => !edits.some((edit) => edit.kind === 'drop' && edit.at === at))
      .map((prompt) =>
        change.do === 'change_prompt' && prompt.text === change.text
          ? { ...prompt, ...change.to, was: [prompt.text] }
          : prompt,
      );
    const added =
      change.do === 'add_prompts'
        ? [{ text: change.pasted, topic: change.topic ?? null, tags: [], was: [] }]
        : [];
    return editedPrompts(Buffer.from(text), file, edits, [...wanted, ...added] as CatalogPrompt[]);
  };

  it('adds and drops lines of text, and leaves comments', () => {
    const text = '# mine\nOne?\n\nTwo, or three?\n';
    expect(changed('p.txt', text, { do: 'add_prompts', pasted: 'Four?' })).to.equal(`${text}Four?\n`);
    expect(changed('p.txt', text, { do: 'retire_prompts', texts: ['one'] })).to.equal(
      '# mine\n\nTwo, or three?\n',
    );
    expect(changed('p.txt', text, { do: 'change_prompt', text: 'One?', to: { text: 'Uno?' } })).to.equal(
      null,
    );
  });

  it('adds, drops and changes rows of CSV, with a column that it lacked', () => {
    const text = 'text;topic\r\n"One; or two?";T\r\nThree?;\r\n';
    expect(changed('p.csv', text, { do: 'add_prompts', pasted: 'Four; "five"?', topic: 'U' })).to.equal(
      `${text}"Four; ""five""?";U\r\n`,
    );
    expect(changed('p.csv', text, { do: 'retire_prompts', texts: ['Three?'] })).to.equal(
      'text;topic\r\n"One; or two?";T\r\n',
    );
    expect(changed('p.csv', text, { do: 'change_prompt', text: 'Three?', to: { text: 'Tres?' } })).to.equal(
      'text;topic;was\r\n"One; or two?";T\r\nTres?;;Three?\r\n',
    );
  });
});
