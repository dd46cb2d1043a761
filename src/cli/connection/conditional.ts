type Fetch = typeof globalThis.fetch;

/**
 * Wraps a fetch so that a GET that was answered before is sent with If-None-Match. After a 304 the caller gets the body of
 * before with the headers of the new response.
 */
export function conditional(fetch: Fetch): Fetch {
  const known = new Map<string, { readonly etag: string; readonly body: string }>();
  return async (input, init) => {
    const request = new Request(input, init);
    const before = request.method === 'GET' ? known.get(request.url) : undefined;
    if (before) {
      request.headers.set('If-None-Match', before.etag);
      // Otherwise fetch adds `Cache-Control: no-cache`, with which servers send the whole response.
      request.headers.set('Cache-Control', 'max-age=0');
    }
    const response = await fetch(request);
    if (before && response.status === 304) return new Response(before.body, { headers: response.headers });
    const etag = response.headers.get('ETag');
    if (request.method === 'GET' && response.ok && etag !== null)
      known.set(request.url, { etag, body: await response.clone().text() });
    return response;
  };
}
