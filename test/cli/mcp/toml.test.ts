import { expect } from 'chai';
import { ConfigSyntaxError } from '../../../src/cli/mcp/config-file.js';
import { tomlStatements, withTomlTable } from '../../../src/cli/mcp/toml.js';

const PATH = ['mcp_servers', 'svc'];
const TABLE = { command: 'node', args: ['mcp', '--profile', 'a "b"'], env: { A: '1' } };
const WRITTEN = `[mcp_servers.svc]
command = "node"
args = ["mcp","--profile","a \\"b\\""]

[mcp_servers.svc.env]
A = "1"`;

const OTHER = `# Settings
model = "o3" # the best
list = [
  "a", # one
  'b',
]
text = """
[mcp_servers.svc]
"""
when = 1979-05-27 07:32:00Z
inline = { a = 1, b.c = [ { d = true } ] }

[mcp_servers."other one"]
command = "x"

[[array.of.tables]]
n = 1
`;

describe('an edited TOML configuration', () => {
  it('is new where there was none', () => {
    expect(withTomlTable('', PATH, TABLE)).to.equal(`${WRITTEN}\n`);
  });

  it('gets the table at its end, and keeps all else', () => {
    const after = withTomlTable(OTHER, PATH, TABLE);
    expect(after).to.equal(`${OTHER}\n${WRITTEN}\n`);
    expect(withTomlTable(after, PATH, TABLE)).to.equal(after);
  });

  it('gets it in place of the one that is there, with the tables below that', () => {
    const before = `a = 1

[mcp_servers.svc]
url = "old"

[mcp_servers.other]
b = 2

[mcp_servers.svc.env]
C = "3"

# about the last
[last]
d = 4
`;
    expect(withTomlTable(before, PATH, TABLE)).to.equal(`a = 1

${WRITTEN}

[mcp_servers.other]
b = 2

# about the last
[last]
d = 4
`);
  });

  it('keeps the line ends', () => {
    const after = withTomlTable('a = 1\r\n', PATH, TABLE);
    expect(after.replaceAll('\r\n', '')).to.not.contain('\n');
  });

  it('is refused with the line of its fault', () => {
    const faults: readonly (readonly [text: string, line: number])[] = [
      ['a = 1\nb =\n', 2],
      ['a\n', 1],
      ['a = 1\n\n[b\n', 3],
      ['a = "x\n', 1],
      ['a = [1 2]\n', 1],
      ['a = 1 b = 2\n', 1],
      ['[mcp_servers]\nsvc = { url = "x" }\n', 2],
      ['mcp_servers.svc.url = "x"\n', 1],
      ['mcp_servers = {}\n', 1],
    ];
    for (const [text, line] of faults) {
      let error: unknown;
      try {
        withTomlTable(text, PATH, TABLE);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, text).to.be.instanceOf(ConfigSyntaxError);
      expect((error as ConfigSyntaxError).line, text).to.equal(line);
    }
  });

  it('has the statements of the document', () => {
    expect(tomlStatements(OTHER).map(({ path }) => path.join('.'))).to.deep.equal([
      'model',
      'list',
      'text',
      'when',
      'inline',
      'mcp_servers.other one',
      'command',
      'array.of.tables',
      'n',
    ]);
  });
});
