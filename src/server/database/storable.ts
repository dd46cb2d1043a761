/** Whether the database can store a text: Postgres refuses NUL characters, and lone surrogates are not UTF-8. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
