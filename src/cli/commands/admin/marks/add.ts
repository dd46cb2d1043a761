import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import type { Knex } from 'knex';
import { AdminCommand } from '../../../base/admin-command.js';
import { dayOf } from '../../../base/flags.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { importFailure } from '../../../failure/import-failure.js';
import { print } from '../../../render/terminal.js';
import { today } from '../../../render/wording.js';

export const brandFlag = string({ description: 'Brand id; default: the only one', helpValue: 'ID' });

/** @throws CommandError `usage` if no brand is given, and there is not exactly one. */
export async function onlyBrand(db: Knex, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const { listBrands } = await import('../../../../server/accounts/brands.js');
  const brands = await listBrands(db, {});
  if (brands.length === 1) return brands[0]!.id;
  throw new CommandError('usage', `There are ${brands.length} brands: give --brand ID.`);
}

const several = (description: string, helpValue = 'ID') =>
  string({
    description,
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
    helpValue: `${helpValue}[,${helpValue}…]`,
  });

export default class MarksAdd extends AdminCommand {
  static override summary = 'Mark what was done on a day, and for which prompts';
  static override description =
    'Without --prompt, --topic and --tag it is only a flag. With the --id of a mark it replaces that mark.';
  static override examples = [
    '<%= config.bin %> admin marks add "Grinder guide published" --day 2026-11-12 --tag grinder',
    '<%= config.bin %> admin marks add "Guide rewritten" --id guide --prompt p1,p2 --page https://example.com/guide',
  ];
  static override args = {
    text: Args.string({ description: 'What was done', required: true, ignoreStdin: true }),
  };
  static override flags = {
    brand: brandFlag,
    day: string({
      description: 'When: YYYY-MM-DD, today, yesterday, or 7d; default: today (UTC)',
      helpValue: 'DAY',
      parse: async (text) => dayOf(text),
    }),
    id: string({ description: 'Its id; default: from text and day', helpValue: 'ID' }),
    url: string({ description: 'Where to read about it', helpValue: 'URL' }),
    prompt: several('The prompts that it was done for'),
    topic: several('Instead, topic folders'),
    tag: several('Instead, tags', 'TAG'),
    page: several('Pages that it made or changed', 'URL'),
    engine: several('Engines that it was done for; default: those with a web search'),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(MarksAdd);
    const { url, prompt: prompts, topic: topics, tag: tags, page: pages, engine: engines } = flags;
    const { derivedId } = await import('../../../../server/intake/dataset/catalog-ids.js');
    const { importDataset } = await import('../../../../server/intake/dataset/import.js');
    const day = flags.day ?? today();
    const id = flags.id ?? derivedId(`${args.text} ${day}`);
    const brand = await this.withDatabase(flags, async (db) => {
      const owner = await onlyBrand(db, flags.brand);
      const record = { type: 'mark', id, brand: owner, day, text: args.text };
      const line = JSON.stringify({ ...record, url, prompts, topics, tags, pages, engines });
      try {
        await importDataset(db, bytesOf(line), { now: currentTime() });
      } catch (error) {
        throw await importFailure('the mark', error, 'nothing was written');
      }
      return owner;
    });
    if (flags.json) return print(`${JSON.stringify({ id, brand, day })}\n`);
    this.note(`Marked on ${day} for ${brand}; \`${this.config.bin} effect ${id}\` says whether it helped.`);
    return print(`${id}\n`);
  }
}

async function* bytesOf(line: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line);
}
