import { expect } from 'chai';
import type { Database } from '../../../../src/server/database/database.js';
import { CitedPages } from '../../../../src/server/intake/dataset/cited-urls.js';
import { emptyDatabase } from '../../../support/database.js';
import { load, market, runOf } from './support/load.js';

describe('dataset: cited pages', () => {
  it('are one object per brand and URL, and one per title of it', () => {
    const pages = new CitedPages();
    const page = pages.page('b', 'https://x.example/?utm_source=a');
    expect(page).to.deep.include({ url: 'https://x.example/', domain: 'x.example', key: 0 });
    expect(pages.page('b', 'https://x.example/?utm_source=a')).to.equal(page);
    expect(pages.page('c', 'https://x.example/?utm_source=a')).not.to.equal(page);
    const titles = ['A', 'B', 'C', 'B', 'A'].map((title) => pages.title('b', page, title));
    expect(titles.map(({ title }) => title)).to.deep.equal(['A', 'B', 'C', 'B', 'A']);
    expect(new Set(titles)).to.have.property('size', 3);
  });

  it('are new once, in the order in which they are cited', () => {
    const pages = new CitedPages();
    const [x, y] = ['https://x.example/', 'https://y.example/'].map((url) => pages.page('b', url)) as [
      ReturnType<CitedPages['page']>,
      ReturnType<CitedPages['page']>,
    ];
    const title = pages.title('b', y, 'Y');
    pages.page('b', 'https://x.example/');
    expect(pages.takeNew().get('b')).to.deep.equal({ pages: [x, y], titles: [title] });
    pages.title('b', y, 'Y');
    expect(pages.takeNew().get('b')).to.equal(undefined);
  });

  describe('in the database', () => {
    let database: Database;
    let canParse: typeof URL.canParse;
    beforeEach(async () => {
      database = await emptyDatabase();
      canParse = URL.canParse;
    });
    afterEach(() => {
      URL.canParse = canParse;
      return database.close();
    });

    it('have their URL parsed twice, however many titles answers give them', async () => {
      const cited = 'https://x.example/best/crm';
      const titles = ['Best CRM', 'How to choose', 'CRM review', 'A vs B', 'News'];
      let parsed = 0;
      URL.canParse = (url, base) => {
        if (String(url) === cited) parsed++;
        return canParse.call(URL, url, base);
      };
      const citations = titles.map((title) => ({ url: cited, title }));
      await load(database.knex, [...market, runOf('a', { citations }), runOf('b', { citations })]);
      expect(parsed).to.equal(2);
      const { rows } = await database.knex.raw('select title, page_type from page_titles order by title_key');
      expect(rows.map(({ title }: { title: string }) => title)).to.deep.equal(titles);
    });
  });
});
