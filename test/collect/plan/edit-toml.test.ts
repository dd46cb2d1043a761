import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import {
  canonical,
  editedObject,
  editedText,
  type TomlEdit,
  type TomlTable,
} from '../../../src/collect/plan/edit-toml.js';

const PLAN = `# What is measured.
samples = 1 # one

[brand]
id = "shoes"   # fixed
name = "Fleetfoot"
domain = "fleetfoot.example"
aliases = ["Fleet Foot", # usual
  "FF"]

# Rivals
[[competitor]]
name = "Stride" # the big one

# second rival
[[competitor]]
name = "Boots"

# What people ask
[[prompt]]
text = "Which running shoes last longest?"
topic = "Durability"              # optional
tags = ["running", "price"]       # optional

# wide feet
[[prompt]]
text = "Which running shoes suit wide feet?"

[[prompt]]
text = 'Third [[prompt]] = "here"?'

# engines
[[target]]
engine = "chatgpt"
search = true # yes

[schedule] # when
every = "1d"
`;

/** The lines that only one of two texts has: those that went with \`-\`, those that came with \`+\`. */
function difference(before: string, after: string): string[] {
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const [gone, come] = [lines(before), lines(after)];
  return [
    ...gone.filter((line) => !come.includes(line)).map((line) => `-${line}`),
    ...come.filter((line) => !gone.includes(line)).map((line) => `+${line}`),
  ];
}

const changed = (...edits: TomlEdit[]) => {
  const text = editedText(PLAN, edits);
  expect(text).to.be.a('string');
  return text!;
};

describe('editing a plan as text', () => {
  it('adds entries after the last one of their list, before the comments of the next table', () => {
    const text = changed({
      kind: 'add',
      list: 'prompt',
      entries: [{ text: 'New "one"?', tags: ['a', 'b'] }],
    });
    expect(text).to.contain(
      '"here"?\'\n\n[[prompt]]\ntext = "New \\"one\\"?"\ntags = ["a", "b"]\n\n# engines\n[[target]]',
    );
  });

  it('adds the first entry of a list after the tables that come before it', () => {
    const text = changed({ kind: 'add', list: 'mark', entries: [{ day: '2026-01-01', text: 'Done' }] });
    expect(text).to.contain('\n\n[[mark]]\nday = "2026-01-01"\ntext = "Done"\n\n# engines');
  });

  it('keeps the heading of a list, and removes the comment of an entry with it', () => {
    const first = changed({ kind: 'drop', table: 'prompt', at: 0 });
    expect(first)
      .to.contain('# What people ask')
      .and.to.contain('# wide feet')
      .and.not.to.contain('Durability');
    const second = changed({ kind: 'drop', table: 'prompt', at: 1 });
    expect(difference(PLAN, second)).to.deep.equal([
      '-# wide feet',
      '-text = "Which running shoes suit wide feet?"',
    ]);
  });

  it('changes a value and keeps the comment behind it', () => {
    const text = changed({ kind: 'set', table: 'competitor', at: 0, key: 'name', value: 'Strider' });
    expect(difference(PLAN, text)).to.deep.equal([
      '-name = "Stride" # the big one',
      '+name = "Strider" # the big one',
    ]);
  });

  it('adds a key to the lines of its table', () => {
    const text = changed(
      { kind: 'set', table: 'competitor', at: 0, key: 'was', value: 'Old' },
      { kind: 'set', table: 'schedule', key: 'max_usd', value: 5 },
    );
    expect(text).to.contain('# the big one\nwas = "Old"\n\n# second rival');
    expect(text).to.match(/every = "1d"\nmax_usd = 5\n$/);
  });

  it('keeps the elements of a list as they are written', () => {
    const text = changed({
      kind: 'set',
      table: 'brand',
      key: 'aliases',
      value: ['Fleet Foot', 'FF', 'Fleet'],
    });
    expect(text).to.contain('aliases = ["Fleet Foot", # usual\n  "FF",\n  "Fleet"]');
  });

  it('removes a key, a table and a whole list', () => {
    const text = changed(
      { kind: 'drop', table: 'schedule' },
      { kind: 'drop', table: 'competitor', at: 0 },
      { kind: 'drop', table: 'competitor', at: 1 },
      { kind: 'set', table: 'prompt', at: 0, key: 'topic', value: null },
    );
    expect(parse(text)).to.not.have.any.keys('schedule', 'competitor');
    expect(text).to.contain('# Rivals').and.not.to.contain('topic');
  });

  it('adds an entry after one that loses its last key', () => {
    const edits: TomlEdit[] = [
      { kind: 'add', list: 'target', entries: [{ engine: 'grok' }] },
      { kind: 'set', table: 'target', at: 0, key: 'search', value: null },
    ];
    expect(editedText('[[target]]\nsearch = true\n[schedule]\nevery = "1d"', edits)).to.equal(
      '[[target]]\n\n[[target]]\nengine = "grok"\n[schedule]\nevery = "1d"',
    );
  });

  it('replaces all entries of a list', () => {
    const text = changed(
      { kind: 'drop', table: 'competitor', at: 0 },
      { kind: 'drop', table: 'competitor', at: 1 },
      { kind: 'add', list: 'competitor', entries: [{ name: 'New' }] },
    );
    expect((parse(text) as { competitor: unknown }).competitor).to.deep.equal([{ name: 'New' }]);
  });

  it('edits tables in braces, Windows line breaks and a file without a last one', () => {
    const inline = `brand = { name = "A", domain = "a.example" }\nprompt = [\n  { text = "One?" }, # first\n  { text = "Two?" },\n]`;
    const text = editedText(inline, [
      { kind: 'add', list: 'prompt', entries: [{ text: 'Three?' }] },
      { kind: 'drop', table: 'prompt', at: 1 },
      { kind: 'set', table: 'prompt', at: 0, key: 'topic', value: 'T' },
      { kind: 'set', table: 'brand', key: 'aliases', value: ['B'] },
    ]);
    expect(text)
      .to.contain('{ text = "One?", topic = "T" },\n  { text = "Three?" },')
      .and.contain('aliases = ["B"] }');
    const windows = PLAN.replaceAll('\n', '\r\n');
    const edits: TomlEdit[] = [
      { kind: 'add', list: 'prompt', entries: [{ text: 'New?' }] },
      { kind: 'drop', table: 'prompt', at: 1 },
    ];
    expect(editedText(windows, edits)).to.equal(editedText(PLAN, edits)!.replaceAll('\n', '\r\n'));
    expect(editedText('samples = 1', [{ kind: 'add', list: 'prompt', entries: [{ text: 'A?' }] }])).to.equal(
      'samples = 1\n\n[[prompt]]\ntext = "A?"\n',
    );
  });

  it('refuses what it cannot write without touching the rest', () => {
    const dotted = 'brand.name = "A"\nbrand.domain = "a.example"\n';
    expect(editedText(dotted, [{ kind: 'set', table: 'brand', key: 'name', value: 'B' }])).to.equal(null);
  });
});

