import type { Interfaces } from '@oclif/core';
import { Help } from '@oclif/core/help';
import { lastDays } from '../contract/wording.js';

const examples = [
  ['login', 'store the address of a server and your key'],
  ['overview', `how visible your brand was in the ${lastDays}`],
  ['sources --limit 100 --format csv', 'the domains that answers cite, for a spreadsheet'],
] as const;

/** The commands and topics of the root help in its order, by their first word. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['SETUP', ['login', 'open', 'whoami', 'doctor', 'profiles', 'logout', 'completion']],
  [
    'VISIBILITY',
    [
      ...['overview', 'diff', 'report', 'history', 'competitors', 'prompts', 'losing', 'prompt', 'answers'],
      ...['sentiment', 'fact-check', 'brands', 'explain'],
    ],
  ],
  ['CITATIONS', ['sources', 'urls', 'coverage', 'tracked-pages', 'threads', 'youtube', 'offsite', 'fanouts']],
  ['SHOPPING AND ADS', ['shopping', 'shopping-trend', 'ads']],
  ['YOUR SITE', ['crawlers', 'ingest', 'visitors', 'site-health']],
  ['AGENTS AND SCRIPTS', ['mcp', 'tools', 'api']],
  ['SERVER', ['demo', 'serve', 'collect', 'admin']],
];

/** Help that begins with the commands that users need first. */
export default class SvcHelp extends Help {
  constructor(...args: ConstructorParameters<typeof Help>) {
    super(...args);
    const { render } = this;
    // Most texts are not templates, and the template engine takes longer to load than the rest of the help.
    this.render = (text) => (text.includes('<%') ? render(text) : text);
  }

  /** Wraps only long texts, because wrapping is slow even if nothing is too long. */
  override wrap(body: string, spacing = this.indentSpacing): string {
    const fits = body.split('\n').every((line) => line.length <= this.opts.maxWidth - spacing);
    return fits ? body : super.wrap(body, spacing);
  }

  /** Without this, oclif shows the command `brands` as a topic, because `admin brands list` contains its name. */
  protected override get sortedTopics(): Interfaces.Topic[] {
    const hasCommands = ({ name }: Interfaces.Topic) =>
      this.config.commandIDs.some((id) => id.startsWith(`${name}:`));
    return super.sortedTopics.filter(hasCommands);
  }

  protected override async showRootHelp(): Promise<void> {
    const lines = examples.map(([args, does]) => [`$ ${this.config.bin} ${args}`, does]);
    const body = this.renderList(lines as [string, string][], { indentation: 2, spacer: '\n' });
    this.log(`${this.section('EXAMPLES', body)}\n`);
    // oclif does not wrap the first line of a description, and wrapping removes indents.
    const root = this.formatRoot().split('\n');
    this.log(`${root.map((line) => (line.startsWith(' ') ? line : this.wrap(line, 0))).join('\n')}\n`);
    const entries = this.#entries();
    const grouped = new Set(groups.flatMap(([, names]) => names));
    const others = [...entries.keys()].filter((name) => !grouped.has(name));
    for (const [title, names] of [...groups, ['OTHER', others] as const]) {
      const listed = names.filter((name) => entries.has(name)).map((name) => [name, entries.get(name)!]);
      const list = this.renderList(listed as [string, string][], { indentation: 2, spacer: '\n' });
      if (listed.length > 0) this.log(`${this.section(title, list)}\n`);
    }
    this.log(this.wrap(`\`${this.config.bin} COMMAND --help\` shows flags and examples.${this.#below()}`, 0));
  }

  /** The summaries of commands and topics by their first word. A word that is a command and a topic is one entry. */
  #entries(): ReadonlyMap<string, string> {
    const topics = this.sortedTopics.map(({ name, description = '' }) => [name, description] as const);
    const commands = this.sortedCommands.map((command) => [command.id, this.summary(command) ?? ''] as const);
    return new Map([...topics, ...commands].filter(([name]) => !name.includes(':')));
  }

  /** The commands below those first words that are commands themselves. */
  #below(): string {
    const ids = this.sortedCommands.map(({ id }) => id);
    const below = ids.filter((id) => id.includes(':') && ids.includes(id.slice(0, id.indexOf(':'))));
    const names = below.map((id) => `\`${this.config.bin} ${id.replaceAll(':', ' ')}\``);
    return names.length === 0 ? '' : ` Commands below: ${names.join(', ')}.`;
  }
}
