/** What the plan of a brand says, with the forms that change it. */

import type { Brand } from '../../../accounts/access.js';
import { utcDay } from '../../../base/days.js';
import type {
  EngineSetting,
  lastAnswers,
  PlanChangeRow,
  PlanSettingsHost,
  PlanSettingsView,
  RivalSetting,
} from '../../../intake/plan-settings.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import type { Link } from '../parts/layout.js';
import { whole } from '../parts/numbers.js';
import { pop } from '../parts/pop.js';
import { table } from '../parts/table.js';
import { dateTime, engineName, longDay, noun, regionName, truncated, userText } from '../parts/text.js';
import { settingsPath, withQuery } from '../paths.js';
import { changeForm, type FormName, type Values } from '../settings-forms.js';
import { type CollectionLine, collectionSentences } from './collection.js';

export interface Settings {
  readonly link: Link;
  readonly brand: Brand;
  /** A text: why the plan cannot be read. */
  readonly view: Awaited<ReturnType<PlanSettingsHost['view']>> | string;
  /** The newest first. */
  readonly changes: readonly PlanChangeRow[];
  readonly answers: Awaited<ReturnType<typeof lastAnswers>>;
  readonly line: CollectionLine;
  readonly list: { readonly find?: string; readonly page?: number };
}

type Shown = Settings & { readonly view: Exclude<Settings['view'], string> };

export function settingsCards(settings: Settings): Markup {
  const { view } = settings;
  if (typeof view === 'string')
    return html`${card(
      { id: 'plan', title: 'The plan' },
      html`<p class="problem" role="alert">${userText(view, 2000)}</p>
      <p>Nothing can be changed here until whoever operates this server has corrected the file.</p>`,
    )}${changesCard(settings)}`;
  const shown = { ...settings, view };
  return html`${unappliedCard(shown)}<div class="cards two">${brandCard(shown)}${scheduleCard(shown)}</div>
    ${promptsCard(shown)}${rivalsCard(shown)}${enginesCard(shown)}${changesCard(settings)}`;
}

/** What somebody has written to the file by hand, or a server that ended before it wrote the database. */
const unappliedCard = (settings: Shown): Markup =>
  settings.view.unapplied === 0
    ? null
    : card(
        { id: 'unapplied', title: 'Not in use yet' },
        html`<p>The file has ${whole(settings.view.unapplied)} ${noun(settings.view.unapplied, 'change')} that this server does not use yet.</p>
        ${form(settings, 'apply', {}, { id: 'apply', button: 'Show what it has' })}`,
      );

const form = (
  { link, brand }: Settings,
  name: FormName,
  values: Values,
  {
    id,
    button = 'Show the change',
    about,
  }: { readonly id: string; readonly button?: string; readonly about?: string },
): Markup =>
  changeForm({ link, brand: brand.id, name, values, id, button, ...(about !== undefined && { about }) });

/** A button that opens the form of a row. */
const edit = (id: string, about: string, content: Markup): Markup =>
  pop({ id, button: 'Change', label: `Change: ${truncated(about, 80)}` }, content);

const namesOf = (aliases: readonly string[]): Markup =>
  aliases.length === 0 ? null : html`<small class="under">also ${userText(aliases.join(', '), 240)}</small>`;

// The brand and its rivals.

function brandCard(settings: Shown): Markup {
  const { brand, file } = settings.view;
  const values = { 'to.name': brand.name, 'to.domain': brand.domain ?? '', 'to.aliases': brand.aliases };
  return card(
    { id: 'brand', title: 'Brand', about: html`written to ${userText(file, 120)}` },
    form(settings, 'change_brand', values, { id: 'brand' }),
  );
}

function rivalsCard(settings: Shown): Markup {
  const { competitors } = settings.view;
  return card(
    { id: 'rivals', title: `Rivals: ${whole(competitors.length)}` },
    html`${
      competitors.length === 0
        ? empty('No rival is compared with the brand yet.')
        : table<RivalSetting>({
            label: 'Rivals',
            rows: competitors,
            columns: [
              { head: 'Rival', cell: ({ name, aliases }) => html`${userText(name, 120)}${namesOf(aliases)}` },
              { head: 'Site', kind: 'minor', cell: ({ domain }) => userText(domain ?? '', 80) },
              {
                head: html`<span class="aural">Change</span>`,
                kind: 'words',
                cell: ({ name, domain, aliases }, at) =>
                  edit(
                    `rival-${at}`,
                    name,
                    html`${form(settings, 'change_competitor', { name, 'to.name': name, 'to.domain': domain ?? '', 'to.aliases': aliases }, { id: `rival-${at}`, about: truncated(name, 80) })}
                    ${form(settings, 'retire_competitors', { names: [name] }, { id: `retire-rival-${at}`, button: 'Retire', about: truncated(name, 80) })}`,
                  ),
              },
            ],
          })
    }
    <details><summary>Add rivals</summary>${form(settings, 'add_competitors', { pasted: '' }, { id: 'add-rivals' })}</details>`,
  );
}

// Prompts.

const PROMPTS_OF_A_PAGE = 50;

