import { describe, it } from 'node:test';
import { expect } from 'chai';
import { attackOn } from './patterns/attacks.js';
import { type Literal, literalsOf } from './patterns/literals.js';
import { filesIn, read } from './texts.js';

/** What reads text that strangers wrote. */
const folders = [
  'logs',
  'server/base/robots',
  'server/answers/citations',
  'sdk/ingest',
  'cli/ingest',
  'collect',
];

/** Expressions that a module puts together while it is loaded. */
async function builtBy(file: string): Promise<Literal[]> {
  const built: Literal[] = [];
  const known = globalThis.RegExp;
  globalThis.RegExp = new Proxy(known, {
    construct(target, [source, flags = '']: [string, string?]) {
      built.push({ source, flags, line: 0 });
      return new target(source, flags);
    },
  });
  try {
    // The query makes the module load once more; the loader of TypeScript recognises files by the end of the URL.
    await import(`../../${file}?patterns.ts`);
  } finally {
    globalThis.RegExp = known;
  }
  return built;
}

async function expressionsOf(file: string): Promise<Literal[]> {
  const text = read(file);
  return [...literalsOf(text), ...(text.includes('new RegExp(') ? await builtBy(file) : [])];
}

describe('rule: every regular expression works in linear time', () => {
  // Thousands of texts for each expression; steps are counted, and no time is measured.

  for (const folder of folders) {
    it(`in src/${folder}`, async () => {
      const slow: string[] = [];
      for (const file of filesIn(`src/${folder}`, '.ts')) {
        for (const { source, flags, line } of await expressionsOf(file)) {
          const attack = attackOn(source, flags);
          if (attack) slow.push(`${file}:${line} /${source}/${flags} ${JSON.stringify(attack)}`);
        }
      }
      expect(slow).to.deep.equal([]);
    });
  }

  it('the check reports expressions whose work grows faster', () => {
    const slow = [
      /\s+$/,
      /^(a+)+$/,
      /^(?:a|a)*$/,
      /^(?:[.,](\d+))? ?(.*)$/,
      /^[^"]*"((?:\\.|[^"\\])*)"?\s*$/,
      /^(?<name>allow|[a-z]+)[ \t]*(?::|(?<=[ \t]))[ \t]*(?<value>.*)$/i,
      /a.*b.*c/,
      /(?:x+y?)+z/,
      /\d+(?=!)/,
    ];
    for (const { source, flags } of slow) expect(attackOn(source, flags), source).to.not.equal(undefined);
  });

  it('the check accepts linear expressions', () => {
    const linear = [
      /^\s+/,
      /^(a+)$/,
      /^"(?:\\.|[^"\\])*"$/,
      /(?<=\s|^)[a-z]+=\S*/g,
      /^[^:]*:[^:]*:[^:]*$/,
      /\[\d{2}\/\w{3}\/\d{4}\]/,
      /^(?:\d{1,3}\.){3}\d{1,3}(?:, \S+)?/,
      /\bxy{0,31}z/i,
    ];
    for (const { source, flags } of linear) expect(attackOn(source, flags), source).to.equal(undefined);
  });

  it('the check finds expressions in source text, where a slash may also divide or begin a comment', () => {
    const text = [
      'const a = b / c / d; // /no/',
      'const url = "http://x/y/z"; const t = `/a/`;',
      'const e = /a[/]b\\/c/gi; /* /no/ */',
      'return /x/.test(y) ? (1 + 2) / 3 : /z{1,2}/u;',
    ].join('\n');
    expect(literalsOf(text)).to.deep.equal([
      { source: 'a[/]b\\/c', flags: 'gi', line: 3 },
      { source: 'x', flags: '', line: 4 },
      { source: 'z{1,2}', flags: 'u', line: 4 },
    ]);
  });
});
