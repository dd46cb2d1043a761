/** Why no answers of a brand come, and what ends that: facts as the database has them, and their words for every face. */
import { type Infer, nullable, object, oneOfOrNewer, text } from './schema.js';

/** What ends a fault of a collection; null: a person has to look. */
export const remedies = ['restart', 'correct_plan', 'wait'] as const;
export type Remedy = (typeof remedies)[number];

export const collectionFault = nullable(
  object(
    {
      reason: text('In sentences; of a key its variable, never its value'),
      remedy: nullable(
        oneOfOrNewer(
          remedies,
          'restart: another environment, and a new start; correct_plan: another file, which is read every minute; wait: the server tries again; null: not known',
        ),
      ),
    },
    'Why the last collection gave no answer or the next cannot begin; null: nothing is known',
  ),
);

export type CollectionFault = NonNullable<Infer<typeof collectionFault>>;

const REMEDIES: { readonly [R in Remedy]: string } = {
  restart: 'Correct the environment and start the server again.',
  correct_plan: 'Correct the file: the server reads it again every minute.',
  wait: 'The server tries again by itself.',
};

/** What to do about a fault; null: nothing is known that helps. */
export function remedyText({ remedy }: CollectionFault): string | null {
  const known = remedies.find((each) => each === remedy);
  return known === undefined ? null : REMEDIES[known];
}

/** A fault and its remedy in one line. */
export const faultText = (fault: CollectionFault): string =>
  [fault.reason, remedyText(fault) ?? []].flat().join(' ');
