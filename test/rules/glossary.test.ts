import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { engines } from '../../src/contract/engines.js';
import { glossary, SEARCH_ENGINES, title, valueLabels } from '../../src/contract/glossary.js';
import { crawlerAgent } from '../../src/contract/reads/crawlers.js';
import { domainLabels } from '../../src/contract/reads/sources.js';
import { surfaces } from '../../src/contract/surfaces.js';
import { demoBrandId } from '../../src/demo/data/index.js';
import { type Tab, tabPath } from '../../src/server/web/page/paths.js';
import { Home, svc } from '../cli/support/run.js';
import { signIn, type Visitor } from '../server/web/page/support/visitor.js';
import { demoServer } from '../support/demo-server.js';
import { OPERATOR_KEY, type TestServer } from '../support/server.js';

/** Blocks of the page, by its tab, each with the commands that show the same. */
const twins: { readonly [block: string]: readonly [tab: Tab, ...commands: (readonly string[])[]] } = {
  competitors: ['competitors', ['competitors']],
  absent: ['prompts', ['losing'], ['prompts']],
  domains: ['sources', ['sources']],
  pages: ['sources', ['urls']],
  crawlers: ['crawlers', ['crawlers']],
};

/** Heads that only the page has here: commands write a change in the cell of its value, and the winner with `--pages`. */
const DRAWN = ['on a scale from 0', 'change', 'winner'];

/** Commands whose tables name engines. */
const namingEngines = [
  ...[['answers'], ['ads'], ['coverage'], ['crawlers'], ['fact-check'], ['fanouts'], ['losing', '--pages']],
  ...[['prompt', 'p01'], ['sentiment'], ['shopping'], ['threads'], ['tracked-pages'], ['urls'], ['youtube']],
  ...[['overview'], ['history'], ['report'], ['diff']],
];

/** What heads a column or a line of the page: its text without markup, without its scale, without what follows a comma. */
const headsOf = (section: string): string[] =>
  [...section.matchAll(/<(?:th scope="col"|dt)[^>]*>(.*?)<\/(?:th|dt)>/gs)].map(([, head = '']) =>
    head
      .replace(/<details.*<\/details>/s, '')
      .replace(/<[^>]*>/g, '')
      .replace(/,.*| of 100$/s, '')
      .trim()
      .toLowerCase(),
  );

/** The cells of the tables in Markdown, without scales. */
const cellsOf = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|').map((cell) => cell.replace(/\(.*\)/, '').trim()));

describe('rule: page, command and report use the words of the glossary', () => {
  const home = new Home();
  let server: TestServer;
  let visit: Visitor;
  before(async () => {
    server = await demoServer();
    visit = await signIn(server, OPERATOR_KEY);
  });
  after(async () => {
    home.remove();
    await server.close();
  });

  const run = async (args: readonly string[], format: readonly string[] = ['--format', 'md']) => {
    server.now = new Date(server.now.getTime() + 60_000);
    const env = { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY };
    const { stdout, stderr, code } = await svc([...args, ...format], env);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const section = async (id: string, tab: Tab): Promise<string> => {
    const page = await visit.html(tabPath(demoBrandId, tab));
    return new RegExp(`<section[^>]* id="${id}".*?</section>`, 's').exec(page)![0];
  };

  const labels: string[] = Object.values(glossary).map((term) => term.label);

  for (const [block, [tab, ...commands]] of Object.entries(twins))
    it(`${block}: the page has the heads of svc ${commands.join(' and svc ')}`, async () => {
      const heads = headsOf(await section(block, tab)).filter((head) => !DRAWN.includes(head));
      expect(heads).to.have.length.above(0);
      const cells: string[] = [];
      // One after the other, because the output of this process is captured.
      for (const command of commands) cells.push(...cellsOf(await run(command)));
      for (const head of heads) {
        expect(cells, head).to.include(head);
        expect(labels, head).to.include(head);
      }
    });

  it('each label is of one term, except for the two kinds of pages', () => {
    const twice = labels.filter((each, at) => labels.indexOf(each) !== at);
    expect(twice).to.deep.equal([]);
  });

  it('values have a word each, and none is forgotten', () => {
    expect(Object.keys(valueLabels.kind)).to.have.members([...domainLabels]);
    expect(Object.keys(valueLabels.purpose)).to.have.members([...crawlerAgent.fields.purpose.values]);
    expect(Object.keys(valueLabels.surface)).to.have.members([...surfaces]);
    for (const values of Object.values(valueLabels))
      expect(new Set(Object.values(values)).size).to.equal(Object.keys(values).length);
  });

  it('the report uses the heads of the commands', async () => {
    const report = await run(['report'], []);
    expect(report)
      .to.contain(`## ${title('absentPrompts')}`)
      .and.contain(SEARCH_ENGINES);
    const heads = [...report.matchAll(/^(\|.*\|)\n\| [:-]/gm)].flatMap(([, line]) => cellsOf(line!));
    expect(heads).to.include.members(
      (['kind', 'requests', 'crawler', 'mostCitedElsewhere', 'avg_position'] as const).map(
        (name) => glossary[name].label,
      ),
    );
  });

  it('the picture of a terminal in README shows the lines that svc overview prints', async () => {
    const picture = readFileSync(join(import.meta.dirname, '../../docs/terminal.svg'), 'utf8');
    const shown = picture.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    const lines = cellsOf(await run(['overview'])).filter((cell) => labels.includes(cell));
    expect(lines).to.have.length(7);
    for (const line of lines) expect(shown).to.match(new RegExp(` ${line} (?:\\(.*?\\) )?\\d`));
  });

  for (const command of namingEngines)
    it(`svc ${command.join(' ')} shows the names of engines, not their ids`, async () => {
      const ids = new Set<string>(engines.map(({ id }) => id));
      const text = await run(command, command[0] === 'report' ? [] : ['--format', 'table']);
      const words = text.split(/ {2,}|\n| · |, |\|/).map((word) => word.trim());
      expect(words.filter((word) => ids.has(word))).to.deep.equal([]);
    });
});
