/** All definitions, by subject. Nothing that a command loads at its start imports them, because they are long. */
import { citations, coverage, tone } from './citations.js';
import type { Definition, DefinitionGroup } from './definition.js';
import { sample, scores } from './scores.js';
import { ads, factCheck, shopping } from './shopping.js';
import { site } from './site.js';
import { history, uncertainty } from './uncertainty.js';

export const definitionGroups: readonly DefinitionGroup[] = [
  scores,
  uncertainty,
  sample,
  history,
  tone,
  citations,
  coverage,
  shopping,
  ads,
  factCheck,
  site,
];

export const definitions = definitionGroups.flatMap((group) => group.definitions);

/** The definition with this name. */
export const definitionNamed = (name: string): Definition =>
  definitions.find((definition) => definition.name === name)!;
