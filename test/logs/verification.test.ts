import { expect } from 'chai';
import { isVerificationRequest, verifyCode } from '../../src/logs/verification.js';

describe('isVerificationRequest', () => {
  const code = { 'x-vercel-verify': 'abcdefgh12345678' };
  const signature = { 'x-vercel-signature': 'f00d' };
  const rows: [what: string, input: Parameters<typeof isVerificationRequest>[0], expected: boolean][] = [
    ['a code header with an empty body', { headers: code, body: '' }, true],
    ['a code header with {}', { headers: code, body: ' {}\n' }, true],
    ['a code header with []', { headers: code, body: '[]' }, true],
    ['a code header with entries', { headers: code, body: '[{"a":1}]' }, false],
    ['a code in the query with {}', { headers: {}, vercelVerify: 'abcdefgh', body: '{}' }, true],
    ['a signature with {}', { headers: signature, body: '{}' }, true],
    ['a signature with an empty body', { headers: signature, body: '' }, true],
    ['a signature with entries', { headers: signature, body: '{"a":1}' }, false],
    ['an empty body without a mark', { headers: {}, body: '' }, false],
    ['{} without a mark', { headers: {}, body: '{}' }, false],
    ['the test of Logpush', { headers: {}, body: '{"content":"tests"}' }, true],
    ['its other spelling', { headers: {}, body: '{ "content": "test" }\n' }, true],
    ['the literal test', { headers: {}, body: 'test' }, true],
    ['the literal tests', { headers: {}, body: 'tests\n' }, true],
    ['another word', { headers: {}, body: 'testing' }, false],
    ['other content', { headers: {}, body: '{"content":"hello"}' }, false],
    ['content with other keys', { headers: {}, body: '{"content":"tests","a":1}' }, false],
    ['invalid JSON', { headers: {}, body: '{"content":"tests"' }, false],
    ['a large body', { headers: code, body: ' '.repeat(5000) }, false],
  ];
  for (const [what, input, expected] of rows) {
    it(`${expected ? 'accepts' : 'refuses'} ${what}`, () =>
      expect(isVerificationRequest(input)).to.equal(expected));
  }
});

describe('verifyCode', () => {
  it('is the header, else the query parameter', () => {
    expect(
      verifyCode({ headers: { 'x-vercel-verify': 'from-header' }, vercelVerify: 'from-query' }),
    ).to.equal('from-header');
    expect(verifyCode({ headers: {}, vercelVerify: 'from-query' })).to.equal('from-query');
    expect(verifyCode({ headers: {} })).to.equal(null);
  });

  it('is never a code that could break out of a header', () => {
    for (const bad of [
      'short',
      'x'.repeat(129),
      'abcdefgh\r\nSet-Cookie: a',
      'abcd efgh',
      'abcdefgh\n',
      '',
    ]) {
      expect(verifyCode({ headers: { 'x-vercel-verify': bad } }), JSON.stringify(bad)).to.equal(null);
    }
    expect(verifyCode({ headers: { 'x-vercel-verify': ['abcdefgh', 'abcdefgi'] } })).to.equal(null);
  });
});
