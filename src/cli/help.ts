import type { Interfaces } from '@oclif/core';
import { Help } from '@oclif/core/help';

const examples = [
  ['login', 'store the address of a server and your key'],
  ['overview', 'how visible your brand was in the last 7 days'],
  ['sources --limit 100 --format csv', 'the domains that answers cite, for a spreadsheet'],
] as const;

/** Help that begins with what people want to type. */
export default class SvcHelp extends Help {
  constructor(...args: ConstructorParameters<typeof Help>) {
    super(...args);
    const { render } = this;
    // Most texts are no templates, and the template engine takes longer to load than the rest of the help.
    this.render = (text) => (text.includes('<%') ? render(text) : text);
  }

  /** Wrapping is slow even where nothing is too long. */
  override wrap(body: string, spacing = this.indentSpacing): string {
    const fits = body.split('\n').every((line) => line.length <= this.opts.maxWidth - spacing);
    return fits ? body : super.wrap(body, spacing);
  }

  /** oclif takes the command `brands` for a topic because `admin brands list` has its name inside. */
  protected override get sortedTopics(): Interfaces.Topic[] {
    const hasCommands = ({ name }: Interfaces.Topic) =>
      this.config.commandIDs.some((id) => id.startsWith(`${name}:`));
    return super.sortedTopics.filter(hasCommands);
  }

  protected override async showRootHelp(): Promise<void> {
    const lines = examples.map(([args, does]) => [`$ ${this.config.bin} ${args}`, does]);
    const body = this.renderList(lines as [string, string][], { indentation: 2, spacer: '\n' });
    this.log(`${this.section('EXAMPLES', body)}\n`);
    await super.showRootHelp();
  }
}
