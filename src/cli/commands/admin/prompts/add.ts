import { readFile } from 'node:fs/promises';
import { Args } from '@oclif/core';
import { integer, string } from '@oclif/core/flags';
import { changeFlags, PlanCommand } from '../../../collect/plan-command.js';
import { CommandError } from '../../../command-error.js';
import { unreadable } from '../../../failure/import-failure.js';

export default class PromptsAdd extends PlanCommand {
  static override summary = 'Add prompts to svc.toml, and apply it';
  static override description =
    'Prompts that the plan has already are left out. Shows file, database and cost, and asks before it writes.';
  static override strict = false;
  static override examples = [
    '<%= config.bin %> admin prompts add "Which running shoes last longest?" --topic Durability',
    '<%= config.bin %> admin prompts add --file Queries.csv --dry-run',
  ];
  static override args = {
    text: Args.string({ description: 'A prompt; several may be given', ignoreStdin: true }),
  };
  static override flags = {
    ...changeFlags,
    file: string({
      description: 'File with prompts: one a line, CSV with topic and tags, or queries of Search Console',
      helpValue: 'FILE',
    }),
    topic: string({ description: 'Topic of those that state none', helpValue: 'NAME' }),
    tag: string({ description: 'Tag of those that state none', helpValue: 'TAG', multiple: true }),
    'most-prompts': integer({
      description: 'The most search queries that become prompts (default 30)',
      helpValue: 'N',
      min: 1,
    }),
  };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(PromptsAdd);
    const { file, topic, tag: tags, 'most-prompts': most } = flags;
    const texts = argv as string[];
    if ((file === undefined) === (texts.length === 0))
      throw new CommandError('usage', 'Give either prompts, or --file FILE.');
    const pasted = file === undefined ? listOf(texts) : await textOf(file);
    await this.change(flags, {
      do: 'add_prompts',
      pasted,
      ...(topic === undefined ? {} : { topic }),
      ...(tags === undefined ? {} : { tags }),
      ...(most === undefined ? {} : { most }),
    });
  }
}

/** The prompts as CSV, so that a text with a comma or a word at its beginning is not taken for something else. */
const listOf = (texts: readonly string[]): string =>
  ['text', ...texts.map((each) => `"${each.replaceAll('"', '""')}"`)].join('\n');

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  const { decoded } = await import('../../../../collect/plan/delimited.js');
  const text = decoded(bytes);
  if (text === null)
    throw new CommandError('usage', `${file}: expected text in UTF-8, or UTF-16 with a mark.`);
  return text;
}
