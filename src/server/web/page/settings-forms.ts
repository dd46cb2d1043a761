/** The forms of the settings: each is a change of the plan, whose fields are those of the change. */
import { errors } from '../../../contract/errors.js';
import type { RawParams } from '../../answers/parameters.js';
import { refuse } from '../../base/errors.js';
import { html, type Markup } from './html.js';
import type { Link } from './parts/layout.js';
import { settingsPath } from './paths.js';

/**
 * How a field is written, and what of the change it becomes: `line` a text, `optional` a text or null, `lines` and `words` texts
 * (one a line, or with commas), `amount` a number or null, `flag` on or off, `area` a text of several lines. A person does not
 * type into `fixed` and `several`; `none` is null.
 */
type Kind =
  | 'line'
  | 'optional'
  | 'lines'
  | 'words'
  | 'amount'
  | 'flag'
  | 'area'
  | 'fixed'
  | 'number'
  | 'several'
  | 'none';

interface Field {
  readonly kind: Kind;
  readonly label: string;
  readonly hint?: string;
  readonly most?: number;
}

const field = (kind: Kind, label: string, hint?: string): Field => ({ kind, label, ...(hint && { hint }) });
const price = (of: string) => field('amount', `US dollars per ${of}`, 'Empty: not known.');

/** By `do` of the change. A dot leads into a part of it. */
export const changeForms = {
  change_brand: {
    'to.name': field('line', 'Name'),
    'to.domain': field('line', 'Site'),
    'to.aliases': field('lines', 'Other spellings, one a line'),
  },
  add_competitors: {
    pasted: field('area', 'Rivals, one a line', 'Name, or name and site: Acme acme.example'),
  },
  change_competitor: {
    name: field('fixed', 'Rival'),
    'to.name': field('line', 'Name'),
    'to.domain': field('optional', 'Site'),
    'to.aliases': field('lines', 'Other spellings, one a line'),
  },
  retire_competitors: { names: field('several', 'Rivals') },
  add_prompts: {
    pasted: field(
      'area',
      'Prompts, one a line',
      'Or a table with the columns text, topic and tags; or an export of the queries of Search Console.',
    ),
    topic: field('optional', 'Topic of those without one'),
    tags: field('words', 'Tags of those without any, with commas'),
  },
  change_prompt: {
    text: field('fixed', 'Prompt'),
    'to.text': field('line', 'Words', 'Its history stays with the new words.'),
    'to.topic': field('optional', 'Topic'),
    'to.tags': field('words', 'Tags, with commas'),
  },
  retire_prompts: { texts: field('several', 'Prompts') },
  change_engine: {
    engine: field('fixed', 'Engine'),
    at: field('number', 'Place'),
    'to.enabled': field('flag', 'Asked'),
    'to.input_usd_per_mtok': price('million tokens in'),
    'to.output_usd_per_mtok': price('million tokens out'),
    'to.call_usd': price('search or call'),
  },
  add_engine: {
    engine: field('fixed', 'Engine'),
    region: field('line', 'Country, as us', 'Two letters.'),
  },
  set_schedule: {
    'schedule.every': field('line', 'Every', '1d: every day; at most 28d.'),
    'schedule.at': field('line', 'At, in UTC', 'As 04:00.'),
    'schedule.max_usd': field('amount', 'At most, US dollars a day', 'Empty: no limit.'),
    'schedule.max_calls': field('amount', 'At most, calls a day', 'Empty: no limit.'),
    schedule: field('none', 'Never by itself'),
  },
  add_mark: { day: field('fixed', 'Day'), text: field('fixed', 'What was done') },
  apply: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

export type FormName = keyof typeof changeForms;

export const isForm = (name: unknown): name is FormName =>
  typeof name === 'string' && Object.hasOwn(changeForms, name);

const fieldsOf = (name: FormName): Readonly<Record<string, Field>> => changeForms[name];

/** What the fields of a form hold, as the form sends them. */
export type Values = Readonly<Record<string, string | readonly string[]>>;

// From a form to a change.

const texts = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

const list = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** A number that cannot be read stays a text, which the change refuses. */
function numberIn(text: string): number | string | null {
  const plain = text.trim();
  if (plain === '') return null;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? Number(plain) : plain;
}

function read(kind: Kind, value: string | readonly string[]): unknown {
  const text = texts(value).join('\n');
  switch (kind) {
    case 'optional':
      return text.trim() === '' ? null : text.trim();
    case 'line':
      return text.trim();
    case 'lines':
      return list(text, /\r\n|\r|\n/);
    case 'words':
      return list(text, /[,;]|\r\n|\r|\n/);
    case 'amount':
    case 'number':
      return numberIn(text);
    case 'flag':
      return text === 'on' ? true : text === 'off' ? false : text;
    case 'several':
      return texts(value);
    case 'none':
      return null;
    default:
      return text;
  }
}

/**
 * The change that a form states. Fields that it does not have are not changed.
 * @throws 400 for another form, and for a field that it cannot have
 */
export function changeIn(form: RawParams): { name: FormName; values: Values; change: object } {
  const { do: name, ...values } = form as Record<string, string | string[]>;
  if (!isForm(name))
    throw refuse(errors.invalidArgument('do', String(name), Object.keys(changeForms).join(', ')));
  const known = fieldsOf(name);
  const unknown = Object.keys(values).filter((each) => !Object.hasOwn(known, each));
  if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, ['do', ...Object.keys(known)]));
  const change: Record<string, unknown> = { do: name };
  for (const [path, value] of Object.entries(values)) {
    const [first, second] = path.split('.') as [string, string | undefined];
    const part = read(known[path]!.kind, value);
    if (second === undefined) change[first] = part;
    else change[first] = { ...(change[first] as object | undefined), [second]: part };
  }
  return { name, values, change };
}

