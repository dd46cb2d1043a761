import { expect } from 'chai';
import fc from 'fast-check';
import { serverAddress } from '../../../src/cli/connection/settings.js';

const meant: readonly (readonly [given: string, address: string])[] = [
  ['localhost:8080', 'http://localhost:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['svc.example.com', 'https://svc.example.com'],
  ['svc.example.com:8443/base/', 'https://svc.example.com:8443/base'],
  [' http://svc.example.com/ ', 'http://svc.example.com'],
  ['http://localhost:8080/api/v1', 'http://localhost:8080'],
  ['http://localhost:8080/api/v1/', 'http://localhost:8080'],
  ['http://localhost:8080/api/v1/overview', 'http://localhost:8080'],
  ['http://localhost:8080/api/mcp', 'http://localhost:8080'],
  ['https://svc.example.com/base/api/mcp/', 'https://svc.example.com/base'],
  ['localhost:8080/api/v1', 'http://localhost:8080'],
];
const kept = [
  'ftp://example.com',
  'http://user:secret@host',
  'http://h/?key=x',
  'user:secret@host',
  '',
  'a b',
  'https://h/api/v10',
];

describe('the address of a server', () => {
  for (const [given, address] of meant) {
    it(`is completed: ${given}`, () => expect(serverAddress(given)).to.equal(address));
  }
  for (const given of kept) {
    it(`stays unchanged if it is ambiguous: ${given}`, () => expect(serverAddress(given)).to.equal(given));
  }

  it('loses only the path of an endpoint if it is complete', () => {
    const path = fc.array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.domain(),
        path,
        fc.constantFrom('', '/', '/api/v1', '/api/mcp', '/api/v1/urls'),
        (host, words, end) => {
          const address = ['https://', host, ...words.map((word) => `/${word}`)].join('');
          expect(serverAddress(address + end)).to.equal(address);
          expect(serverAddress(serverAddress(address + end))).to.equal(address);
        },
      ),
    );
  });
});
