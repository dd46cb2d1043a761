import { expect } from 'chai';
import { isDatabaseUnavailable } from '../../../src/server/base/errors.js';

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

describe('isDatabaseUnavailable', () => {
  const gone = [
    error('connect ECONNREFUSED', { code: 'ECONNREFUSED' }),
    error('select 1 - write EPIPE', { code: 'EPIPE' }),
    error('read ECONNRESET', { code: 'ECONNRESET' }),
    error('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }),
    error('select 1 - terminating connection', { code: '57P01' }),
    error('too many connections', { code: '53300' }),
    error('out of shared memory', { code: '53200' }),
    error('canceling statement due to lock timeout', { code: '55P03' }),
    error('canceling statement due to statement timeout', { code: '57014' }),
    error('deadlock detected', { code: '40P01' }),
    error('could not serialize access', { code: '40001' }),
    error('password authentication failed for user "svc"', { code: '28P01' }),
    error('database "svc" does not exist', { code: '3D000' }),
    error('could not extend file: No space left on device', { code: '53100' }),
    error('could not read block: Input/output error', { code: '58030' }),
    error('cannot execute INSERT in a read-only transaction', { code: '25006' }),
    error('insert into x - cannot access temporary or unlogged relations during recovery', { code: '0A000' }),
    error('Connection terminated unexpectedly'),
    error('select a\nfrom b - Connection terminated unexpectedly'),
    error('select 1 - Client was closed and is not queryable'),
    error('Client has encountered a connection error and is not queryable'),
    error('timeout expired'),
    error('Knex: Timeout acquiring a connection.', { name: 'KnexTimeoutError' }),
  ];
  for (const each of gone) {
    it(`is true for ${each.message.replace('\n', ' ')}`, () => {
      expect(isDatabaseUnavailable(each)).to.equal(true);
    });
  }

  const there = [
    error('select 1 - relation does not exist', { code: '42P01' }),
    error('object in use', { code: '55006' }),
    error('cross-database references are not implemented', { code: '0A000' }),
    error('date/time field value out of range', { code: '22008' }),
    error("select 'x - Connection terminated' - syntax error", { code: '42601' }),
    error('Cannot read properties of undefined'),
    'Connection terminated unexpectedly',
    null,
  ];
  for (const each of there) {
    it(`is false for ${each instanceof Error ? each.message : String(each)}`, () => {
      expect(isDatabaseUnavailable(each)).to.equal(false);
    });
  }
});
