import { hash } from 'node:crypto';

/** The key of a search's measured volume, in hexadecimal digits. The text may be too long for an index, so it is hashed. */
export const volumeHash = (query: string): string => hash('sha256', JSON.stringify([query]), 'hex');
