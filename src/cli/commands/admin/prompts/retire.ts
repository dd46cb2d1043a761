import { Args } from '@oclif/core';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';

export default class PromptsRetire extends PlanCommand {
  static override summary = 'Take prompts out of svc.toml; their runs stay';
  static override strict = false;
  static override examples = ['<%= config.bin %> admin prompts retire "Which running shoes last longest?"'];
  static override args = {
    text: Args.string({ description: 'A prompt; several may be given', required: true, ignoreStdin: true }),
  };
  static override flags = changeFlags;

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(PromptsRetire);
    await this.change(flags, { do: 'retire_prompts', texts: argv as string[] });
  }
}
