import type { WithResponse } from './metadata.js';

/** A promise of the data, which can also return the data together with the response headers. */
export interface ApiPromise<T> extends Promise<T> {
  /** The data together with that of the response headers. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The promise of the data of a response, which `withResponse` returns together with the headers. */
export function apiPromise<T>(answer: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = answer.then((known) => known.data);
  const withResponse = () => {
    // A caller of withResponse gets the failure there. Nothing listens to `data` then, so its rejection must be
    // handled.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
