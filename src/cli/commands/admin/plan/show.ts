import type { EngineSetting } from '../../../../server/intake/plan-settings.js';
import { PlanCommand, planFlag } from '../../../collect/plan-command.js';
import { Document } from '../../../render/document.js';
import { outputWidth, print } from '../../../render/terminal.js';
import { counted, type TableView, text, usd } from '../../../render/view.js';

const view: TableView<EngineSetting> = {
  noun: 'engines',
  columns: [
    text('engine', (row) => row.engine),
    text('', (row) => (row.isEnabled ? 'on' : 'off')),
    text('region', (row) => row.region),
    text('model', (row) => row.model ?? row.protocol, { room: 'flexible' }),
    text('key', (row) => row.keyFault ?? row.keyEnv ?? 'none needed', { room: 'flexible' }),
  ],
};

export default class PlanShow extends PlanCommand {
  static override summary = 'Show what svc.toml states: brand, competitors, prompts, engines, schedule';
  static override description = 'Names the variables of keys, and says which are missing. Never shows a key.';
  static override examples = ['<%= config.bin %> admin plan show'];
  static override flags = planFlag;

  override async run(): Promise<void> {
    const { flags } = await this.parse(PlanShow);
    const source = await this.source(flags);
    const { viewOfPlan } = await import('../../../../collect/settings/plan-view.js');
    const plan = viewOfPlan(source, process.env);
    if (flags.json) return print(`${JSON.stringify(plan)}\n`);
    const { brand, competitors, prompts, engines, schedule, day, promptsFile } = plan;
    const document = new Document(outputWidth());
    document.title(`${brand.name} · ${brand.domain}`);
    const rivals = competitors.map(({ name }) => name).join(', ');
    document.sentences(
      ...(brand.aliases.length > 0 ? [`Also written ${brand.aliases.join(', ')}.`] : []),
      competitors.length === 0
        ? 'No competitors.'
        : `${counted(competitors.length, 'competitor')}: ${rivals}.`,
      `${counted(prompts.length, 'prompt')}${promptsFile === null ? '' : ` in ${promptsFile}`}; \`svc admin prompts list\` shows them.`,
    );
    if (engines.length > 0) document.table(null, view, engines);
    const limits = schedule && [
      ...(schedule.max_usd === null ? [] : [`at most ${usd(schedule.max_usd)}`]),
      ...(schedule.max_calls === null ? [] : [`at most ${counted(schedule.max_calls, 'call')}`]),
    ];
    document.sentences(
      engines.length === 0
        ? 'No engine is named: nothing is asked.'
        : `A day is ${counted(day.calls, 'call')} and ${day.usd === null ? 'a cost that is not known, because a price is not stated' : `about ${usd(day.usd)}`}.`,
      schedule === null
        ? 'No schedule: a server does not collect by itself.'
        : `A server collects every ${schedule.every} at ${schedule.at} UTC${limits!.length === 0 ? '' : `, ${limits!.join(' and ')}`}.`,
    );
    return print(document.text);
  }
}