// From values to a form.

interface ChangeForm {
  readonly link: Link;
  readonly brand: string;
  readonly name: FormName;
  /** Only the fields that have a value are in the form. */
  readonly values: Values;
  /** Unique in the page, for the ids of the fields. */
  readonly id: string;
  readonly button: string;
  /** The name of the button where there are several of them. */
  readonly about?: string;
  /** What can be chosen, by the field. */
  readonly choices?: Readonly<Record<string, readonly (readonly [value: string, label: string])[]>>;
}

/** The form of a change. It leads to what would change, and changes nothing. */
export function changeForm({
  link,
  brand,
  name,
  values,
  id,
  button,
  about,
  choices = {},
}: ChangeForm): Markup {
  const known = fieldsOf(name);
  const label = about === undefined ? undefined : `${button}: ${about}`;
  return html`<form method="post" action=${link(settingsPath(brand, 'change'))} class="change">
    <input type="hidden" name="do" value=${name} />
    ${Object.entries(values).map(([path, value]) =>
      choices[path]
        ? choice(known[path]!, path, choices[path], `${id}-${path}`)
        : control(known[path]!, path, value, `${id}-${path}`),
    )}
    <button type="submit" aria-label=${label}>${button}</button>
  </form>`;
}

function control(
  { kind, label, hint }: Field,
  name: string,
  value: string | readonly string[],
  id: string,
): Markup {
  const all = texts(value);
  const text = all.join('\n');
  if (kind === 'fixed' || kind === 'number' || kind === 'several' || kind === 'none' || kind === 'flag')
    return all.map((each) => html`<input type="hidden" name=${name} value=${each} />`);
  const note = hint === undefined ? null : html`<small id=${`${id}-hint`}>${hint}</small>`;
  const described = hint === undefined ? undefined : `${id}-hint`;
  const input =
    kind === 'area' || kind === 'lines'
      ? html`<textarea id=${id} name=${name} rows=${kind === 'area' ? 8 : 3} spellcheck="false" aria-describedby=${described}>${`\n${text}`}</textarea>`
      : html`<input id=${id} name=${name} value=${text} inputmode=${kind === 'amount' ? 'decimal' : undefined} aria-describedby=${described} />`;
  return html`<span class="field"><label for=${id}>${label}</label>${input}${note}</span>`;
}

const choice = (
  { label }: Field,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  id: string,
): Markup => html`<span class="field"><label for=${id}>${label}</label>
  <select id=${id} name=${name}>${options.map(([value, words]) => html`<option value=${value}>${words}</option>`)}</select></span>`;
