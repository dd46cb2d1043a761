/** Numbers, each with its exact value and the name of the field that it is. */
import { title } from '../../../../contract/glossary.js';
import { type MeasureName, scaleOf, valueText } from '../../../../contract/measures.js';
import { escapeControls } from '../../../../contract/printable.js';
import { decimal, grouped } from '../../../../contract/wording.js';
import { html, type Markup } from '../html.js';

export { decimal };

type Format = (value: number) => string;

export const whole: Format = (value) => grouped(Math.round(value));
/** A measure on the scale that people read. */
export const formatOf =
  (name: MeasureName): Format =>
  (value) =>
    valueText(name, value);

/** The name of a measure with its scale, where its values have no unit: `Visibility of 100`. */
export const headOf = (name: MeasureName): string =>
  `${title(name)}${scaleOf(name).suffix === '' ? ' of 100' : ''}`;

/** What stands in place of null. */
export const notMeasured = (): Markup => html`<abbr title="not measured">—</abbr>`;

/** A number of a read. Null was not measured. */
export const numberField = (field: string, value: number | null, format: Format = whole): Markup =>
  value === null
    ? notMeasured()
    : html`<data value=${String(value)} data-field=${field}>${format(value)}</data>`;

export const bounds = (field: string, interval: readonly [number, number] | null, format: Format): Markup =>
  interval === null
    ? null
    : html`${numberField(`${field}.0`, interval[0], format)} – ${numberField(`${field}.1`, interval[1], format)}`;

/** The longest id in the name of a field. */
const MAX_ID_LENGTH = 300;

/** The name of a row in the name of a field: its id, or its number if the id is very long or has control characters. */
export const rowName = (id: string, at: number): string =>
  id !== '' && id.length <= MAX_ID_LENGTH && escapeControls(id) === id ? id : String(at);

/**
 * A bar behind a number: decoration, since the number is next to it.
 * @param part 0 to 1; null: not measured, without a bar
 */
export const bar = (part: number | null, kind = ''): Markup => {
  if (part === null) return null;
  const width = Math.round(1000 * Math.min(1, Math.max(0, part))) / 10;
  return html`<svg class=${kind === '' ? 'bar' : `bar ${kind}`} aria-hidden="true"><rect width=${`${width}%`} height="4" /></svg>`;
};
