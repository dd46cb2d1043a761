/** What an applied change means, in sentences for people. */
import { grouped } from '../../contract/wording.js';
import type { CatalogChange, LikelyRename } from '../../server/intake/dataset/apply-catalog.js';
import type { KeptSpellings } from '../../server/intake/dataset/catalog-spellings.js';
import type { LostMentions } from '../../server/intake/dataset/entity-resolution.js';

/** Says that a former name, or a spelling that only the database has, stays. */
function keptText({ name, spellings }: KeptSpellings): string {
  const one = spellings.length === 1;
  const list = `forget = [${spellings.map((each) => JSON.stringify(each)).join(', ')}]`;
  return `${spellings.join(', ')} ${one ? 'stays a spelling' : 'stay spellings'} of ${name}, so that stored answers count for it; ${list} in its entry drops ${one ? 'it' : 'them'}.`;
}

/** Says how a new entity that may be a stored one keeps its history. */
function likelyText({ type, name, former }: LikelyRename): string {
  if (type === 'brand')
    return `${name} is a new brand, without the history of ${former.name}. If it is that brand under another name, id = ${JSON.stringify(former.id)} in [brand] keeps it.`;
  return `${name} is a new competitor, and ${former.name} is retired with its history. If both are one under another name, was = ${JSON.stringify(former.name)} in its entry keeps it.`;
}

/** Says what an entity loses by a change of names. */
export const lostText = ({ name, spelling, mentions }: LostMentions): string =>
  `${spelling} is no longer a spelling of ${name}: ${grouped(mentions)} stored ${mentions === 1 ? 'mention does' : 'mentions do'} not count for it any more.`;

/** Which names the stored answers have to be searched for in which only tracked names were looked for. Null: none. */
export function namesNote(changes: readonly CatalogChange[]): string | null {
  const isNew = ({ action }: CatalogChange) => action === 'add' || action === 'restore';
  const of = (rows: readonly CatalogChange[]) => rows.map(({ name }) => name).join(', ');
  const added = changes.filter((row) => row.type === 'competitor' && isNew(row));
  const renamed = changes.filter(
    ({ type, action, fields }) =>
      (type === 'competitor' || type === 'brand') &&
      (action === 'rename' || action === 'change') &&
      fields.some(({ field, after }) => (field === 'name' || field === 'aliases') && after !== null),
  );
  const names = [
    ...(added.length > 0 ? [of(added)] : []),
    ...(renamed.length > 0 ? [`new spellings of ${of(renamed)}`] : []),
  ];
  if (names.length === 0) return null;
  const rest =
    added.length === 0
      ? 'no verdict compares across a day whose texts are not stored'
      : `days that are not searched, because their texts are not stored, are not measured for ${added.length === 1 ? 'it' : 'them'}`;
  return `Stored answers are searched for ${names.join(', and ')}; ${rest}.`;
}

/** What the table of changes does not say. */
export const notesOn = ({
  likely,
  kept,
  lost,
}: {
  readonly likely: readonly LikelyRename[];
  readonly kept: readonly KeptSpellings[];
  readonly lost: readonly LostMentions[];
}): string[] => [...likely.map(likelyText), ...kept.map(keptText), ...lost.map(lostText)];
