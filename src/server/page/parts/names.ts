/** Names of engines. */
import { findEngine } from '../../../contract/engines.js';
import { shown } from './text.js';

/** The label of an engine; of an unknown one its id. */
export const engineName = (id: string): string => findEngine(id)?.label ?? shown(id, 40);
