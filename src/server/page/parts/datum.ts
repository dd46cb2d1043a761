/** Numbers, each with its exact value and the name of the field that it is. */
import { escapeControls } from '../../../contract/escape-controls.js';
import { type MeasureName, scaleOf } from '../../../contract/measures.js';
import { html, type Markup } from '../html.js';

/** Writes a number for a person. */
export type Format = (value: number) => string;

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export const whole: Format = (value) => grouped.format(value);
export const decimal: Format = (value) => oneDigit.format(value);
/** A measure on the scale that people read. */
export function formatOf(name: MeasureName): Format {
  const { shown, suffix } = scaleOf(name);
  return (value) => `${oneDigit.format(shown * value)}${suffix}`;
}

/** What stands in place of null. */
export const notMeasured = (): Markup => html`<abbr title="not measured">—</abbr>`;

/** A number of a read. Null was not measured. */
export const datum = (field: string, value: number | null, format: Format = whole): Markup =>
  value === null
    ? notMeasured()
    : html`<data value=${String(value)} data-field=${field}>${format(value)}</data>`;

/** An interval, as two numbers. */
export const bounds = (field: string, interval: readonly [number, number] | null, format: Format): Markup =>
  interval === null
    ? null
    : html`${datum(`${field}.0`, interval[0], format)} – ${datum(`${field}.1`, interval[1], format)}`;

/** The longest id in the name of a field. */
const LONGEST_ID = 300;

/** The name of a row in the name of a field: its id, or its number if the id is very long or has control characters. */
export const rowName = (id: string, at: number): string =>
  id !== '' && id.length <= LONGEST_ID && escapeControls(id) === id ? id : String(at);
