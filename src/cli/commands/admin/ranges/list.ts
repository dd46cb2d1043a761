import { type AddressList, listEnd } from '../../../../logs/index.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { currentTime } from '../../../clock.js';
import { count, text } from '../../../render/view.js';

export default rowsCommand<AddressList>({
  summary: 'List the address ranges by which crawlers are verified, and when each was fetched last',
  rows: async (db) => {
    const { addressLists } = await import('../../../../server/base/address-lists.js');
    return addressLists(db);
  },
  payload: (lists) => ({ ranges: lists.map(payloadOf) }),
  view: {
    noun: 'lists',
    columns: [
      text('list', ({ name }) => name),
      text('of', ({ operator }) => operator, { room: 'flexible' }),
      count('ranges', ({ prefixes, checked }) => (checked === null ? null : prefixes.length)),
      text('fetched', ({ checked }) => checked),
      text('state', (list) => stateOf(list, currentTime())),
      text('published', ({ created }) => created ?? '', { room: 'spare' }),
      text('from', ({ url }) => url, { room: 'spare' }),
    ],
  },
});

/** Networks forward requests of others: an old list of them is better than none. */
function stateOf(list: AddressList, now: Date): string {
  if (list.checked === null) return 'no copy: not known';
  return !list.forwards && listEnd(list) <= now.getTime() ? 'too old: not known' : 'in use';
}

const payloadOf = ({ name, operator, url, created, checked, prefixes }: AddressList) => ({
  name,
  operator,
  url,
  created,
  fetched: checked,
  ranges: prefixes.length,
});
