import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalUrl,
  threadKind,
  youtubeVideoId,
} from '../../../../src/server/answers/citations/canonical-url.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { citedUrl } from './arbitraries.js';

const url = (cited: string) => canonicalUrl(cited).url;

describe('the canonical URL', () => {
  it('keeps scheme, www, trailing slash and path case', () => {
    for (const kept of [
      'http://www.example.com/A/b/',
      'https://example.com/A',
      'https://example.com/a%7Eb?x=1',
    ]) {
      expect(url(kept)).to.equal(kept);
    }
  });

  it('drops the fragment and an empty query', () => {
    expect(url('https://example.com/a?#part')).to.equal('https://example.com/a');
    expect(url('https://example.com/a?&#part')).to.equal('https://example.com/a');
  });

  it('drops tracking pairs by their decoded key in any case', () => {
    const cited = 'https://example.com/a?UTM_Source=x&ref&Ref=1&fbclid=2&GCLID=3&%75tm_id=4&%72ef=5';
    expect(url(cited)).to.equal('https://example.com/a');
  });

  it('keeps keys that only resemble tracking keys', () => {
    for (const query of [
      'utm=1',
      'xutm_source=1',
      'referrer=1',
      'refs=1',
      'a=utm_source',
      'utm+source=1',
      '?ref=1',
      '+ref=1',
    ]) {
      expect(url(`https://example.com/a?${query}`)).to.equal(`https://example.com/a?${query}`);
    }
  });

  it('keeps the other pairs unchanged and in order', () => {
    const kept = 'b=1+2&a=%20&c&d=&a=%e4%zz&%=1&amp;e=2&f=%2F/';
    expect(url(`https://example.com/?${kept.replace('&c', '&utm_x=1&c')}`)).to.equal(
      `https://example.com/?${kept}`,
    );
  });

  it('is the same for spellings that send the same request', () => {
    expect(url(' HTTPS://Example.COM:443/a/../b c ')).to.equal('https://example.com/b%20c');
    expect(url('http://example.com:80')).to.equal('http://example.com/');
  });

  it('has the host without port and one leading www as its domain', () => {
    expect(canonicalUrl('https://WWW.Example.com:8443/').domain).to.equal('example.com');
    expect(canonicalUrl('https://www.www.example.com/').domain).to.equal('www.example.com');
    expect(canonicalUrl('http://[2001:db8::1]:8080/').domain).to.equal('[2001:db8::1]');
    expect(canonicalUrl('https://youtu.be/dQw4w9WgXcQ').domain).to.equal('youtube.com');
  });

  it('is the unchanged text without a domain if that is not an http(s) URL', () => {
    for (const cited of [
      '',
      'example.com/a?ref=1',
      'ftp://example.com/?ref=1',
      'mailto:a@b.c',
      'http://',
      ' not a url#x',
      'https://a b/',
    ]) {
      expect(canonicalUrl(cited)).to.deep.equal({ url: cited, domain: '' });
    }
  });

  it('is idempotent and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          citedUrl(),
          fc.string({ unit: 'binary' }),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
        ),
        (cited) => {
          const once = canonicalUrl(cited);
          expect(canonicalUrl(once.url)).to.deep.equal(once);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not change if a tracking pair is added anywhere', () => {
    const tracking = fc.constantFrom('utm_source=a', 'UTM_x', 'ref=%zz', 'fbclid=', '%67clid=1');
    const pairs = fc.array(fc.stringMatching(/^[a-qs-tv-z0-9%+=;]{1,6}$/), { maxLength: 5 });
    fc.assert(
      fc.property(pairs, tracking, fc.nat(), (kept, added, at) => {
        const cut = at % (kept.length + 1);
        const query = [...kept.slice(0, cut), added, ...kept.slice(cut)].join('&');
        const expected =
          kept.length === 0 ? 'https://example.com/p' : `https://example.com/p?${kept.join('&')}`;
        expect(url(`https://example.com/p?${query}#f`)).to.equal(expected);
      }),
    );
  });
});

const ID = 'dQw4w9WgXcQ';
const expectKey = (key: string, cited: string[]) => {
  for (const spelling of cited) expect(url(spelling), spelling).to.equal(key);
};
/** Expects that only the general rule applies. The URLs have no tracking pairs, so they stay unchanged. */
const expectNoKey = (cited: string[]) => {
  for (const other of cited) expect(url(other), other).to.equal(other);
};

