import { expect } from 'chai';
import { canonicalUrl, threadKind } from '../../../src/server/citations/canonical-url.js';
import { pageType } from '../../../src/server/citations/page-type.js';

const threads: Record<string, string[]> = {
  video: ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://m.youtube.com/shorts/dQw4w9WgXcQ'],
  forum: [
    'https://old.reddit.com/r/crm/comments/1ABCD2/which_one/?sort=new',
    'https://redd.it/1abcd2',
    'https://meta.discourse.org/t/some-topic/123/45',
    'https://talk.example/t/some-topic/123',
  ],
  qa: [
    'https://stackoverflow.com/questions/11/how-to#12',
    'https://crm.stackexchange.com/q/11/2',
    'https://superuser.com/a/12/3',
    'https://www.quora.com/Which-CRM-is-best/answer/Someone',
  ],
};

describe('the kind of a thread', () => {
  it('follows from the canonical URL of every site with a content key', () => {
    for (const [kind, urls] of Object.entries(threads)) {
      for (const url of urls) expect(threadKind(canonicalUrl(url).url), url).to.equal(kind);
    }
  });

  it('is null for other pages of those sites, for other sites, and for texts that are not addresses', () => {
    for (const url of [
      'https://www.youtube.com/@channel',
      'https://www.youtube.com/watch?v=short',
      'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
      'https://www.reddit.com/r/crm/',
      'https://stackoverflow.com/tags',
      'https://www.quora.com/about',
      'https://talk.example:8443/t/some-topic/123',
      'https://talk.example/t/2026/05',
      'https://acme.com/',
      'not an address',
      '',
    ]) {
      expect(threadKind(canonicalUrl(url).url), url).to.equal(null);
    }
  });

  it('exists only for pages on YouTube or with the type forum, because the query reads no others', () => {
    for (const url of Object.values(threads).flat()) {
      const { url: canonical, domain } = canonicalUrl(url);
      expect(domain === 'youtube.com' || pageType(canonical, null) === 'forum', url).to.equal(true);
    }
  });
});
