import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import type { Exchange, Probed } from '../../../collect/probe.js';
import { exitCodes } from '../../../contract/failure.js';
import { explained } from '../../base/admin-command.js';
import { BaseCommand } from '../../base/base-command.js';
import { confirm } from '../../base/prompt.js';
import { currentTime } from '../../clock.js';
import { probeText } from '../../collect/probe-view.js';
import { collectFlags, readPlan } from '../../collect/setup.js';
import { CommandError } from '../../command-error.js';
import { Signals } from '../../ingest/signals.js';
import { outputWidth, print, styled } from '../../render/terminal.js';
import { counted, usd } from '../../render/view.js';

export default class CollectProbe extends BaseCommand {
  static override summary = 'Ask each target of a plan one question, and show what comes back';
  static override description =
    'The first command with a new key: what each target answers, which fields its reply has, what is missing and what it ' +
    'costs. Nothing is written to a database or a dataset file.';
  static override examples = [
    '<%= config.bin %> collect probe',
    '<%= config.bin %> collect probe --record replies --yes',
  ];
  static override flags = {
    plan: collectFlags.plan,
    prompt: string({ description: 'The question, instead of a short one about shoes', helpValue: 'TEXT' }),
    record: string({
      description: 'Keep each request and reply in this folder, without keys',
      helpValue: 'FOLDER',
    }),
    yes: boolean({ char: 'y', description: 'Do not ask before sending' }),
    json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(CollectProbe);
    const probed = await explained(() => this.#probe(flags));
    if (flags.json) await print(`${JSON.stringify({ targets: probed })}\n`);
    else await print(probeText(probed, outputWidth()));
    const failed = probed.filter(({ outcome }) => outcome !== 'answered' && outcome !== 'not_shown');
    if (failed.length === 0) return;
    const failure = new CommandError(
      'incomplete',
      `${counted(failed.length, 'target')} of ${probed.length} gave no answer.`,
    );
    if (!flags.json) throw failure;
    this.exit(exitCodes[failure.kind]);
  }

  async #probe(flags: {
    readonly plan?: string | undefined;
    readonly prompt?: string | undefined;
    readonly record?: string | undefined;
    readonly yes?: boolean;
  }): Promise<Probed[]> {
    const { costOfProbe, PROBE_PROMPT, probe } = await import('../../../collect/probe.js');
    const { keyFaults, keyIn, POLLS } = await import('../../../collect/setup.js');
    const { requireShortPrompts } = await import('../../../collect/plan/provider-faults.js');
    const { plan } = await readPlan(flags.plan, true);
    const prompt = flags.prompt ?? PROBE_PROMPT;
    requireShortPrompts(plan, [{ id: '--prompt', text: prompt }]);
    const faults = keyFaults(plan.targets, process.env);
    if (faults.length > 0) throw new CommandError('usage', faults.join('\n'));
    const cost = costOfProbe(plan);
    if (!flags.yes) {
      const about = cost === null ? ', cost not known' : ` for about ${usd(cost)}`;
      await confirm({
        question: `Send ${counted(plan.targets.length, 'call')}${about}?`,
        refusal: 'Nothing was sent.',
        hint: 'Add --yes to send without a question.',
      });
    }
    const record = flags.record === undefined ? null : await recorder(flags.record);
    const signals = new Signals(() => undefined);
    signals.listen(false);
    try {
      const { timeBy } = await import('../../../collect/time.js');
      return await probe(plan, prompt, {
        stop: signals.reading,
        abort: signals.sending,
        polls: POLLS,
        time: timeBy(currentTime),
        record,
        keyOf: keyIn(process.env),
        onWait: (_, reason) => process.stderr.write(`${styled(['dim'], reason, process.stderr)}\n`),
      });
    } finally {
      signals.release();
    }
  }
}

/** Writes the exchanges of each target to a file of its own. @throws CommandError `usage` if there can be no such folder. */
async function recorder(folder: string) {
  const { DataFolderError, makeFolder } = await import('../../../server/database/data-folder.js');
  await makeFolder(folder).catch((error: unknown) => {
    throw error instanceof DataFolderError
      ? new CommandError('usage', `${folder} cannot be used (${error.reason}).`)
      : error;
  });
  return (name: string, exchanges: readonly Exchange[]): Promise<void> =>
    writeFile(join(folder, `${name}.json`), `${JSON.stringify(exchanges, null, 2)}\n`, { mode: 0o600 });
}
