import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { demoBrandId, demoDataset, demoWorkspaceId } from '../../../src/demo/data/index.js';
import type { DatasetRecord } from '../../../src/server/intake/dataset/records/index.js';
import { records } from '../../../src/server/intake/dataset/records/index.js';
import { datasetOf, NOW, recordsOf, shortDataset } from './dataset-of.js';

const moments = [
  '2026-11-20T13:00:00Z',
  '2026-12-01T00:01:00Z',
  '2026-08-03T12:00:00Z',
  '2028-02-29T23:59:59.999Z',
];
const keyOf = (record: DatasetRecord): string => {
  const parts = record as Record<string, unknown>;
  const names = [
    'product',
    'type',
    'brand',
    'workspace',
    'id',
    'entity',
    'engine',
    'date',
    'path',
    'ai_source',
    'country',
    'url',
  ];
  const others = ['video_id', 'query', 'domain', 'agent', 'time', 'status'];
  return JSON.stringify([...names, ...others].map((name) => parts[name] ?? null));
};
/** The whole demo at the first moment, its newest records at the others, which are about the borders of today. */
const newestAt = (moment: string): readonly DatasetRecord[] =>
  moment === moments[0] ? datasetOf(NOW) : [...shortDataset(new Date(moment))];
/** All times in a record. A day counts as its midnight. */
const timesOf = (record: DatasetRecord): string[] =>
  [...JSON.stringify(record).matchAll(/"(?:\w+_at|time|date|week|stats_as_of)":"([^"]+)"/g)].map(
    ([, time]) => time!,
  );

describe('the demo data', () => {
  for (const moment of moments) {
    it(`has only valid records, as of ${moment}`, () => {
      for (const record of newestAt(moment)) {
        const { error } = records[record.type].schema.safeParse(record);
        if (error) expect.fail(`${error.message}: ${JSON.stringify(record)}`);
      }
    });

    it(`has no time after now, as of ${moment}`, () => {
      const now = new Date(moment).getTime();
      const late = newestAt(moment).filter((record) =>
        timesOf(record).some((time) => Date.parse(time) > now),
      );
      expect(late).to.deep.equal([]);
    });
  }

  it('is always the same for the same moment, and takes seconds of processor time, not minutes', () => {
    const before = process.cpuUsage();
    const again = [...demoDataset(NOW)];
    const { user } = process.cpuUsage(before);
    expect(isDeepStrictEqual(again, datasetOf(NOW))).to.equal(true);
    // It takes about one second, and several times as long on a slow or busy machine.
    expect(user / 1e6).to.be.below(30);
  });

  it('has no two records with one key', () => {
    const seen = new Map<string, DatasetRecord>();
    for (const record of datasetOf(NOW)) {
      const key = keyOf(record);
      // Equal crawler hits count as one hit in the format; all other records must be unique.
      if (record.type !== 'crawler_event') expect(seen.get(key), key).to.equal(undefined);
      seen.set(key, record);
    }
  });

  it('has one workspace on the Growth plan, whose oldest brand is the demo brand', () => {
    expect(recordsOf('workspace').map(({ id, plan }) => [id, plan])).to.deep.equal([
      [demoWorkspaceId, 'growth'],
    ]);
    const brands = recordsOf('brand').sort((a, b) => (a.created_at! < b.created_at! ? -1 : 1));
    expect(brands.map(({ id }) => id)).to.deep.equal([demoBrandId, 'aerisvane', 'slumbrook']);
    expect(brands.map(({ archived_at }) => archived_at != null)).to.deep.equal([false, true, false]);
    expect(recordsOf('competitor').filter(({ brand }) => brand === demoBrandId)).to.have.lengthOf(6);
  });

  it('resolves every reference within the dataset', () => {
    const ids = (type: 'brand' | 'competitor' | 'prompt' | 'topic') =>
      new Set(
        recordsOf(type).map((record) => ('brand' in record ? `${record.brand}/${record.id}` : record.id)),
      );
    const [brands, competitors, prompts, topics] = [
      ids('brand'),
      ids('competitor'),
      ids('prompt'),
      ids('topic'),
    ];
    for (const record of datasetOf(NOW)) {
      if ('brand' in record) expect(brands.has(record.brand), record.brand).to.equal(true);
      if ('workspace' in record) expect(record.workspace).to.equal(demoWorkspaceId);
      if (record.type === 'run') expect(prompts.has(`${record.brand}/${record.prompt}`)).to.equal(true);
      if (record.type === 'prompt' && record.topic)
        expect(topics.has(`${record.brand}/${record.topic}`)).to.equal(true);
      if (record.type === 'daily_stat' || record.type === 'offsite_mention') {
        const known = record.entity === record.brand || competitors.has(`${record.brand}/${record.entity}`);
        expect(known, record.entity).to.equal(true);
      }
    }
  });

  it('covers every record type but the keys of lines, which the demo has none of', () => {
    const given = new Set(datasetOf(NOW).map(({ type }) => type)).add('referral_view');
    expect(Object.keys(records).filter((type) => !given.has(type as DatasetRecord['type']))).to.deep.equal(
      [],
    );
  });
});
