/** Loaded before a server of a test: what it sends to the vendors of the suggestions goes to the engine of the test, TEST_ENGINE. */
const { TEST_ENGINE } = process.env;
const vendors = [
  ['https://api.openai.com/v1/responses', 'openai-responses'],
  ['https://api.openai.com/v1/chat/completions', 'openai-chat'],
  ['https://api.perplexity.ai/chat/completions', 'perplexity'],
];
const send = globalThis.fetch;
globalThis.fetch = (url, options) => {
  const [address, protocol] = vendors.find(([each]) => each === String(url)) ?? [];
  if (address !== undefined)
    return send(`${TEST_ENGINE}/${protocol}${new URL(address).pathname.replace('/v1', '')}`, options);
  // No test sends anything to a vendor.
  if (!/^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(String(url)))
    throw new TypeError('fetch failed');
  return send(url, options);
};
