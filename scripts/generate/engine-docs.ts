/** The tables of docs/collecting.md that say how the answers of each engine can be had, and what each provider states. */
import { engineAccess } from '../../src/collect/plan/engine-access.js';
import {
  type Capability,
  capabilityOf,
  forms,
  providerNames,
  providerTable,
} from '../../src/collect/protocols/capabilities.js';
import { code, table, withBlocks } from './markdown.js';

/** The text of docs/collecting.md with the tables made anew. */
export const engineDocs = (text: string): string =>
  withBlocks(
    'docs/collecting.md',
    text,
    new Map([
      ['engines', engineTable()],
      ['provider-engines', shownTable()],
      ['providers', providerRows()],
    ]),
  );

const listed = (names: readonly string[]): string => names.map(code).join(', ');

const engineTable = (): string =>
  table(
    ['engine', 'id', 'by an API', 'of', '`search`', 'as people see it'],
    engineAccess.map(({ label, engine, protocols, through, search, providers }) =>
      protocols.length === 0
        ? [label, code(engine), 'no: its vendor offers no API', '', '', listed(providers)]
        : [label, code(engine), listed(protocols), through, code(String(search)), listed(providers) || 'no'],
    ),
  );

const STATED = { always: 'yes', found: 'if shown', never: 'no' } as const;

const priceOf = ({ usd, mostCalls }: Capability): string => {
  const each = forms.flatMap((form) =>
    usd[form] === undefined ? [] : [`$${(1000 * usd[form]).toFixed(2)} ${form}`],
  );
  return each.join(', ') + (mostCalls > 1 ? `; up to ${mostCalls} calls` : '');
};

const shownTable = (): string =>
  table(
    [
      'engine',
      'protocol',
      'surface',
      'longest prompt',
      'citations',
      'searches',
      'ads',
      'carousels',
      '1,000 answers',
    ],
    engineAccess.flatMap(({ engine, label }) =>
      providerNames.flatMap((name) => {
        const row = capabilityOf(name, engine);
        if (!row) return [];
        const { surface, longestPrompt, citations, searches, ads, carousels } = row;
        const states = [citations, searches, ads, carousels].map((each) => STATED[each]);
        return [
          [label, code(name), code(surface), longestPrompt.toLocaleString('en'), ...states, priceOf(row)],
        ];
      }),
    ),
  );

const DAY_HOURS = 24;

const providerRows = (): string =>
  table(
    [
      'protocol',
      'provider',
      'the variable of `key_env` holds',
      'results are kept',
      'a failed answer costs',
      'paid once',
    ],
    providerNames.map((name) => {
      const { label, key, keepsHours, failed, paidOnce } = providerTable[name];
      const kept = keepsHours > DAY_HOURS ? `${keepsHours / DAY_HOURS} days` : `${keepsHours} hours`;
      return [code(name), label, key, kept, failed, paidOnce];
    }),
  );
