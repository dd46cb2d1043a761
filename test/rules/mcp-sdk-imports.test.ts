import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const source = join(import.meta.dirname, '../../src');

describe('rule: only src/server/mcp imports the MCP SDK', () => {
  it('no file outside src/server/mcp imports it', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const importing = files.filter((file) =>
      /@modelcontextprotocol\//.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(importing).to.not.deep.equal([]);
    expect(importing.filter((file) => !/^server[\\/]mcp[\\/]/.test(file))).to.deep.equal([]);
  });
});
