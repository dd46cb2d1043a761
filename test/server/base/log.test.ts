import { expect } from 'chai';
import { createLog } from '../../../src/server/base/log.js';

describe('the log of a server', () => {
  const logged = (isForPeople: boolean, fields: object, message: string) => {
    const lines: string[] = [];
    createLog('info', null, isForPeople, { write: (line) => lines.push(line) }).error(fields, message);
    return lines.join('');
  };
  const failed = { brand: 'shoes', day: '2026-11-28', reason: 'OPENAI_API_KEY is not set.\nX is not set.' };

  it('is lines for people on a terminal, with the reason behind the message', () => {
    expect(logged(true, failed, 'collection failed')).to.match(
      /^\d\d:\d\d:\d\dZ error collection failed: OPENAI_API_KEY is not set\. X is not set\. brand=shoes day=2026-11-28\n$/,
    );
  });

  it('is one JSON object a line elsewhere', () => {
    const { time, ...entry } = JSON.parse(logged(false, failed, 'collection failed'));
    expect(time).to.be.a('number');
    expect(entry).to.deep.equal({ level: 50, ...failed, msg: 'collection failed' });
  });

  it('has the stack of an error in lines of their own, and no secret in either form', () => {
    const error = Object.assign(new Error('two\nlines'), { config: { key: 'secret-key' } });
    const text = logged(true, { err: error, headers: { authorization: 'secret-token' } }, 'failed');
    expect(text.split('\n')[0]).to.match(/error failed: two lines headers=/);
    expect(text).to.match(/\n +at /);
    expect(text + logged(false, { err: error }, 'failed')).to.not.include('secret-');
  });

  it('cannot be written into by control characters of a value', () => {
    const text = logged(true, { brand: 'a\u001b[31mred\u0007' }, 'x');
    expect(text).to.not.match(/[^\P{Cc}\n]/u);
  });
});
