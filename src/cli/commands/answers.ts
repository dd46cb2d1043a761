import { string } from '@oclif/core/flags';
import { engineIds } from '../../contract/engines.js';
import { CAPS } from '../../contract/limits.js';
import type { Answer } from '../../contract/reads/answers.js';
import { listCommand } from '../base/list-command.js';
import type { Filter } from '../base/listing.js';
import { CommandError } from '../failure/command-error.js';
import { suggestion } from '../failure/suggestion.js';
import { date } from '../render/columns.js';
import { count, type TableView, text, yesNo } from '../render/view.js';

const view: TableView<Answer> = {
  noun: 'answers',
  columns: [
    date(),
    text('engine', (row) => row.engine),
    // Never shortened, because it is the argument of `svc prompt`.
    text('prompt id', (row) => row.prompt_id),
    yesNo('brand', (row) => row.brand_present),
    text('mentions, by rank', (row) => row.mentions.map(({ name }) => name).join(', '), {
      room: 'flexible',
    }),
    count('citations', (row) => row.citations.length),
    text('region', (row) => row.region, { room: 'spare' }),
    text('model', (row) => row.model, { room: 'spare' }),
    text('id', (row) => row.id, { room: 'spare' }),
  ],
};

interface FilterFlags {
  readonly prompt?: string;
  readonly engine?: string;
}

export default class Answers extends listCommand('answers', {
  view,
  flags: {
    prompt: string({
      description: 'Only answers to this prompt; `svc prompts` lists the ids',
      helpValue: 'ID',
    }),
    engine: string({ description: 'Only answers of this engine, or of several', helpValue: 'ID[,ID…]' }),
  },
  filter: matching,
}) {
  static override description =
    'With --prompt or --engine the command reads pages, one request for 200 answers each, and stops at ' +
    `--limit rows (${CAPS.answers} when absent). The last 7 days have as many answers as prompts times engines times days.`;
  static override examples = [
    '<%= config.bin %> answers',
    '<%= config.bin %> answers --prompt pr_1 --engine perplexity --limit 5',
    '<%= config.bin %> answers --all --format csv',
  ];
}

/** @throws CommandError `usage` for an unknown engine. */
function matching({ prompt, engine }: FilterFlags): Filter<'answers'> | undefined {
  const engines = engine?.split(',').map((id) => knownEngine(id.trim()));
  if (prompt === undefined && engines === undefined) return undefined;
  return (row) =>
    (prompt === undefined || row.prompt_id === prompt) &&
    (engines === undefined || engines.includes(row.engine));
}

function knownEngine(id: string): string {
  const known: readonly string[] = engineIds;
  if (known.includes(id)) return id;
  throw new CommandError('usage', `--engine: unknown engine: ${id}.${suggestion(id, known)}`, {
    hint: `Known engines: ${known.join(', ')}.`,
  });
}