describe('the content key', () => {
  it('is the same for all spellings of one YouTube video', () => {
    const paths = [
      `watch?v=${ID}`,
      `watch?t=1&list=x&v=${ID}&v=other`,
      `watch?list=x&amp;v=${ID}`,
      `watch/?v=${ID}#t=1`,
    ];
    const forms = ['watch', 'v', 'vi', 'e', 'embed', 'shorts', 'live'].map((form) => `${form}/${ID}?si=x`);
    const hosts = [
      'youtube.com',
      'www.youtube.com',
      'm.youtube.com',
      'music.youtube.com',
      'gaming.youtube.com',
    ];
    const others = [
      'youtube-nocookie.com',
      'www.youtube-nocookie.com',
      'youtubekids.com',
      'WWW.YouTubeKids.com',
    ];
    for (const host of [...hosts, ...others]) {
      expectKey(
        `https://www.youtube.com/watch?v=${ID}`,
        [...paths, ...forms].map((path) => `http://${host}/${path}`),
      );
    }
    expectKey(`https://www.youtube.com/watch?v=${ID}`, [
      `https://youtu.be/${ID}?si=1`,
      `https://youtu.be/${ID}/`,
    ]);
  });

  it('does not exist for other YouTube pages and malformed ids', () => {
    expectNoKey([
      'https://www.youtube.com/watch?v=short',
      `https://www.youtube.com/watch?v=${ID}X`,
      `https://www.youtube.com/watch?v=bad&v=${ID}`,
      'https://www.youtube.com/embed/videoseries?list=PL1',
      'https://www.youtube.com/embed/live_stream?channel=UC1',
      'https://www.youtube.com/playlist?list=PL1',
      `https://www.youtube.com/oembed?url=https://youtu.be/${ID}`,
      `https://www.youtube.com/@name?v=${ID}`,
    ]);
  });

  it('does not exist on hosts that only resemble the site', () => {
    const path = `watch?v=${ID}&t=1`;
    const hosts = [
      'notyoutube.com',
      'youtube.com.evil.com',
      'my.youtube.com.de',
      'youtube.com:8443',
      'youtube.co',
    ];
    expectNoKey(hosts.map((host) => `https://${host}/${path}`));
    expectNoKey([
      `https://youtube.com@evil.com/${path}`,
      'https://notreddit.com/r/a/comments/1abcd2/slug/',
      'https://reddit.com.evil.com/comments/1abcd2',
      'https://i.redd.it/1abcd2',
      'https://notstackoverflow.com/questions/1/slug',
      'https://stackexchange.com.evil.com/q/1/2',
      'https://notquora.com/What-is-it?share=1',
    ]);
  });

  it('is the same for all permalinks of one Reddit thread', () => {
    expectKey('https://www.reddit.com/comments/1abcd2/', [
      'https://www.reddit.com/r/CRM/comments/1abcd2/best_crm/',
      'http://old.reddit.com/r/CRM/comments/1ABCD2',
      'https://de.reddit.com/r/CRM/comments/1abcd2/best_crm/k1x2y3/?context=3',
      'https://np.reddit.com/user/somebody/comments/1abcd2/slug/',
      'https://reddit.com/comments/1abcd2?share_id=x',
      'https://www.reddit.com/r/CRM/comments/1abcd2.json',
      'https://www.reddit.com/gallery/1abcd2',
      'https://redd.it/1abcd2',
    ]);
  });

  it('does not exist for other Reddit pages', () => {
    expectNoKey([
      'https://www.reddit.com/r/CRM/?sort=top',
      'https://www.reddit.com/r/CRM/s/AbCdEf',
      'https://www.reddit.com/r/CRM/comments/not_an_id/',
      'https://www.reddit.com/r/CRM/comments/',
      'https://redd.it/',
    ]);
  });

  it('is the same for all links to one Stack Exchange question, with the cited host', () => {
    for (const host of [
      'stackoverflow.com',
      'pt.stackoverflow.com',
      'superuser.com',
      'dba.stackexchange.com',
    ]) {
      const paths = [
        'questions/11/how-to',
        'questions/11/how-to/22?noredirect=1#22',
        'q/11',
        'q/11/99',
        'questions/11?lq=1',
      ];
      expectKey(
        `https://${host}/questions/11`,
        paths.map((path) => `http://${host}/${path}`),
      );
      expectKey(`https://${host}/a/22`, [`https://${host}/a/22/99`, `https://${host}/a/22`]);
    }
  });

  it('does not exist for other Stack Exchange pages', () => {
    expectNoKey([
      'https://stackoverflow.com/questions/tagged/sql?tab=Votes',
      'https://stackoverflow.com/questions?page=2',
      'https://stackoverflow.com/questions/11x/a?b=1',
      'https://stackoverflow.com/users/11/name?tab=profile',
    ]);
  });

  it('is the same for all links to one Quora question, with the cited host', () => {
    const paths = [
      'What-is-a-CRM',
      'What-is-a-CRM?share=1',
      'unanswered/What-is-a-CRM',
      'What-is-a-CRM/answer/Some-User',
    ];
    expectKey(
      'https://www.quora.com/What-is-a-CRM',
      paths.map((path) => `http://www.quora.com/${path}`),
    );
    expectKey('https://de.quora.com/Was-ist-CRM', ['https://de.quora.com/Was-ist-CRM?no_redirect=1']);
  });

  it('does not exist for other Quora pages', () => {
    expectNoKey([
      'https://www.quora.com/',
      'https://www.quora.com/search?q=crm',
      'https://www.quora.com/profile/Some-User?x=1',
      'https://www.quora.com/topic/CRM?x=1',
    ]);
  });

  it('is the same for all posts of one Discourse topic', () => {
    expectKey('https://meta.example.org/t/a-slug/123', [
      'https://meta.example.org/t/a-slug/123/4',
      'https://meta.example.org/t/a-slug/123/45/?u=somebody',
      'https://meta.example.org/t/a-slug/123',
    ]);
  });

  it('does not exist for paths that only resemble a Discourse post', () => {
    expectNoKey([
      'https://example.org/t/2026/05/01?x=1',
      'https://example.org/t/slug/abc/1?x=1',
      'https://example.org/t/slug/123?colour=red',
      'https://example.org/a/t/slug/123/4',
      'http://example.org:3000/t/slug/123/4',
    ]);
  });

  it('contains the id of a video, which is null for other URLs', () => {
    expect(youtubeVideoId(`https://youtu.be/${ID}`)).to.equal(ID);
    expect(youtubeVideoId(`https://youtube.com/shorts/${ID}`)).to.equal(ID);
    for (const other of [
      '',
      'x',
      `ftp://youtu.be/${ID}`,
      `https://youtu.be:81/${ID}`,
      'https://youtube.com/',
    ]) {
      expect(youtubeVideoId(other), other).to.equal(null);
    }
  });
});

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
