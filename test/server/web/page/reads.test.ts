import { expect } from 'chai';
import { NEVER_GONE } from '../../../../src/server/base/audience.js';
import { createVersions, type PageReads } from '../../../../src/server/web/page/reads.js';

describe('createVersions', () => {
  it('computes a read that is not cached once for concurrent requests', async () => {
    const computed: string[] = [];
    const reads: PageReads = {
      access: { plan: null, keyId: 'k' },
      gone: NEVER_GONE,
      until: () => reads,
      brand: { key: 7, dataVersion: 1, storedVersion: 1 },
      today: '2026-11-20',
      answer: async (name: string) => {
        computed.push(name);
        return { etag: '"tag"' };
      },
    } as unknown as PageReads;
    const versionsOf = createVersions({ clock: () => new Date('2026-11-20T12:00:00Z') } as never, () => 1);
    const versions = await Promise.all([1, 2, 3].map(() => versionsOf(['overview', 'fact-check'], reads)));
    expect(computed).to.deep.equal(['fact-check']);
    expect(versions).to.deep.equal(Array(3).fill('7 1 1\n"tag"'));
    await versionsOf(['fact-check'], reads);
    expect(computed).to.deep.equal(['fact-check']);
  });
});