type Prompt = PlanSettingsView['prompts'][number];

function promptsCard(settings: Shown): Markup {
  const { link, brand, view, list } = settings;
  const { prompts, promptsFile } = view;
  const { find = '', page = 1 } = list;
  const wanted = find.trim().toLowerCase();
  const found = prompts.filter(({ text, topic, tags }) =>
    [text, topic ?? '', ...tags].some((each) => each.toLowerCase().includes(wanted)),
  );
  const pages = Math.max(1, Math.ceil(found.length / PROMPTS_OF_A_PAGE));
  const at = Math.min(page, pages);
  const rows = found.slice((at - 1) * PROMPTS_OF_A_PAGE, at * PROMPTS_OF_A_PAGE);
  const to = (other: number) =>
    link(`${withQuery(settingsPath(brand.id), { find: find || undefined, page: other })}#prompts`);
  return card(
    {
      id: 'prompts',
      title: `Prompts: ${whole(prompts.length)}`,
      about: promptsFile === null ? undefined : html`written to ${userText(promptsFile, 120)}`,
    },
    html`<form class="said" method="get" action=${`${link(settingsPath(brand.id))}#prompts`}>
      <span class="field"><label for="find">Words, topic or tag</label><input id="find" name="find" value=${find} /></span>
      <button type="submit">Find</button>
    </form>
    ${
      rows.length === 0
        ? empty(
            prompts.length === 0
              ? 'No prompt is asked yet: add the questions that your customers ask.'
              : 'No prompt has these words.',
          )
        : html`${promptTable(settings, rows)}
          <form method="post" id="retire-prompts" action=${link(settingsPath(brand.id, 'change'))}>
            <input type="hidden" name="do" value="retire_prompts" />
            <button type="submit">Retire the chosen prompts</button>
          </form>`
    }
    ${
      pages === 1
        ? null
        : html`<p class="foot pages">Page ${whole(at)} of ${whole(pages)}${at > 1 ? html` <a href=${to(at - 1)}>Earlier prompts</a>` : null}${at < pages ? html` <a href=${to(at + 1)}>More prompts</a>` : null}</p>`
    }
    <details open=${prompts.length === 0}><summary>Add prompts</summary>${form(settings, 'add_prompts', { pasted: '', topic: '', tags: '' }, { id: 'add-prompts' })}</details>`,
  );
}

const promptTable = (settings: Shown, rows: readonly Prompt[]): Markup =>
  table<Prompt>({
    label: 'Prompts',
    rows,
    columns: [
      {
        head: 'Prompt',
        cell: ({ text, was }) =>
          html`<label><input type="checkbox" name="texts" value=${text} form="retire-prompts" /> ${userText(text, 400)}</label>${was.length === 0 ? null : html`<small class="under">before: ${userText(was.at(-1)!, 240)}</small>`}`,
      },
      { head: 'Topic', kind: 'words', cell: ({ topic }) => userText(topic ?? '', 60) },
      { head: 'Tags', kind: 'minor', cell: ({ tags }) => userText(tags.join(', '), 120) },
      {
        head: html`<span class="aural">Change</span>`,
        kind: 'words',
        cell: ({ text, topic, tags }, at) =>
          edit(
            `prompt-${at}`,
            text,
            form(
              settings,
              'change_prompt',
              { text, 'to.text': text, 'to.topic': topic ?? '', 'to.tags': tags.join(', ') },
              { id: `prompt-${at}`, about: truncated(text, 80) },
            ),
          ),
      },
    ],
  });

// Engines.

function enginesCard(settings: Shown): Markup {
  const { engines, suggested, extraction } = settings.view;
  const { answers, line } = settings;
  return card(
    { id: 'engines', title: 'Engines' },
    html`${
      engines.length === 0
        ? empty('No engine is named: nothing is asked.')
        : table<EngineSetting>({
            label: 'Engines',
            rows: engines,
            columns: [
              {
                head: 'Engine',
                cell: ({ engine, region, model, protocol, isEnabled }) =>
                  html`${engineName(engine)}${isEnabled ? null : html` <span class="label">off</span>`}<small class="under">${region === 'global' ? '' : `${regionName(region)}, `}${userText(model ?? protocol, 60)}</small>`,
              },
              { head: 'Price', kind: 'minor', cell: priceOf },
              { head: 'Key', kind: 'words', cell: ({ keyEnv, keyFault }) => keyOf(keyEnv, keyFault) },
              {
                head: 'Last answers',
                kind: 'minor',
                cell: ({ engine }) => {
                  const last = answers.find((each) => each.engine === engine);
                  return last === undefined ? 'none yet' : `${whole(last.answers)} on ${longDay(last.day)}`;
                },
              },
              {
                head: html`<span class="aural">Change</span>`,
                kind: 'words',
                cell: (row) => engineForms(settings, row),
              },
            ],
          })
    }
    ${extraction === null ? null : html`<p class="hint">Names in answers are found by ${userText(extraction.model, 60)}; key ${keyOf(extraction.keyEnv, extraction.keyFault)}.</p>`}
    ${line.last?.reason ? html`<p class="hint">Of the last collection: ${userText(line.last.reason, 500)}</p>` : null}
    <p class="hint">Keys stand in variables of the server, and are never shown or typed here: whoever operates it sets them.</p>
    <details><summary>Add an engine</summary>${changeForm({
      link: settings.link,
      brand: settings.brand.id,
      name: 'add_engine',
      id: 'add-engine',
      button: 'Show the change',
      values: { engine: suggested[0] ?? '', region: 'us' },
      choices: { engine: suggested.map((engine) => [engine, engineName(engine)]) },
    })}</details>`,
  );
}

const keyOf = (keyEnv: string | null, fault: string | null): Markup =>
  keyEnv === null
    ? 'none needed'
    : fault === null
      ? html`${userText(keyEnv, 80)} is set`
      : html`<strong class="bad">${userText(fault, 200)}</strong>`;

function priceOf({ prices, hasTokens }: EngineSetting): Markup {
  const { input_usd_per_mtok: input, output_usd_per_mtok: output, call_usd: call } = prices;
  const parts = [
    ...(hasTokens && input !== null && output !== null
      ? [`$${input} in, $${output} out per million tokens`]
      : []),
    ...(call === null ? [] : [`$${call} per ${hasTokens ? 'search' : 'call'}`]),
  ];
  return parts.length === 0 ? 'not known' : parts.join('; ');
}

function engineForms(settings: Shown, { at, engine, isEnabled, prices, hasTokens }: EngineSetting): Markup {
  const place = { engine, at: String(at) };
  const text = (value: number | null) => (value === null ? '' : String(value));
  const name = engineName(engine);
  const tokens = {
    'to.input_usd_per_mtok': text(prices.input_usd_per_mtok),
    'to.output_usd_per_mtok': text(prices.output_usd_per_mtok),
  };
  return edit(
    `engine-${at}`,
    name,
    html`${form(settings, 'change_engine', { ...place, 'to.enabled': isEnabled ? 'off' : 'on' }, { id: `switch-${at}`, button: isEnabled ? 'Switch off' : 'Switch on', about: name })}
    ${form(settings, 'change_engine', { ...place, ...(hasTokens ? tokens : {}), 'to.call_usd': text(prices.call_usd) }, { id: `price-${at}`, about: `prices of ${name}` })}`,
  );
}

// When it collects, and collecting now.

function scheduleCard(settings: Shown): Markup {
  const { link, brand, view, line } = settings;
  const { schedule, day } = view;
  const values = {
    'schedule.every': schedule?.every ?? '1d',
    'schedule.at': schedule?.at ?? '04:00',
    'schedule.max_usd': schedule?.max_usd == null ? '' : String(schedule.max_usd),
    'schedule.max_calls': schedule?.max_calls == null ? '' : String(schedule.max_calls),
  };
  return card(
    { id: 'collection', title: 'Collection' },
    html`<p>${dayWords(day)} ${schedule === null ? 'Nothing is collected by itself.' : ''}${collectionSentences(line)}</p>
    <p><a class="primary" href=${link(settingsPath(brand.id, 'collect'))}>Collect now…</a> <small>It shows calls and cost first.</small></p>
    <details open=${schedule === null}><summary>${schedule === null ? 'Collect by itself' : 'Change when it collects, and the limits'}</summary>
      ${form(settings, 'set_schedule', values, { id: 'schedule' })}
      ${schedule === null ? null : form(settings, 'set_schedule', { schedule: '' }, { id: 'no-schedule', button: 'Never by itself' })}
    </details>`,
  );
}

/** What a day costs. */
export const dayWords = ({ calls, usd }: PlanSettingsView['day']): string =>
  calls === 0
    ? 'Nothing is asked on a day.'
    : `A day is ${whole(calls)} ${noun(calls, 'call')} and ${costWords(usd)}.`;

export const costWords = (usd: number | null): string =>
  usd === null ? 'a cost that is not known, because a price is not stated' : `about $${usd.toFixed(2)}`;

// What was changed.

function changesCard(settings: Settings): Markup {
  const { changes } = settings;
  return card(
    { id: 'changes', title: 'What was changed here' },
    changes.length === 0
      ? empty('Nothing yet. What is changed in the file itself is not listed.')
      : html`<p class="hint">A change of what is asked moves numbers by itself: a mark on its day tells it to whoever reads them.</p>
      ${table<PlanChangeRow>({
        label: 'What was changed',
        rows: changes,
        columns: [
          { head: 'What', cell: ({ words }) => userText(words, 300) },
          { head: 'When', kind: 'words', cell: ({ at }) => dateTime(at) },
          {
            head: 'By',
            kind: 'minor',
            cell: ({ keyId, keyName }) => userText(keyName ?? keyId ?? 'a command', 60),
          },
          {
            head: html`<span class="aural">Mark</span>`,
            kind: 'words',
            cell: ({ id, at, words }) =>
              words.startsWith('Marked ')
                ? null
                : form(
                    settings,
                    'add_mark',
                    { day: utcDay(at), text: truncated(words, 200) },
                    { id: `mark-${id}`, button: 'Offer as a mark' },
                  ),
          },
        ],
      })}`,
  );
}
