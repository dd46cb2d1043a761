import { PROTOCOL_VERSION_HEADER } from '../../../../../../src/contract/mcp.js';

/** What a client sent. */
export interface RecordedPost {
  /** Of the protocol, by the header; null without one. */
  readonly version: string | null;
  readonly method: string;
}

export interface RecordingFetch {
  readonly fetch: typeof fetch;
  readonly posts: readonly RecordedPost[];
  /** Waits until everything that was sent is answered, a GET for a stream too. */
  settled(): Promise<unknown>;
}

/** A fetch that remembers every POST. */
export function recordingFetch(): RecordingFetch {
  const posts: RecordedPost[] = [];
  const answers: Promise<Response>[] = [];
  return {
    posts,
    settled: () => Promise.allSettled(answers),
    fetch: (input, init) => {
      if (init?.method === 'POST')
        posts.push({
          version: new Headers(init.headers).get(PROTOCOL_VERSION_HEADER),
          method: JSON.parse(String(init.body)).method,
        });
      const answer = fetch(input, init);
      answers.push(answer);
      return answer;
    },
  };
}
