import { Args } from '@oclif/core';
import { url } from '@oclif/core/flags';
import { exitCodes } from '../../../../contract/failure.js';
import type { Refreshed } from '../../../../server/intake/ingest/update-lists.js';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { count, type TableView, text } from '../../../render/view.js';

export default class RangesUpdate extends AdminCommand {
  static override summary =
    'Fetch the address ranges of crawlers from their operators, for all servers of the database';
  static override description =
    'A file that is truncated, empty, larger than 1 MiB or has a range wider than /12 (IPv6: /28) is refused, and the list stays as it is. Lists older than 90 days verify nothing.';
  static override examples = [
    '<%= config.bin %> admin ranges update',
    '<%= config.bin %> admin ranges update gptbot --from https://mirror.example/ranges',
  ];
  static override args = {
    name: Args.string({
      description: 'One list, as `ranges list` shows it; default: all',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    from: url({
      description: 'Fetch FOLDER/NAME.json instead of the files of the operators; any address is accepted',
      helpValue: 'FOLDER',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(RangesUpdate);
    const { shippedLists } = await import('../../../../logs/clients/lists.js');
    const { storeList } = await import('../../../../server/base/address-lists.js');
    const { refreshedList } = await import('../../../../server/intake/ingest/update-lists.js');
    const lists = shippedLists.filter(({ name }) => args.name === undefined || name === args.name);
    if (lists.length === 0)
      throw new CommandError('usage', `There is no list ${args.name}.`, {
        hint: `Lists: ${shippedLists.map(({ name }) => name).join(', ')}.`,
      });
    const from = flags.from?.href.replace(/\/*$/, '');
    const urlOf = ({ name, url }: { name: string; url: string }) =>
      from === undefined ? url : `${from}/${name}.json`;
    const refreshed = await Promise.all(lists.map((list) => refreshedList(list, urlOf, from !== undefined)));
    const now = currentTime();
    await this.withDatabase(flags, async (db) => {
      for (const { list, content } of refreshed) if (content) await storeList(db, list, content, now);
    });
    const failed = refreshed.filter(({ content }) => content === null);
    const failure =
      failed.length === 0
        ? null
        : new CommandError(
            'incomplete',
            `${failed.length} of ${refreshed.length} lists stay as they are: ${failed.map(({ list }) => list.name).join(', ')}.`,
          );
    // Under --json both are one object.
    const error = failure && {
      error: { code: failure.kind, message: failure.message, status: null, retryable: false },
    };
    await this.show(flags, { ...error, ranges: refreshed.map(payloadOf) }, view, refreshed);
    if (failure === null) return;
    if (!flags.json) throw failure;
    this.exit(exitCodes[failure.kind]);
  }
}

const view: TableView<Refreshed> = {
  noun: 'lists',
  columns: [
    text('list', ({ list }) => list.name),
    text('of', ({ list }) => list.operator, { room: 'flexible' }),
    count('ranges', ({ content }) => content?.prefixes.length ?? null),
    text('published', ({ content }) => content?.created ?? ''),
    text('result', ({ reason }) => (reason === null ? 'fetched' : `refused: ${reason}`), {
      room: 'flexible',
    }),
  ],
};

const payloadOf = ({ list, content, reason }: Refreshed) => ({
  name: list.name,
  ranges: content?.prefixes.length ?? null,
  created: content?.created ?? null,
  reason,
});
