/** A small data set with one brand for every relation between a brand and a key. */

/** The time of the servers in these tests, unless a test changes it. */
export const NOW = new Date('2026-11-20T12:00:00Z');

const workspace = (id: string) => ({ type: 'workspace', id, name: id, plan: 'growth' });

const brand = (id: string, owner: string, created_at: string | null, fields: object = {}) => ({
  type: 'brand',
  id,
  workspace: owner,
  name: `Brand ${id}`,
  domain: `${id}.example`,
  created_at,
  ...fields,
});

export const prompt = (of: string, id: string) => ({
  type: 'prompt',
  id,
  brand: of,
  text: `${id} for ${of}?`,
  created_at: '2026-10-01T00:00:00Z',
});

export const run = (of: string, id: string, collected_at: string, fields: object = {}) => ({
  type: 'run',
  id,
  brand: of,
  prompt: 'p1',
  engine: 'chatgpt',
  region: 'us',
  collected_at,
  mentions: [{ name: `Brand ${of}`, order: 1 }],
  citations: [{ url: `https://${of}.example/page` }],
  ...fields,
});

const collected = (id: string, day = '2026-11-17') => [
  prompt(id, 'p1'),
  prompt(id, 'p2'),
  run(id, 'r1', `${day}T08:00:00Z`),
  run(id, 'r2', `${day}T09:00:00Z`, { mentions: [], citations: [] }),
];

/** Workspace `w` (oldest brand `first`), `other` with the oldest brand of all, and `bare` without a brand. */
export const records: readonly object[] = [
  workspace('w'),
  workspace('other'),
  workspace('bare'),
  brand('second', 'w', '2026-02-01T00:00:00Z'),
  brand('first', 'w', '2026-01-01T00:00:00Z'),
  brand('stopped', 'w', '2026-03-01T00:00:00Z', { archived_at: '2026-11-18T00:00:00Z' }),
  brand('uncollected', 'w', '2026-04-01T00:00:00Z'),
  brand('foreign', 'other', '2025-01-01T00:00:00Z'),
  ...['first', 'second', 'stopped', 'foreign'].flatMap((id) => collected(id)),
];

/** The same without prompts and answers, which take most of the time of an import. */
export const brandRecords = records.filter(
  (each) => 'type' in each && ['workspace', 'brand'].includes(`${each.type}`),
);

/** A workspace whose brands were created at the same time or have no creation time. */
export const undatedRecords: readonly object[] = [
  workspace('ties'),
  brand('a-undated', 'ties', null),
  brand('tie-b', 'ties', '2026-05-01T00:00:00Z'),
  brand('tie-a', 'ties', '2026-05-01T00:00:00Z'),
  ...['a-undated', 'tie-b', 'tie-a'].flatMap((id) => collected(id)),
];