// Any plan and any changes.

const words = fc.oneof(
  fc
    .string({ maxLength: 12, unit: 'grapheme' })
    .filter((text) => text.isWellFormed() && !text.includes('\u0000')),
  fc.constantFrom(
    '"',
    "'",
    "'''",
    '"""',
    '# no comment',
    '[[prompt]]',
    '[brand]',
    'a = 1',
    '\\',
    '{',
    ']',
    'é',
    'ü\u0301',
    '日本',
    '\u200f',
    '\u007f',
    '\u0001',
    '\r\n',
  ),
);
const value = fc.oneof(
  words,
  fc.integer({ min: 0, max: 99 }),
  fc.boolean(),
  fc.array(words, { maxLength: 3 }),
);
const keys = ['text', 'topic', 'tags', 'was'];
const entry = fc.dictionary(fc.constantFrom(...keys), value, { minKeys: 1, noNullPrototype: true });
const comment = fc.constantFrom('', '', ' # why', ' # [[prompt]]', '# "half');
const LISTS = ['competitor', 'prompt', 'target'];

/** A text with comments everywhere, each with a number. */
const plans = fc
  .record({
    brand: entry,
    lists: fc.array(fc.record({ list: fc.constantFrom(...LISTS), entry }), { maxLength: 6 }),
    schedule: fc.option(entry),
    comments: fc.array(comment, { minLength: 60, maxLength: 60 }),
    gaps: fc.array(fc.constantFrom('', '\n', '\n\n'), { minLength: 10, maxLength: 10 }),
    newline: fc.constantFrom('\n', '\r\n'),
    isClosed: fc.boolean(),
  })
  .map(({ brand, lists, schedule, comments, gaps, newline, isClosed }) => {
    let count = 0;
    const noted = () => {
      const text = comments[count % comments.length]!;
      count++;
      return text === '' ? '' : ` ${text.trim()} ${count}`;
    };
    const block = (header: string, table: object) => [
      ...(noted() || ' #')
        .trim()
        .split('\n')
        .filter((line) => line !== '#'),
      header + noted(),
      ...Object.entries(table).map(([key, each]) => `${key} = ${written(each)}${noted()}`),
    ];
    const sorted = LISTS.flatMap((list) => lists.filter((each) => each.list === list));
    const blocks = [
      block('[brand]', brand),
      ...sorted.map(({ list, entry: each }) => block(`[[${list}]]`, each)),
      ...(schedule ? [block('[schedule]', schedule)] : []),
    ];
    const text = blocks.map((lines, at) => gaps[at % gaps.length] + lines.join('\n')).join('\n');
    return (isClosed ? `${text}\n` : text).replaceAll('\n', newline);
  });

