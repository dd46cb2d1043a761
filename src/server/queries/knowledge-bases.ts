import { statement } from './statement.js';

/** The knowledge base of a brand; no row: it has none. */
export const knowledgeOf = statement<{ text: string }, { brandKey: number }>(
  'knowledge_of',
  'select text from knowledge_bases where brand_key = :brandKey',
);
