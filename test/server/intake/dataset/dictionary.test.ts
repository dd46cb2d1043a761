import { expect } from 'chai';
import { Dictionary } from '../../../../src/server/intake/dataset/dictionary.js';
import { emptyDatabase } from '../../../support/database.js';
import { shared } from '../../../support/hooks.js';

describe('dataset: the dictionary', () => {
  const database = shared(emptyDatabase);

  it('numbers each text of a brand once, from 1, and finds it again', async () => {
    await database.knex.transaction(async (trx) => {
      const first = new Dictionary(trx, 'mention_names', 'name_key', 'name');
      await first.ensure(1, ['a', 'b', 'a']);
      await first.ensure(2, ['b']);
      const second = new Dictionary(trx, 'mention_names', 'name_key', 'name');
      await second.ensure(1, ['c', 'b', 'a']);
      expect(['a', 'b', 'c'].map((text) => second.keyOf(1, text))).to.deep.equal([1, 2, 3]);
      expect(first.keyOf(2, 'b')).to.equal(1);
      expect(second.firstNew.get(1)).to.equal(3);
    });
  });

  it('keeps the texts of a batch, although its cache is emptied in between', async () => {
    await database.knex.transaction(async (trx) => {
      const dictionary = new Dictionary(trx, 'mention_names', 'name_key', 'name', 10);
      const texts = (from: number) => Array.from({ length: 10 }, (_, at) => `text ${from + at}`);
      await dictionary.ensure(3, texts(0));
      dictionary.forgetIfFull();
      await dictionary.ensure(3, ['text 0', ...texts(10).slice(0, 9)]);
      expect(dictionary.keyOf(3, 'text 0')).to.equal(1);
      dictionary.forgetIfFull();
      expect(() => dictionary.keyOf(3, 'text 5')).to.throw('unknown key');
      await dictionary.ensure(3, ['text 5']);
      expect(dictionary.keyOf(3, 'text 5')).to.equal(6);
    });
  });
});
