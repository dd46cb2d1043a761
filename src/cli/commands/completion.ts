import { Args } from '@oclif/core';
import { BaseCommand } from '../base/base-command.js';
import { print } from '../render/terminal.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export default class Completion extends BaseCommand {
  static override inHelp = { group: 'SETUP', place: 7 };
  static override summary =
    'Print the script by which a shell completes commands, flags, brands, prompts and answers';
  static override description = `Load the script when the shell starts:
  bash         echo 'source <(<%= config.bin %> completion bash)' >> ~/.bashrc
  zsh          echo 'source <(<%= config.bin %> completion zsh)' >> ~/.zshrc   (behind compinit)
  fish         <%= config.bin %> completion fish > ~/.config/fish/completions/<%= config.bin %>.fish
  PowerShell   '<%= config.bin %> completion powershell | Out-String | Invoke-Expression' >> $PROFILE
Brands, prompts and answers are those that commands in a terminal have shown before; no request is sent while you type.`;
  static override examples = ['<%= config.bin %> completion zsh'];
  static override args = {
    shell: Args.string({
      description: `One of ${shells.join(', ')}`,
      options: shells,
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const { bin } = this.config;
    const { script } = await import('@bomb.sh/tab');
    // The library prints the script.
    const { log } = console;
    let text = '';
    console.log = (part: string) => {
      text += `${part}\n`;
    };
    try {
      script(args.shell, bin, bin);
    } finally {
      console.log = log;
    }
    await print(args.shell === 'bash' ? bashScript(text, bin) : text);
  }
}

/** Defines the one function of the package bash-completion that the script for bash calls, where it is not installed. */
const fallback = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() {
    cur="\${COMP_WORDS[COMP_CWORD]}"
    prev="\${COMP_WORDS[COMP_CWORD-1]}"
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
  }
fi
`;

/**
 * The script for bash. Its constants are not read-only, so that it can be loaded twice, and have the name of the command, so that
 * another command's script of the same library does not change them.
 */
const bashScript = (script: string, bin: string): string =>
  fallback + script.replace(/^readonly /gm, '').replaceAll('ShellCompDirective', `__${bin}_directive`);
