import { Args } from '@oclif/core';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';

export default class PromptsReword extends PlanCommand {
  static override summary = 'Change the words of a prompt in svc.toml; it keeps its history';
  static override examples = [
    '<%= config.bin %> admin prompts reword "Which shoes last?" "Which running shoes last longest?"',
  ];
  static override args = {
    text: Args.string({ description: 'The prompt', required: true, ignoreStdin: true }),
    to: Args.string({ description: 'Its new words', required: true, ignoreStdin: true }),
  };
  static override flags = changeFlags;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(PromptsReword);
    await this.change(flags, { do: 'change_prompt', text: args.text, to: { text: args.to } });
  }
}
