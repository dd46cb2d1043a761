import { expect } from 'chai';
import { exampleAnswers } from '../../../scripts/generate/examples.js';
import { examples } from '../../../src/server/openapi/generated/examples.js';
import { emptyDatabase } from '../../support/database.js';

describe('the examples of the OpenAPI document', () => {
  it('the examples of the OpenAPI document are what the demo answers; npm run generate writes them', async () => {
    const database = await emptyDatabase();
    try {
      const text = await exampleAnswers(database);
      expect(JSON.parse(text.slice(text.indexOf('= {') + 2, text.lastIndexOf(';')))).to.deep.equal(examples);
    } finally {
      await database.close();
    }
  });
});
