/** The pages on which the first plan of a server is made: four questions, what was understood, and how it ended. */
import type { VNode } from 'preact';
import { MOST_QUERIES } from '../../../contract/limits.js';
import { usd } from '../../../contract/wording.js';
import type {
  FirstAnswers,
  FirstFault,
  FirstPlan,
  FirstPlanView,
  MadePlan,
  OfferedEngine,
  Offers,
} from '../../intake/first-plan.js';
import { html, type Markup } from './html.js';
import { card } from './parts/card.js';
import { type Link, layout, type SignedInAs } from './parts/layout.js';
import { whole } from './parts/numbers.js';
import { table } from './parts/table.js';
import { engineName, noun, userText, visibleLines } from './parts/text.js';
import { brandPath, PAGE_PATHS } from './paths.js';

export interface StartPage {
  readonly link: Link;
  readonly access: SignedInAs;
  readonly plan: FirstPlan;
  readonly answers: FirstAnswers;
}

type Field = keyof FirstAnswers;

const frame = ({ link, access }: Pick<StartPage, 'link' | 'access'>, title: string, content: Markup): VNode =>
  layout(
    { link, title: `${title} · Answer visibility`, access },
    html`<div class="title"><h1>${title}</h1></div><div class="cards start">${content}</div>`,
  );

// The questions.

interface Asking {
  readonly faults?: readonly FirstFault[];
  readonly offers?: Offers | undefined;
}

const TITLE = 'What shall be measured?';

