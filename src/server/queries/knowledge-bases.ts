import { statement } from './statement.js';

/** What the brand says about itself; no row: it never said anything. */
export const knowledgeOf = statement<{ text: string }, { brandKey: number }>(
  'knowledge_of',
  'select text from knowledge_bases where brand_key = :brandKey',
);
