/** The briefing of a brand in a terminal, for `svc` without a command; and why no newer answers come. */
import { type CollectionFault, faultText } from '../../contract/collection.js';
import { daysBetween } from '../../contract/days.js';
import { label } from '../../contract/glossary.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import { MAX_ITEMS } from '../../contract/needs.js';
import { printable } from '../../contract/printable.js';
import type { Briefing, Need } from '../../contract/reads/briefing.js';
import type { Move } from '../../contract/reads/moves.js';
import type { Overview } from '../../contract/reads/overview.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import { count, type TableView, text } from '../render/view.js';
import { headingLines, shellWord, today } from '../render/wording.js';

/** Says in the help of commands which days they read without a window. */
export const OPENS =
  'The days are the longest of 56, 28, 14 and 7 to today in which it is known whether presence moved, as on the page.';

/** Why no newer answers come, asked for if days to today have none of today; null: nothing is known. */
export async function readFault(
  svc: SvcClient,
  { brand, window, measured }: Partial<Pick<Overview, 'brand' | 'window' | 'measured'>>,
  options: CallOptions,
): Promise<CollectionFault | null> {
  if (window?.end !== today() || measured?.last_day === window.end) return null;
  try {
    const { brands } = await svc.brands.top(undefined, options);
    return brands.find(({ id }) => id === brand?.id)?.collection_fault ?? null;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
}

/** The sentence about a fault; none without one. */
export const faultSentences = (fault: CollectionFault | null | undefined): string[] =>
  fault ? [`No newer answers come: ${printable(faultText(fault))}`] : [];

/** The command that shows what a read lists, if it has another name. */
const COMMANDS: { readonly [read: string]: string } = { prompts: 'losing', 'metrics/history': 'history' };

/** `svc answers --engine grok --days 28` */
function commandOf({ lead: { read, params } }: Need): string {
  const { from, to, kind, metric, tone, engine } = params;
  const flags = Object.entries({ metric, tone, engine: read === 'prompts' ? null : engine });
  return [
    ...['svc', COMMANDS[read] ?? read],
    ...(kind === null ? [] : [kind]),
    ...flags.flatMap(([name, value]) =>
      value === null ? [] : [`--${name} ${value.split(',').map(shellWord).join()}`],
    ),
    ...(from === null || to === null ? [] : windowFlags(from, to)),
  ].join(' ');
}

/** The flags with which another command has the same days. */
function windowFlags(from: string, to: string): string[] {
  const days = daysBetween(from, to) + 1;
  if (to !== today()) return [`--from ${from} --to ${to}`];
  return days === WINDOW_DAYS ? [] : [`--days ${days}`];
}

/** The moves that were told and still stand. */
export const standing = (moves: readonly Move[]): Move[] =>
  moves.filter(({ current, role }) => current && role !== 'folded');

const MOVES_SHOWN = 3;

export const HELP = '`svc --help` lists the commands.';

function drawBriefing(briefing: Briefing, document: Document): void {
  const { sentence, needs, moves, measured } = briefing;
  const [title, filters] = headingLines(briefing);
  document.title(title, filters);
  document.sentences(sentence);
  // Without answers nothing says that nothing needs anybody.
  if (needs.length === 0 && measured !== null) document.sentences('Nothing needs you.');
  if (needs.length > 0) document.title('What needs you');
  for (const need of needs.slice(0, MAX_ITEMS))
    document.item(
      need.text,
      [],
      [
        ['', need.advice],
        ['', commandOf(need)],
      ],
    );
  const more = needs.length - MAX_ITEMS;
  if (more > 0) document.sentences(`${more} more: \`svc summary --json\` has all.`);
  const told = standing(moves).slice(0, MOVES_SHOWN);
  if (told.length > 0) document.title('What moved');
  for (const { day, text: said } of told) document.item(said, [], [['', day]]);
  document.sentences(HELP);
}

const needsView: TableView<Need> = {
  noun: 'needs',
  columns: [
    text('need', ({ kind }) => kind),
    count(label('answers'), ({ worth }) => worth),
    text('finding', (need) => need.text, { room: 'flexible' }),
    text('advice', ({ advice }) => advice, { room: 'flexible' }),
  ],
};

export const briefingView: Drawing<Briefing, Need> = { table: () => needsView, draw: drawBriefing };