/** All questions in one form: nothing of it is stored before the end. */
export function questionsPage(page: StartPage, { faults = [], offers }: Asking): VNode {
  const { link, plan, answers } = page;
  const model = plan.proposer(answers.engines);
  const offered = offers === undefined || 'refused' in offers ? null : offers;
  return frame(
    page,
    TITLE,
    html`
    ${faults.length === 0 ? html`<p class="lead">Four questions, then the first answers. Nothing is stored before you have seen all of it.</p>` : html`<p class="problem" role="alert">Not understood: ${faults.map(({ field }, at) => html`${at === 0 ? '' : ', '}<a href=${`#${field}`}>${LABELS[field]}</a>`)}. Everything that you typed is still here.</p>`}
    <form method="post" action=${link(PAGE_PATHS.start)} class="cards">
      ${card(
        { id: 'brand', title: '1. Your brand' },
        html`<div class="stack">
          ${line(page, faults, 'name', { required: true, placeholder: 'Fleetfoot' })}
          ${line(page, faults, 'domain', { required: true, placeholder: 'fleetfoot.example', inputmode: 'url' })}
          ${line(page, faults, 'aliases', { placeholder: 'Fleet Foot, FF Running' }, 'With commas. Leave it empty if there are none.')}
        </div>`,
      )}
      ${card(
        { id: 'competition', title: '2. Its rivals' },
        html`<div class="stack">
          ${text(page, faults, 'rivals', 4, 'One a line, with the site if you know it. None is fine too: answers show who else is named.', 'Stride, stride.example\nRapid')}
          ${choices('takenRivals', 'Proposed: tick who is a rival', offered?.rivals, answers.takenRivals)}
        </div>`,
      )}
      ${card(
        { id: 'questions', title: '3. What people ask' },
        html`<div class="stack">
          ${text(page, faults, 'prompts', 8, `One a line, as somebody asks an AI engine who has no brand in mind. A table with the columns text, topic and tags can be pasted too, and so can an export of Search Console, of which at most ${MOST_QUERIES} queries are taken.`, 'Which running shoes last longest?\nWhich running shoes suit wide feet?')}
          ${choices('takenPrompts', 'Proposed: tick what your customers ask', offered?.prompts, answers.takenPrompts)}
        </div>`,
      )}
      ${card({ id: 'asked', title: '4. Which engines are asked' }, enginesOf(page, faults))}
      <p><button type="submit" name="go" value="review" class="primary">Look at it before it is written</button></p>
      ${
        model === null
          ? null
          : card(
              { id: 'proposals', title: 'No idea which rivals or questions?' },
              html`${offers !== undefined && 'refused' in offers ? html`<p class="problem" role="alert">${userText(offers.refused, 400)}</p>` : null}
              ${offered === null ? html`<p>${userText(model, 60)} can propose some, by one call that you pay. It knows the name and the site from above, and it may be wrong: only what you tick is used.</p>` : html`<p role="status">${offered.rivals.length + offered.prompts.length === 0 ? 'It proposed nothing new.' : html`${offered.rivals.length} ${noun(offered.rivals.length, 'rival')} and ${offered.prompts.length} ${noun(offered.prompts.length, 'question')} are proposed <a href="#competition">above</a>.`}</p>`}
              <p><button type="submit" name="go" value="propose">Ask ${userText(model, 60)} for proposals</button></p>`,
            )
      }
    </form>`,
  );
}

const LABELS: Readonly<Record<Field, string>> = {
  name: 'Name',
  domain: 'Site',
  aliases: 'Other spellings of the name',
  rivals: 'Rivals',
  prompts: 'Questions',
  engines: 'Engines',
  region: 'Country from which engines that search are asked',
  takenRivals: 'Proposed rivals',
  takenPrompts: 'Proposed questions',
};

/** What describes a field: its faults, then its hint. */
function described(faults: readonly FirstFault[], field: Field, hint?: string) {
  const own = faults.filter((fault) => fault.field === field);
  const ids = [
    ...(own.length > 0 ? [`${field}-fault`] : []),
    ...(hint === undefined ? [] : [`${field}-hint`]),
  ];
  return {
    attributes: {
      id: field,
      'aria-invalid': own.length > 0 ? 'true' : undefined,
      'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
    },
    fault:
      own.length === 0
        ? null
        : html`<p class="problem" id=${`${field}-fault`}>${own.map(({ message }) => html`<span class="under">${userText(message, 400)}</span>`)}</p>`,
    hint: hint === undefined ? null : html`<p class="hint" id=${`${field}-hint`}>${hint}</p>`,
  };
}

function line(
  { answers }: StartPage,
  faults: readonly FirstFault[],
  field: 'name' | 'domain' | 'aliases' | 'region',
  more: Readonly<Record<string, unknown>>,
  words?: string,
): Markup {
  const { attributes, fault, hint } = described(faults, field, words);
  return html`<label for=${field}>${LABELS[field]}</label>
    <input ...${attributes} name=${field} value=${answers[field]} autocomplete="off" spellcheck="false" ...${more} />${hint}${fault}`;
}

function text(
  { answers }: StartPage,
  faults: readonly FirstFault[],
  field: 'rivals' | 'prompts',
  rows: number,
  words: string,
  placeholder: string,
): Markup {
  const { attributes, fault, hint } = described(faults, field, words);
  return html`<label for=${field}>${LABELS[field]}</label>
    <textarea ...${attributes} name=${field} rows=${rows} placeholder=${placeholder} spellcheck="false">${answers[field]}</textarea>${hint}${fault}`;
}

/** Proposals, of which none is taken without a tick. */
function choices(
  field: 'takenRivals' | 'takenPrompts',
  title: string,
  offers: readonly { readonly value: string; readonly label: string }[] = [],
  taken: readonly string[],
): Markup {
  const known = new Set(offers.map(({ value }) => value));
  const before = taken.filter((each) => !known.has(each)).map((value) => ({ value, label: value }));
  const all = [...before, ...offers];
  if (all.length === 0) return null;
  return html`<fieldset id=${field}><legend>${title}</legend>
    ${all.map(({ value, label }) => html`<label class="tick"><input type="checkbox" name=${field} value=${value} checked=${taken.includes(value)} /> <span>${userText(label.replace('\t', ' · '), 240)}</span></label>`)}
  </fieldset>`;
}

function enginesOf(page: StartPage, faults: readonly FirstFault[]): Markup {
  const { plan, answers } = page;
  const { fault } = described(faults, 'engines');
  const hasKey = ({ keyEnv, keyFault }: OfferedEngine) => keyEnv !== null && keyFault === null;
  const keyed = plan.engines.filter(hasKey);
  const others = plan.engines.filter((each) => !hasKey(each));
  const ticks = (engines: readonly OfferedEngine[]) =>
    engines.map(
      (each) =>
        html`<label class="tick"><input type="checkbox" name="engines" value=${each.engine} checked=${answers.engines.includes(each.engine)} />
          <span>${engineName(each.engine)} <small class="under">${[each.model, each.usd === null ? 'price not stated' : `about ${usd(each.usd)} a question and day`, keyWords(each)].filter((words) => words !== null).join(' · ')}</small></span></label>`,
    );
  const isChosen = others.some(({ engine }) => answers.engines.includes(engine));
  return html`${fault}
    <div class="stack" id="engines">
      ${keyed.length === 0 ? html`<p>No key of an engine is set in the environment of this server, so none can be asked yet. Choose what is to be asked: the end says which variable to set. Keys are never typed into a page.</p>` : html`<fieldset><legend>Whose keys are set on this server</legend>${ticks(keyed)}</fieldset>`}
      <details open=${keyed.length === 0 || isChosen}><summary>${keyed.length === 0 ? 'Engines' : 'Engines whose keys are not set'}</summary><fieldset>${ticks(others)}</fieldset></details>
      ${line(page, faults, 'region', { size: 4, maxlength: 2, class: 'short' }, 'Two letters, such as us or de.')}
    </div>`;
}

const keyWords = ({ keyEnv, keyFault }: OfferedEngine): string =>
  keyEnv === null ? 'on this machine, needs no key' : (keyFault ?? `${keyEnv} is set`);

// What was understood.

const SHOWN = 12;
const DAYS = 30;

/** All that was typed, for the next form. */
const hidden = (answers: FirstAnswers): Markup =>
  Object.entries(answers).flatMap(([name, value]) =>
    [value].flat().map((each) => html`<input type="hidden" name=${name} value=${each} />`),
  );

export function reviewPage(page: StartPage, view: FirstPlanView): VNode {
  const { link, answers, plan } = page;
  const { prompts, rivals, aliases, usd: sum, keyFaults } = view;
  const begins = keyFaults.length === 0;
  return frame(
    page,
    'Look at it before it is written',
    html`
    ${begins ? null : html`<div class="problem" role="status"><p><strong>Nothing is asked yet:</strong> ${keyFaults.join(' ')}</p><p>It is written all the same, and says what to set. Or leave out the engines without a key.</p></div>`}
    ${view.notes.length === 0 ? null : card({ id: 'notes', title: 'Before you go on' }, html`<ul class="plain">${view.notes.map((note) => html`<li>${userText(note, 600)}</li>`)}</ul>`)}
    ${card(
      { id: 'understood', title: 'What is measured' },
      html`<dl class="said-list">
        <dt>Brand</dt><dd><strong>${userText(view.name, 120)}</strong>, ${userText(view.domain, 120)}${aliases.length === 0 ? null : html`<small class="under">also written ${userText(aliases.join(', '), 240)}</small>`}</dd>
        <dt>Rivals</dt><dd>${rivals.length === 0 ? 'none: answers show who else is named' : userText(rivals.map(({ name, domain }) => (domain === null ? name : `${name} (${domain})`)).join(', '), 1000)}</dd>
        <dt>Questions</dt><dd>${whole(prompts.length)}<ol class="plain">${prompts.slice(0, SHOWN).map(({ text: question, topic }) => html`<li>${userText(question, 240)}${topic === null ? null : html` <small>${userText(topic, 60)}</small>`}</li>`)}</ol>
          ${prompts.length > SHOWN ? html`<p class="hint">And ${whole(prompts.length - SHOWN)} more: the file below has all.</p>` : null}</dd>
      </dl>`,
    )}
    ${card(
      { id: 'cost', title: 'What a day costs' },
      html`${table<FirstPlanView['day'][number]>({
        label: 'What a day costs',
        rows: view.day,
        columns: [
          {
            head: 'Engine',
            cell: ({ engine }) => (engine === null ? 'Finding the names in answers' : engineName(engine)),
          },
          { head: 'Model', kind: 'minor', cell: ({ model }) => userText(model, 60) },
          { head: 'Calls', kind: 'number', cell: ({ calls }) => whole(calls) },
          {
            head: 'About',
            kind: 'number',
            cell: ({ usd: cost }) => (cost === null ? 'not stated' : usd(cost)),
          },
        ],
      })}
      <p>${sum === null ? 'What a day costs is not known: a price is not stated.' : `A day costs about ${usd(sum)}, ${DAYS} days about ${usd(sum * DAYS)}. Tokens are assumptions, and the prices in the file are examples: compare them with those of your contract.`}</p>`,
    )}
    ${card(
      { id: 'file', title: 'The file' },
      html`<p>It is written to <code>${visibleLines(plan.file)}</code>. It is yours: a text that you may read, change and keep.</p>
      <details><summary>Its text</summary><pre class="toml">${visibleLines(view.toml)}</pre></details>`,
    )}
    <form method="post" action=${link(PAGE_PATHS.start)}>${hidden(answers)}
      <p class="row-of"><button type="submit" name="go" value="write" class="primary">${begins ? 'Write it and start' : 'Write it'}</button>
      <button type="submit" name="go" value="change">Change something</button></p>
    </form>`,
  );
}

// How it ended.

/** The file is written, and something is missing before the first answer. */
export const missingPage = (
  page: Pick<StartPage, 'link' | 'access' | 'plan'>,
  { brand, name, missing }: MadePlan,
): VNode =>
  frame(
    page,
    'Written, and not started',
    card(
      { id: 'missing', title: 'What is missing' },
      html`<p>${userText(name, 120)} and its questions are written to <code>${visibleLines(page.plan.file)}</code>. No engine is asked yet:</p>
      <ul class="plain">${missing.map(({ fault }) => html`<li><strong>${userText(fault, 200)}</strong></li>`)}</ul>
      <p>In the terminal of the server: end it with Ctrl-C, set what is missing, and start it again in the same folder.</p>
      <pre class="toml">${missing.map(({ variable }) => `export ${variable}=…\n`).join('')}svc serve --edit</pre>
      <p><a href=${page.link(brandPath(brand))}>The page of ${userText(name, 80)}</a>, which says the same until the first answer.</p>`,
    ),
  );

/** Somebody else has written a plan meanwhile. */
export const existsPage = (page: StartPage, toml: string): VNode =>
  frame(
    page,
    'There is a plan already',
    card(
      { id: 'exists', title: 'Nothing of yours was written' },
      html`<p><code>${visibleLines(page.plan.file)}</code> was written meanwhile, and it is not overwritten.</p>
      ${
        page.plan.made === null
          ? html`<p>This server does not use it yet: start it again with <code>svc serve --edit</code>.</p>`
          : html`<p>This server uses it: <a href=${page.link(brandPath(page.plan.made.brand))}>the page of ${userText(page.plan.made.name, 80)}</a>.</p>`
      }
      <details><summary>What you would have written, to copy from</summary><pre class="toml">${visibleLines(toml)}</pre></details>`,
    ),
  );

/** The machine did not allow it. */
export const refusedPage = (page: StartPage, reason: string): VNode =>
  frame(
    page,
    'Not written',
    card(
      { id: 'refused', title: 'What stands in the way' },
      html`<p class="problem" role="alert">${userText(reason, 600)}</p>
      <form method="post" action=${page.link(PAGE_PATHS.start)}>${hidden(page.answers)}
        <p class="row-of"><button type="submit" name="go" value="write" class="primary">Try again</button>
        <button type="submit" name="go" value="change">Change something</button></p>
      </form>`,
    ),
  );
