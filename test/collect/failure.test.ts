import { expect } from 'chai';
import fc from 'fast-check';
import { cleanerOf, vendorMessage } from '../../src/collect/failure.js';

const KEY = 'sk-proj/0123+abc_K=';

describe('a key in a message', () => {
  it('is removed however it is written', () => {
    const clean = cleanerOf(KEY);
    const spelled = (form: (character: string) => string) => [...KEY].map(form).join('');
    const hex = (character: string) => character.charCodeAt(0).toString(16);
    const written = [
      KEY,
      JSON.stringify(KEY).slice(1, -1),
      KEY.replaceAll('/', '\\/'),
      KEY.replaceAll('/', '\\\\\\/'),
      KEY.replaceAll('k', '\\u006b'),
      KEY.replaceAll('K', '\\u004B').replaceAll('/', '\\u002F'),
      encodeURIComponent(KEY),
      encodeURIComponent(encodeURIComponent(KEY)),
      spelled((character) => `%${hex(character)}`),
      spelled((character) => `&#x${hex(character)};`),
      spelled((character) => `&#${character.charCodeAt(0)};`),
      KEY.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('_', '&lowbar;'),
      KEY.toUpperCase(),
      KEY.toLowerCase(),
      Buffer.from(KEY).toString('hex'),
      Buffer.from(KEY).toString('hex').toUpperCase(),
      spelled((character) => `${character}\u200b`).slice(0, -1),
      `${KEY.slice(0, 8)}\r\n${KEY.slice(8)}`,
    ];
    for (const each of written)
      expect(clean(`The key ${each} is wrong`), each).to.equal('The key [key] is wrong');
    for (const before of ['', 'u', 'us', 'Bearer ', 'user:']) {
      for (const form of ['base64', 'base64url'] as const) {
        const cleaned = clean(Buffer.from(`${before}${KEY}, more`).toString(form));
        const bytes = Buffer.from(cleaned.replaceAll('[key]', ''), 'base64').toString();
        expect(cleaned, before).to.include('[key]');
        expect(bytes).not.to.include(KEY.slice(2, -2));
        const wrapped = Buffer.from(`${before}${KEY}, more`).toString(form).replace(/.{8}/g, '$&\r\n');
        expect(clean(wrapped), before).to.include('[key]');
        expect(clean(JSON.stringify(wrapped)), before).to.include('[key]');
      }
    }
  });

  it('of any form is removed, and a text without it stays as it is', () => {
    const key = fc.stringMatching(/^[\x21-\x7e]{12,60}$/);
    const form = fc.constantFrom(
      (text: string) => text,
      (text: string) => JSON.stringify(text),
      (text: string) => JSON.stringify(JSON.stringify(text)),
      encodeURIComponent,
    );
    const property = fc.property(key, form, fc.string(), (secret, write, text) => {
      const clean = cleanerOf(secret);
      expect(clean(`<${write(`a ${secret} b`)}>`))
        .to.include('[key]')
        .and.not.include(secret);
      fc.pre(!text.includes(secret));
      expect(clean(text)).to.equal(text);
    });
    fc.assert(property, { numRuns: 150 });
  });

  it('a short key is a word: it is removed only behind Bearer', () => {
    expect(cleanerOf('ollama')('model ollama is not served by ollama')).to.equal(
      'model ollama is not served by ollama',
    );
    expect(cleanerOf('ollama')('got "Bearer ollama", no key')).to.equal('got "Bearer [key]", no key');
    expect(cleanerOf('x')('an extra box, Bearer x-ray')).to.equal('an extra box, Bearer x-ray');
  });

  it('a text of backslashes is looked at once', () => {
    expect(cleanerOf(KEY)('\\'.repeat(1_000_000))).to.have.length(1_000_000);
  });
});

describe('the message of a vendor', () => {
  const clean = cleanerOf(KEY);
  it('is found where vendors put it, without the key, on one short line', () => {
    const bodies = [
      { error: { message: `No  key\n${KEY}` } },
      [{ error: { message: `No  key\n${KEY}` } }],
      { error: `No  key\n${KEY}` },
      { message: `No  key\n${KEY}` },
      { detail: `No  key\n${KEY}` },
      { detail: [{ msg: `No  key\n${KEY}` }] },
    ];
    for (const body of bodies) {
      const escaped = JSON.stringify(body).replaceAll('k', '\\u006b').replaceAll('/', '\\/');
      expect(vendorMessage(escaped, clean), escaped).to.equal('No key [key]');
    }
    expect(vendorMessage(`no ${KEY}`, clean)).to.equal('no [key]');
    expect(vendorMessage('{"error":{"message":"a\\u001b[31mb\\u202ec"}}', clean)).to.equal(
      'a\\u001b[31mb\\u202ec',
    );
    expect(vendorMessage(JSON.stringify({ message: 'x'.repeat(5000) }), clean)).to.equal(
      `${'x'.repeat(200)}…`,
    );
    for (const none of ['', '{}', '[]', 'null', '{"error":{}}', '<html><h1>502</h1></html>'])
      expect(vendorMessage(none, clean), none).to.equal(null);
  });
});
