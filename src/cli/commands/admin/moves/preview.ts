import { integer, string } from '@oclif/core/flags';
import type { Grouped } from '../../../../contract/move-groups.js';
import { type MoveRole, moveText } from '../../../../contract/moves.js';
import { counted } from '../../../../contract/wording.js';
import type { FoundMove } from '../../../../server/alerts/moves/found.js';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { type TableView, text } from '../../../render/view.js';

interface Row {
  readonly told_on: string;
  readonly day: string;
  readonly kind: string;
  readonly text: string;
  readonly role: MoveRole;
  /** The night of the message that tells it. */
  readonly group: string;
}

const view: TableView<Row> = {
  noun: 'moves in these days',
  columns: [
    text('told on', (row) => row.told_on),
    text('about the days to', (row) => row.day, { room: 'spare' }),
    text('as', (row) => row.role),
    text('what', (row) => row.text, { room: 'flexible' }),
  ],
};

const DAYS = { default: 90, most: 366 } as const;

export default class MovesPreview extends AdminCommand {
  static override summary = 'Show what would have been told of a brand in the last days, and when';
  static override description =
    'Replays the stored days by the rules of the server, and stores nothing. What robots.txt and the pages of the site ' +
    'were like is not stored by day, so that their changes are not in it.';
  static override examples = ['<%= config.bin %> admin moves preview --brand acme --days 90'];
  static override flags = {
    brand: string({ description: 'Brand id', required: true, helpValue: 'ID' }),
    days: integer({
      description: `Days to replay, up to yesterday; default: ${DAYS.default}`,
      helpValue: 'DAYS',
      default: DAYS.default,
      min: 1,
      max: DAYS.most,
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(MovesPreview);
    const { replayedMoves } = await import('../../../../server/alerts/moves/tell.js');
    const { brandKeys } = await import('../../../../server/intake/dataset/import-locks.js');
    const { addDays, utcDay, windowEnding } = await import('../../../../server/base/days.js');
    const nights = windowEnding(addDays(utcDay(currentTime()), -1), flags.days);
    const replayed = await this.withDatabase(flags, async (db) => {
      const brand = (await brandKeys(db, {})).find(({ id }) => id === flags.brand);
      if (!brand) throw new CommandError('not_found', `No brand ${flags.brand} exists.`);
      return replayedMoves(db, brand.key, nights);
    });
    const rows = replayed.map(rowOf);
    const messages = rows.filter(({ role }) => role === 'headline').length;
    const payload = { brand: flags.brand, window: nights, messages, moves: rows };
    await this.show(flags, payload, view, rows);
    if (!flags.json && rows.length > 0)
      this.note(
        `${counted(rows.length, 'move')} in ${counted(messages, 'message')}, one a night; folded ones are in none.`,
      );
  }
}

const rowOf = ({ night, group, role, move: { kind, day, facts } }: Grouped<FoundMove>): Row => ({
  told_on: night,
  day,
  kind,
  text: [moveText(kind, facts as never, day), 'because' in facts ? facts.because : null]
    .filter(Boolean)
    .join(' '),
  role,
  group,
});
