/** The models that engines began to answer with: a new model explains a move. */
import { engineIds } from './engines.js';
import { type Infer, list, oneOfOrNewer, part, text } from './schema.js';

export const modelChange = part('A model that an engine began to answer with.', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  model: text('Model version, as the engine states it'),
  since: text('The first day with an answer of this model on this engine, YYYY-MM-DD'),
});
export type ModelChange = Infer<typeof modelChange>;

export const modelChanges = list(
  modelChange,
  'Models first seen on an engine in scope within the window, which may explain a move; a model as old as the stored answers of its engine is not one; by engine, then day',
);
