import { expect } from 'chai';
import { canonicalUrl, youtubeVideoId } from '../../../src/server/citations/canonical-url.js';

const ID = 'dQw4w9WgXcQ';
const url = (cited: string) => canonicalUrl(cited).url;
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
