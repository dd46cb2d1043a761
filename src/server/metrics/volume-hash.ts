import { hash } from 'node:crypto';

/** What a search's measured volume is stored under, in hexadecimal digits: its text may be longer than an index takes. */
export const volumeHash = (query: string): string => hash('sha256', JSON.stringify([query]), 'hex');
