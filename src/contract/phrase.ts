/** Words with numbers and names in them, so that each face can show where a number is from and keep a name apart. */
import { longDay } from './day-words.js';
import { type MeasureName, valueText } from './measures.js';
import { grouped } from './wording.js';

/** A number as it is shown, with its field. */
export interface NumberPart {
  /** `overview.presence_rate`; null: a count of rows, which no field has. */
  readonly field: string | null;
  readonly value: number;
  readonly text: string;
}

/** A name that users or engines wrote: it may be hostile. */
export interface NamePart {
  readonly name: string;
}

/** A day, YYYY-MM-DD. */
export interface DayPart {
  readonly day: string;
}

/** Words, and the numbers, names and days in them. */
export type Phrase = readonly (string | NumberPart | NamePart | DayPart)[];

/** The phrase as one text. */
export const textOf = (phrase: Phrase): string =>
  phrase
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'name' in part ? part.name : 'day' in part ? longDay(part.day) : part.text;
    })
    .join('');

/** A number without a unit. */
export const whole = (field: string | null, value: number): NumberPart => ({
  field,
  value,
  text: grouped(value),
});

/** A measure with its unit. */
export const measured = (field: string, metric: MeasureName, value: number, digits?: number): NumberPart => ({
  field,
  value,
  text: valueText(metric, value, digits),
});
