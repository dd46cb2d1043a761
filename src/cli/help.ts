import type { Interfaces } from '@oclif/core';
import { CommandHelp, Help } from '@oclif/core/help';
import { type Program, rootHelp } from './root-help.js';

/** A prompt of a shell, before the first word of an example. */
const SHELL = '$ ';

/** The help of a command: its summary once, at the top, and each value by a name or by its choices. */
class SvcCommandHelp extends CommandHelp {
  constructor(...args: ConstructorParameters<typeof CommandHelp>) {
    super(...args);
    for (const [name, flag] of Object.entries(this.command.flags))
      if (flag.type === 'option') flag.helpValue ??= flag.options?.join('|') ?? name.toUpperCase();
  }

  protected override description(): string | undefined {
    const { description } = this.command;
    return description ? this.wrap(description) : undefined;
  }

  /** oclif marks only those examples as commands that begin with the program. */
  protected override examples(examples: string[]): string | undefined {
    const begin = /^(?:\$ |<%= config\.bin %>)/;
    return super.examples(examples?.map((each) => (begin.test(each) ? each : SHELL + each)));
  }
}

/** Help that begins with the commands that users need first. */
export default class SvcHelp extends Help {
  protected override CommandHelpClass = SvcCommandHelp;

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
    const { commands, pjson, userAgent } = this.config;
    const byId = Object.fromEntries(commands.map((command) => [command.id, command]));
    this.log(rootHelp(pjson as Program, byId, userAgent, this.opts.maxWidth));
  }
}
