import { Args } from '@oclif/core';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';

export default class CompetitorsRetire extends PlanCommand {
  static override summary = 'Take competitors out of svc.toml; what was counted for them stays';
  static override strict = false;
  static override examples = ['<%= config.bin %> admin competitors retire Stride'];
  static override args = {
    name: Args.string({ description: 'A name; several may be given', required: true, ignoreStdin: true }),
  };
  static override flags = changeFlags;

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(CompetitorsRetire);
    await this.change(flags, { do: 'retire_competitors', names: argv as string[] });
  }
}
