import { expect } from 'chai';
import { changedLines } from '../../../src/cli/mcp/config-file.js';

describe('the changes of a configuration', () => {
  it('are the lines that differ, without their neighbours', () => {
    expect(changedLines('a\nsecret\nb\nc\n', 'a\nsecret\nB\nc\n')).to.deep.equal([
      '@@ -3,1 +3,1 @@',
      '-b',
      '+B',
    ]);
    expect(changedLines('', 'a\nb\n')).to.deep.equal(['@@ -1,0 +1,2 @@', '+a', '+b']);
    expect(changedLines('a\na\n', 'a\na\na\n')).to.deep.equal(['@@ -3,0 +3,1 @@', '+a']);
    expect(changedLines('a\n', 'a\n')).to.deep.equal([]);
  });

  it('hide keys', () => {
    expect(changedLines('Bearer svc_abcdefgh\n', '').join()).to.not.contain('abcdefgh');
  });
});
