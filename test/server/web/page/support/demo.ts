/** The server of the demo, with brands besides that are hard to lay out. */
import { utcDay } from '../../../../../src/server/base/days.js';
import { DEMO_NOW, demoServer } from '../../../../support/demo-server.js';
import type { TestServer } from '../../../../support/server.js';
import { oddMarket } from './odd-market.js';

const odd = () => oddMarket(utcDay(DEMO_NOW));

export const demoWithOddMarket = (): Promise<TestServer> => demoServer(odd);
