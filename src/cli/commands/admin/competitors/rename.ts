import { Args } from '@oclif/core';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';

export default class CompetitorsRename extends PlanCommand {
  static override summary = 'Change the name of a competitor in svc.toml; the former one stays a spelling';
  static override examples = ['<%= config.bin %> admin competitors rename Stride "Stride Running"'];
  static override args = {
    name: Args.string({ description: 'Its name', required: true, ignoreStdin: true }),
    to: Args.string({ description: 'Its new name', required: true, ignoreStdin: true }),
  };
  static override flags = changeFlags;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(CompetitorsRename);
    await this.change(flags, { do: 'change_competitor', name: args.name, to: { name: args.to } });
  }
}
