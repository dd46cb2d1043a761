import { setMaxListeners } from 'node:events';
import type { SvcError } from '../../../sdk/errors.js';
import { configure } from '../../../sdk/options.js';
import { ApiCommand } from '../../base/api-command.js';
import { withSource } from '../../failure/refusal.js';
import { bridge, Forwarder } from '../../mcp/stdio.js';
import { print } from '../../render/terminal.js';

const { json: _, ...flags } = ApiCommand.baseFlags;

export default class Mcp extends ApiCommand {
  static override inHelp = { group: 'AGENTS AND SCRIPTS', place: 1 };
  static override summary = 'Connect an MCP client that only speaks stdio to the server';
  static override description =
    'Messages come one a line on standard input, and so do the replies on standard output; everything else goes to ' +
    'standard error. A client starts this command by itself: `<%= config.bin %> mcp config CLIENT` prints how.';
  static override examples = ['<%= config.bin %> mcp', '<%= config.bin %> mcp --profile work'];
  static override baseFlags = flags as typeof ApiCommand.baseFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    const settings = this.settle(flags);
    const note = (text: string) => this.note(text);
    const configuration = this.connectBy(configure, settings);
    if (process.stdin.isTTY) note('Waiting for MCP messages on standard input; Ctrl-D ends it.');
    const end = new AbortController();
    const { signal } = end;
    // Every message in flight adds a listener, so Node's limit is turned off.
    setMaxListeners(0, signal);
    this.signal.addEventListener('abort', () => end.abort(this.signal.reason));
    const explain = (error: SvcError) => {
      const { message, hint } = withSource(error, settings);
      return hint === undefined ? message : `${message} ${hint}`;
    };
    const forwarder = new Forwarder(configuration, { signal, explain, note });
    try {
      await bridge(process.stdin, { answer: (post) => forwarder.answer(post), write: print, end });
    } finally {
      // Ends open requests, which would keep the process alive.
      end.abort();
      process.stdin.destroy();
    }
  }
}
