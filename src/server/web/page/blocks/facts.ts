/** What answers get wrong about the brand, by its own facts. */
import { capital } from '../../../../contract/glossary.js';
import { escapeControls } from '../../../../contract/printable.js';
import type { FullAnswer } from '../../../../contract/reads/answer.js';
import type { Discrepancy } from '../../../../contract/reads/fact-check.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { citedIn, WRONG_ANCHOR } from '../parts/answer-text.js';
import { type Card, card, empty, loadedOr, noteOf } from '../parts/card.js';
import { claimIn } from '../parts/claim.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { day, engineName, noun, userText } from '../parts/text.js';

const FACTS: Card = { id: 'facts', title: 'Facts' };

export async function facts(page: Loading): Promise<Markup> {
  const { ofSlice, leads, slice } = page;
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
  const answerOf = await answersBehind(
    page,
    rows.map(({ row }) => row.run_id),
  );
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
              { head: 'Claim', cell: ({ row }) => claimOf(row, answerOf(row.run_id)) },
              { head: 'Truth', kind: 'words', cell: ({ row }) => userText(row.truth, 300) },
              {
                head: 'Engine',
                kind: 'words',
                cell: ({ row }) => saidBy(row, answerOf(row.run_id), leads),
              },
              {
                head: 'It cites',
                kind: 'minor',
                cell: ({ row }) => citedBy(row, answerOf(row.run_id), leads),
              },
              { head: 'How bad', kind: 'minor', cell: ({ row }) => capital(row.severity) },
            ],
          })
    }
    ${check.stale ? html`<p class="foot">The check is old: answers may have changed since.</p>` : null}
    ${noteOf(read.body)}`,
  );
}

type AnswerOf = (run: string | null) => FullAnswer | undefined;

/** Answers whose texts a page reads at most: a check compares one of each engine, an imported one may state others. */
const MAX_ANSWERS = 20;

async function answersBehind({ reads }: Loading, runs: readonly (string | null)[]): Promise<AnswerOf> {
  const distinct = [...new Set(runs)].filter((run) => run !== null).slice(0, MAX_ANSWERS);
  const found = await Promise.all(distinct.map((run_id) => reads.loadIfPossible('answer', { run_id })));
  const answers = found.flatMap((each) => loadedOr(null, each)?.body.answer ?? []);
  return (run) => answers.find(({ id }) => id === run);
}

/** The sentence of the answer with the claim marked in it; the claim alone where the answer does not have its words. */
function claimOf({ claim }: Discrepancy, answer: FullAnswer | undefined): Markup {
  const text = answer?.text ?? '';
  const found = claimIn(text, claim);
  if (found === null) return html`“${userText(claim, 300)}”`;
  const { start, end, sentence } = found;
  const rest = (from: number, to: number) => (to > from ? escapeControls(text.slice(from, to)) : '');
  return html`<span dir="auto">“${rest(sentence.start, start)}<mark class="wrong">${userText(text.slice(start, end), 300)}</mark>${rest(end, sentence.end)}”</span>`;
}

/** The engine, with the answer that states the claim, or all its answers that name the brand. */
function saidBy({ engine }: Discrepancy, answer: FullAnswer | undefined, leads: Leads): Markup {
  const all = leads.answers({ names: leads.brandId }, { engine: [engine] });
  const link =
    answer === undefined
      ? all && html`<a href=${all}>its answers</a>`
      : html`<a href=${`${leads.answer(answer.id)}#${WRONG_ANCHOR}`}>answer of <time datetime=${answer.date}>${day(answer.date)}</time></a>`;
  return html`${engineName(engine)}<small class="under">${link}</small>`;
}

/** The first page that the sentence refers to, else the first of the answer, and how many more there are. */
function citedBy({ claim }: Discrepancy, answer: FullAnswer | undefined, leads: Leads): Markup {
  if (answer === undefined) return null;
  const text = answer.text ?? '';
  const sentence = claimIn(text, claim)?.sentence;
  const referred = sentence === undefined ? [] : citedIn(text.slice(sentence.start, sentence.end), answer);
  const pages = new Map(
    (referred.length > 0 ? referred : answer.citations).map((each) => [each.url, each.title ?? each.url]),
  );
  const [first] = pages;
  if (first === undefined) return 'no page';
  const [url, name] = first;
  return html`<a href=${leads.page(url)}>${userText(name, 60)}</a>${pages.size > 1 ? ` and ${pages.size - 1} more` : ''}`;
}
