import { expect } from 'chai';
import { CommandError } from '../../../src/cli/command-error.js';
import { failureOf, Totals } from '../../../src/cli/ingest/totals.js';

describe('the totals of an ingest', () => {
  const MIB = 1024 ** 2;
  const interrupted = (bytesDone: number, size: number | null) => {
    const totals = Object.assign(new Totals(false), { bytesDone, size });
    return failureOf(new CommandError('interrupted', 'x'), totals, { limit: null, inputs: ['a.log'] })!
      .message;
  };

  it('say how much was delivered, and never 0.0 MiB', () => {
    expect(interrupted(3.14 * MIB, 12 * MIB)).to.equal('Interrupted; 3.1 of 12.0 MiB was delivered.');
    expect(interrupted(200, null)).to.equal('Interrupted; less than 0.1 MiB was delivered.');
    expect(interrupted(0, 12 * MIB)).to.equal('Interrupted; nothing was delivered.');
  });
});
