/** What answers get wrong about the brand, by its own facts. */
import { capital } from '../../../../contract/glossary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { day, engineName, noun, userText } from '../parts/text.js';

const FACTS: Card = { id: 'facts', title: 'Facts' };

export async function facts({ ofSlice, leads, slice }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('fact-check');
  if ('refused' in read) return card(FACTS, empty(read.refused));
  const { fact_check: check } = read.body;
  if (check === null)
    return card(
      { ...FACTS, read },
      html`${empty('What answers say was never compared with the facts of the brand. Ask whoever operates this server to run a fact check.')}${noteOf(read.body)}`,
    );
  const all = check.discrepancies.map((row, at) => ({ row, at }));
  const rows = all.filter(({ row }) => slice.engine?.some((id) => id === row.engine) ?? true);
  const wrong = new Set(all.map(({ row }) => row.engine)).size;
  const checked = numberField('fact-check.fact_check.answers_checked', check.answers_checked);
  const answers = noun(check.answers_checked, 'answer');
  type Row = (typeof rows)[number];
  return card(
    {
      ...FACTS,
      read,
      about: html`checked <time datetime=${check.checked_at}>${day(check.checked_at)}</time>: the newest answer of each engine that names you`,
    },
    html`<p class="lead">${all.length === 0 ? html`None of ${checked} checked ${answers} contradicts the facts.` : html`${wrong} of ${checked} checked ${answers} ${wrong === 1 ? 'is' : 'are'} wrong.`}</p>
    ${
      rows.length === 0
        ? null
        : table<Row>({
            label: FACTS.title,
            rows,
            columns: [
              { head: 'Claim', cell: ({ row }) => html`“${userText(row.claim, 300)}”` },
              { head: 'Truth', kind: 'words', cell: ({ row }) => userText(row.truth, 300) },
              {
                head: 'Engine',
                kind: 'words',
                cell: ({ row }) =>
                  engineOf(row, leads.answers({ names: leads.brandId }, { engine: [row.engine] })),
              },
              { head: 'How bad', kind: 'minor', cell: ({ row }) => capital(row.severity) },
            ],
          })
    }
    ${check.stale ? html`<p class="foot">The check is old: answers may have changed since.</p>` : null}
    ${noteOf(read.body)}`,
  );
}

const engineOf = ({ engine }: { readonly engine: string }, href: string | null): Markup =>
  href === null
    ? engineName(engine)
    : html`${engineName(engine)} <small>(<a href=${href}>its answers</a>)</small>`;
