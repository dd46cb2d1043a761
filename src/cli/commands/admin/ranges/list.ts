import { type AddressList, listEnd } from '../../../../logs/clients/lists.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { currentTime } from '../../../clock.js';
import { count, text } from '../../../render/view.js';

export default rowsCommand<AddressList>({
  summary: 'List the address ranges by which crawlers are verified, and when each was fetched last',
  rows: async (db) => {
    const { addressLists } = await import('../../../../server/base/address-lists.js');
    return addressLists(db);
  },
  payload: (lists) => ({ ranges: lists.map((list) => payloadOf(list, currentTime())) }),
  view: {
    noun: 'lists',
    columns: [
      text('list', ({ name }) => name),
      text('of', ({ operator }) => operator, { room: 'flexible' }),
      count('ranges', ({ prefixes, checked }) => (checked === null ? null : prefixes.length)),
      text('fetched', ({ checked }) => checked),
      text('state', (list) => states[stateOf(list, currentTime())]),
      text('published', ({ created }) => created ?? '', { room: 'spare' }),
      text('from', ({ url }) => url, { room: 'spare' }),
    ],
  },
});

/** Crawlers of a list that is not in use are not known, neither verified nor not. */
const states = { in_use: 'in use', too_old: 'too old: not known', no_copy: 'no copy: not known' } as const;

/** Networks forward requests of others: an old list of them is better than none. */
function stateOf(list: AddressList, now: Date): keyof typeof states {
  if (list.checked === null) return 'no_copy';
  return !list.forwards && listEnd(list) <= now.getTime() ? 'too_old' : 'in_use';
}

const payloadOf = (list: AddressList, now: Date) => {
  const { name, operator, url, created, checked, prefixes } = list;
  const state = stateOf(list, now);
  return { name, operator, url, created, fetched: checked, ranges: prefixes.length, state };
};
