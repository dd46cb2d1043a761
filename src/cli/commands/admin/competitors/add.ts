import { Args } from '@oclif/core';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';

export default class CompetitorsAdd extends PlanCommand {
  static override summary = 'Add competitors to svc.toml, and apply it';
  static override strict = false;
  static override examples = ['<%= config.bin %> admin competitors add Stride=stride.example Boltra'];
  static override args = {
    name: Args.string({
      description: 'NAME or NAME=HOST; several may be given',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = changeFlags;

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(CompetitorsAdd);
    await this.change(flags, { do: 'add_competitors', pasted: (argv as string[]).join('\n') });
  }
}
