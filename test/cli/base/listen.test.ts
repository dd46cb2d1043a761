import { expect } from 'chai';
import { listenFlags } from '../../../src/cli/base/listen.js';
import Serve from '../../../src/cli/commands/serve.js';
import { readConfig } from '../../../src/server/run/config.js';

describe('the flags of a server', () => {
  it('state the defaults that the server has', () => {
    const { port, host, workers } = readConfig({});
    expect(listenFlags.port.description).to.contain(`default ${port})`);
    expect(listenFlags.host.description).to.contain(`default ${host})`);
    expect(Serve.flags.workers.description).to.contain(`default ${workers})`);
  });
});
