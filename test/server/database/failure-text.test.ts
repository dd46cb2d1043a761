import { expect } from 'chai';
import { mayPass, unavailableMessage } from '../../../src/server/database/failure-text.js';

const words = (message: string, fields: object = {}) =>
  unavailableMessage(Object.assign(new Error(message), fields));

describe('the message for an unavailable database', () => {
  it('says that the database cannot be reached, with the reason but not the statement', () => {
    expect(words('connect ECONNREFUSED', { code: 'ECONNREFUSED' })).to.equal(
      'The database cannot be reached (ECONNREFUSED).',
    );
    expect(words('select a - b - Connection terminated unexpectedly')).to.equal(
      'The database cannot be reached (Connection terminated unexpectedly).',
    );
  });

  it('says which resource a reachable database lacks', () => {
    const hint = 'You might need to increase "max_locks_per_transaction".';
    expect(words('create table x - out of shared memory', { code: '53200', hint })).to.equal(
      `The database has no memory left (53200). ${hint}`,
    );
    const disk = ['53100', '58030'];
    const access = ['25006', '28000', '28P01', '3D000', '55000', '57P03'];
    for (const code of ['53000', '53300', '53400', '55P03', '57014', '40P01', '40001', ...disk, ...access]) {
      expect(words('insert into secrets - failed', { code }), code)
        .to.include(`(${code})`)
        .and.not.include('reached (')
        .and.not.include('insert');
    }
  });

  it('a refused log-in and a missing database do not pass by themselves', () => {
    const passes = (code: string) => mayPass(Object.assign(new Error(code), { code }));
    expect(['28P01', '28000', '3D000'].filter(passes)).to.deep.equal([]);
    expect(['53100', '57P03', 'ECONNREFUSED'].filter(passes)).to.have.length(3);
  });
});
