/** Names of engines. */
import { engineLabel } from '../../../contract/glossary.js';
import { shown } from './text.js';

/** The name of an engine; of an unknown one its id, shortened. */
export const engineName = (id: string): string => shown(engineLabel(id), 40);