const written = (each: unknown): string =>
  Array.isArray(each)
    ? `[${each.map(written).join(', ')}]`
    : typeof each === 'string'
      ? JSON.stringify(each).replaceAll('\u007f', '\\u007F')
      : String(each);

const edits = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      list: fc.constantFrom(...LISTS, 'mark'),
      entries: fc.array(entry, { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('drop' as const), table: fc.constantFrom(...LISTS), at: fc.nat(4) }),
    fc.record({
      kind: fc.constant('set' as const),
      table: fc.constantFrom(...LISTS),
      at: fc.nat(4),
      key: fc.constantFrom(...keys),
      value: fc.option(value),
    }),
    fc.record({
      kind: fc.constant('set' as const),
      table: fc.constantFrom('brand', 'schedule'),
      key: fc.constantFrom(...keys),
      value: fc.option(value),
    }),
  ),
  { maxLength: 8 },
);

/** Those that concern entries which exist, and no entry twice. */
function possible(document: Record<string, unknown>, all: readonly TomlEdit[]): TomlEdit[] {
  const seen = new Set<string>();
  return all.filter((edit) => {
    if (edit.kind === 'add') return true;
    const list = document[edit.table];
    if (edit.at !== undefined && !(Array.isArray(list) && edit.at < list.length)) return false;
    if (edit.kind === 'set' && edit.at === undefined && edit.value === null && list === undefined)
      return false;
    // Several keys of an entry may change, each once.
    const own = edit.kind === 'set' ? edit.key : '';
    if (seen.has(`${edit.table} ${edit.at ?? ''} drop`)) return false;
    const id =
      edit.kind === 'drop' ? `${edit.table} ${edit.at ?? ''} drop` : `${edit.table} ${edit.at ?? ''} ${own}`;
    if (edit.kind === 'drop' && [...seen].some((each) => each.startsWith(`${edit.table} ${edit.at ?? ''} `)))
      return false;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

const commentsOf = (text: string): string[] =>
  [...text.matchAll(/#[^\n"]*? (\d+)\r?$/gm)].map(([, number]) => number!);

describe('any plan with any changes', () => {
  it('becomes the wanted document', () => {
    fc.assert(
      fc.property(plans, edits, (text, all) => {
        const document = parse(text) as Record<string, unknown>;
        const chosen = possible(document, all);
        const after = editedText(text, chosen);
        expect(after, text).to.be.a('string');
        expect(canonical(parse(after!))).to.equal(canonical(editedObject(document, chosen)));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every comment unless an entry is dropped or a key removed', () => {
    fc.assert(
      fc.property(plans, edits, (text, all) => {
        const document = parse(text) as Record<string, unknown>;
        const chosen = possible(document, all).filter(
          (edit) => edit.kind === 'add' || (edit.kind === 'set' && edit.value !== null),
        );
        const after = editedText(text, chosen)!;
        expect(commentsOf(after)).to.deep.equal(commentsOf(text));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same text after an entry was added and dropped again', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom(...LISTS), entry, (text, list, each) => {
        const count = ((parse(text) as Record<string, TomlTable[]>)[list] ?? []).length;
        const added = editedText(text, [{ kind: 'add', list, entries: [each] }])!;
        const back = editedText(added, [{ kind: 'drop', table: list, at: count }])!;
        expect(back.replace(/\s+/g, '\n').trim()).to.equal(text.replace(/\s+/g, '\n').trim());
      }),
      { numRuns: 150 },
    );
  });
});
