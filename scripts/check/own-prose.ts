import { describe, it } from 'node:test';
import { expect } from 'chai';
import { filesIn, read, withoutComments } from './texts.js';

/** What holds sentences, by the names that it has everywhere. */
const PROSE = '(?:message|toolMessage|note|reason|sentence|caveat|said)';

/** Ways to recover a fact from a sentence. */
const recoveries: readonly RegExp[] = [
  new RegExp(String.raw`\b${PROSE}(?:\.trim\(\))?\??\.(?:match|matchAll|search|split|startsWith|replace)\(`),
  new RegExp(String.raw`\.(?:test|exec)\((?:\w+\??\.)*${PROSE}\b`),
  /\b(?:message|note)\s*[!=]==(?!\s*(?:null|undefined|''))/,
  /[!=]==\s*[\w.()']*\.(?:message|note)\b/,
  /\.split\((?:'\. '|\/[^/\n]*\\\.[ (])/,
];

/** Texts of others, and what is no sentence. */
const allowed: readonly string[] = [
  // Postgres and its driver.
  'src/server/base/errors.ts',
  'src/server/database/',
  // Node, OpenSSL and vendors.
  'src/server/base/vendor-request.ts',
  'src/cli/connection/fetch.ts',
  'src/cli/doctor/connection.ts',
  'src/collect/failure.ts',
  'src/collect/protocols/',
  // The parsers of TOML and of command lines.
  'src/collect/plan/parse-plan.ts',
  'src/cli/base/base-command.ts',
  // To be compared by code.
  'src/server/web/page/choices.ts',
  'src/server/web/page/respond.ts',
  'src/server/web/page/sign-in.ts',
];

const recoversIn = (text: string): string[] =>
  withoutComments(text)
    .split('\n')
    .filter((line) => recoveries.some((recovery) => recovery.test(line)));

describe('rule: facts travel as data, and no code recovers them from sentences of the project', () => {
  it('in src', () => {
    const found = filesIn('src', '.ts')
      .filter((file) => !allowed.some((path) => file.startsWith(path)))
      .flatMap((file) => recoversIn(read(file)).map((line) => `${file}: ${line.trim()}`));
    expect(found).to.deep.equal([]);
  });

  it('the check reports an expression, a split and a comparison', () => {
    const lines = [
      'const [, days] = WRITTEN.exec(reason) ?? [];',
      'const first = reason.split(/[:;.]/)[0];',
      "const [finding] = text.split('. ');",
      'if (refusal.message === errors.unauthorized().message) return;',
      'if (PATTERN.test(body.note)) return;',
      "if (issue.message.startsWith('expected')) return;",
    ];
    expect(recoversIn(lines.join('\n'))).to.deep.equal(lines);
  });

  it('the check accepts codes, null and parts of names', () => {
    const lines = [
      "if (refusal.code === errorCode('noBrands')) return message;",
      'if (note === null || reason !== undefined) return;',
      "const [label] = host.split('.');",
      "const parts = path.split('.').at(-1);",
    ];
    expect(recoversIn(lines.join('\n'))).to.deep.equal([]);
  });
});
