import { expect } from 'chai';
import { shellBlocks } from './shell-blocks.js';

const markdown = `
Text.

<!-- not run \`svc login\`: asks for a key -->
<!-- run \`svc serve\` by test/x.test.ts -->
\`\`\`sh
# a comment
svc login    # another
svc serve
svc overview \\
  --json
cat <<END
svc not-a-command
END
\`\`\`

<!-- not run: needs
  a second machine -->
   \`\`\`console
   $ svc brands; echo "exit $?"
   exit 0
   $ svc urls
   \`\`\`

\`\`\`ts
$ no shell
\`\`\`

<!-- A comment. -->
\`\`\`bash
svc sources
\`\`\`
`;

describe('the shell blocks of a document', () => {
  const blocks = shellBlocks(markdown);
  const because = (text: string) =>
    blocks.flatMap(({ commands }) => commands).find((command) => command.text.includes(text))?.mark?.because;

  it('have their commands, with the lines that belong together', () => {
    expect(blocks.map(({ commands }) => commands.map(({ text }) => text))).to.deep.equal([
      [
        'svc login    # another',
        'svc serve',
        'svc overview \\\n  --json',
        'cat <<END\nsvc not-a-command\nEND',
      ],
      ['svc brands; echo "exit $?"', 'svc urls'],
      ['svc sources'],
    ]);
    expect(blocks[1]!.commands[0]!.output).to.deep.equal(['exit 0']);
  });

  it('have the marks above them, for some commands or for all', () => {
    expect(because('svc login')).to.equal('asks for a key');
    expect(because('svc serve')).to.equal('test/x.test.ts');
    expect(because('svc overview')).to.equal(undefined);
    expect(because('svc urls')).to.equal('needs a second machine');
    expect(because('svc sources')).to.equal(undefined);
  });
});
