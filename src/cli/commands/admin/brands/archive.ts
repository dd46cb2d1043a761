import { changeCommand } from '../../../base/change-command.js';

export default changeCommand({
  summary: 'Stop collection for a brand; it stays in the list and can be read',
  id: 'Brand id',
  example: 'acme',
  change: async (db, id, now) => {
    const { archiveBrand } = await import('../../../../server/accounts/brands.js');
    return archiveBrand(db, id, now);
  },
  missing: (id) => `No brand ${id} exists.`,
  done: (_, __, { id, archivedAt }) => ({
    json: { id, archived_at: archivedAt },
    text: `${id} is archived since ${archivedAt.toISOString()}.`,
  }),
});
