import type { WithResponse } from './metadata.js';

/** A promise of the data that can also give the response around it. */
export interface ApiPromise<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

export function apiPromise<T>(answer: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = answer.then((known) => known.data);
  const withResponse = () => {
    // The caller of withResponse gets the failure there; `data` has no listener then.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}
