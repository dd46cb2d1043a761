import { MAX_ITEMS } from '../../contract/needs.js';
import type { Briefing } from '../../contract/reads/briefing.js';
import { isSvcError } from '../../sdk/errors.js';
import { ApiCommand } from '../base/api-command.js';
import { summaryFlags } from '../base/flags.js';
import { givenDays, remember } from '../base/read.js';
import { CommandError } from '../failure/command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { Document } from '../render/document.js';
import { json } from '../render/format.js';
import { outputWidth, print } from '../render/terminal.js';
import { drawBriefing, HELP, OPENS } from '../reports/summary.js';

/** What `svc` prints for whoever has a key. */
export default class Summary extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 0 };
  static override alsoCalled = ['status'];
  static override summary = 'Whether answers name the brand, and what needs you; `svc` alone prints it too';
  static override description =
    `\`svc\` prints it if you have a key, and takes these flags as well. At most ${MAX_ITEMS} things: what is urgent, then those that concern the most answers. ${OPENS} Costs one request. --json prints the briefing of the API, with everything that needs you and the last moves.`;
  static override flags = summaryFlags;

  override async run(): Promise<void> {
    const { flags } = await this.parse(Summary);
    const svc = this.connect(this.settle(flags));
    const reading = svc.briefing(givenDays(flags), { signal: this.signal }) as Promise<Briefing>;
    const briefing = await this.progress.during('Reading the briefing …', reading);
    await remember(this, briefing);
    if (flags.json) return print(json(briefing));
    const document = new Document(outputWidth());
    drawBriefing(briefing, document);
    await print(document.text);
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
