import type { WithResponse } from './metadata.js';

/** A promise of the data that can also give the response around it. */
export interface Answered<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

export function answered<T>(answer: Promise<WithResponse<T>>): Answered<T> {
  const data = answer.then((known) => known.data);
  const withResponse = () => {
    // Whoever asks for the response learns of a failure there; nobody listens to `data`.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
