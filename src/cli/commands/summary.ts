import { MAX_ITEMS } from '../../contract/needs.js';
import { briefing } from '../../contract/reads/briefing.js';
import { isSvcError } from '../../sdk/errors.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import { CommandError } from '../command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { briefingView, HELP, OPENS } from '../reports/summary.js';

/** What `svc` prints for whoever has a key. */
export default class Summary extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 0 };
  static override alsoCalled = ['status', 'briefing'];
  static override summary = briefing.summary;
  static override description =
    `\`svc\` prints it if you have a key. At most ${MAX_ITEMS} things: what is urgent, then those that concern the most answers; other formats than the table have all of them. ${OPENS} Costs one request. --json prints the briefing of the API.`;
  static override flags = readFlags(briefing);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Summary);
    // Also in a pipe, where other reads print rows.
    const printed = flags.json || flags.format ? flags : { ...flags, format: 'table' as const };
    await printRead(this, printed, briefing, {
      request: (svc, params, options) => svc.briefing(params, options),
      view: briefingView,
    });
  }

  /** Whoever typed `svc` to see its commands learns how, also where the summary fails. */
  protected override async catch(error: Error): Promise<unknown> {
    try {
      return await super.catch(error);
    } catch (failure) {
      if (!isSvcError(failure) && !(failure instanceof CommandError)) throw failure;
      const { kind, message, hint, status, refusal, retryable } = commandErrorOf(failure);
      const hints = [...(hint ? [hint] : []), HELP].join('\n');
      throw new CommandError(kind, message, { status, refusal, retryable, hint: hints });
    }
  }
}
