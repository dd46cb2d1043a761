import { expect } from 'chai';
import fc from 'fast-check';
import { ConfigSyntaxError } from '../../../src/cli/mcp/config-file.js';
import { jsoncValue, withJsonValue } from '../../../src/cli/mcp/json.js';

const ENTRY = { command: 'node', args: ['mcp'] };
const PATH = ['mcpServers', 'svc'];

describe('an edited JSON configuration', () => {
  it('is new where there was none', () => {
    expect(withJsonValue('', PATH, ENTRY)).to.equal(
      `${JSON.stringify({ mcpServers: { svc: ENTRY } }, null, 2)}\n`,
    );
  });

  it('keeps comments, indentation, commas and line ends', () => {
    const before = [
      '// My settings',
      '{',
      '\t"theme": "One Dark", // dark',
      '\t"mcpServers": {',
      '\t\t/* mine */',
      '\t\t"other": { "command": "x" } // the last one',
      '\t},',
      '}',
      '',
    ].join('\r\n');
    const after = withJsonValue(before, PATH, ENTRY);
    expect(after).to.equal(
      before.replace(
        '"x" } // the last one',
        [
          '"x" }, // the last one',
          '\t\t"svc": {',
          '\t\t\t"command": "node",',
          '\t\t\t"args": [',
          '\t\t\t\t"mcp"',
          '\t\t\t]',
          '\t\t}',
        ].join('\r\n'),
      ),
    );
    expect(withJsonValue(after, PATH, ENTRY)).to.equal(after);
  });

  it('replaces the entry and nothing else', () => {
    const before = '{"mcpServers":{"svc":{"url":"old"},"other":1},"z":[1,]}';
    expect(jsoncValue(withJsonValue(before, PATH, ENTRY))).to.deep.equal({
      mcpServers: { svc: ENTRY, other: 1 },
      z: [1],
    });
  });

  it('keeps every value of any document, and adds the entry', () => {
    const spaces = fc.constantFrom('', ' ', '\n', '  // note, "with" {braces}\n', '/* , } */');
    const property = fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
      fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
      fc.constantFrom(undefined, 2, '\t'),
      spaces,
      (root, servers, indent, space) => {
        const object = { ...root, ...(servers && { mcpServers: servers }) };
        if (!servers) delete object.mcpServers;
        const text = `${space}${JSON.stringify(object, null, indent)}${space}`;
        const expected = { ...object, mcpServers: { ...servers, svc: ENTRY } };
        expect(jsoncValue(withJsonValue(text, PATH, ENTRY))).to.deep.equal(
          JSON.parse(JSON.stringify(expected)),
        );
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('is refused with the line of its fault', () => {
    const faults: readonly (readonly [text: string, line: number, reason: RegExp])[] = [
      ['{\n  "a": 1\n  "b": 2\n}', 3, /comma/],
      ['{\n  "a": \n}', 3, /value is expected/],
      ['{\n  a: 1 }', 2, /double quotes/],
      ['{"a" 1}', 1, /colon/],
      ['{}\n{}', 2, /nothing is expected/],
      ['[]', 1, /the file is expected to be an object/],
      ['{\n\n"mcpServers": []}', 3, /"mcpServers" is expected to be an object/],
      ['{"a": "\\x"}', 1, /escape/],
      ['/* open', 1, /no end/],
      [`${'['.repeat(100_000)}`, 1, /nested/],
    ];
    for (const [text, line, reason] of faults) {
      const error = caught(() => withJsonValue(text, PATH, ENTRY));
      expect(error, text.slice(0, 20)).to.be.instanceOf(ConfigSyntaxError);
      expect([error.line, error.message], text.slice(0, 20)).to.satisfy(
        ([at, message]: [number, string]) => at === line && reason.test(message),
        `${error.line}: ${error.message}`,
      );
    }
  });

  it('parses what JSON.parse parses', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsoncValue(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });
});

function caught(work: () => unknown): ConfigSyntaxError {
  try {
    work();
  } catch (error) {
    return error as ConfigSyntaxError;
  }
  throw new Error('nothing was thrown');
}
