import { expect } from 'chai';
import { replyJson } from '../../src/language-models/reply-json.js';

describe('the JSON in a reply', () => {
  it('is the text, or the content of a code fence around it', () => {
    for (const text of ['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', '\n```\n{"a":1}\n```\n'])
      expect(replyJson(text), text).to.deep.equal({ a: 1 });
  });

  it('is undefined for any other text', () => {
    for (const text of ['', 'Here it is: {"a":1}', '```json\n{"a":\n```', '```{"a":1}```'])
      expect(replyJson(text), text).to.equal(undefined);
  });
});
