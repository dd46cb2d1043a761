/** Prints the checks that fail, and `N passed, N failed` on the last line. */
export default async function* (events) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    // A group fails with its checks.
    if (data.details?.type === 'suite') continue;
    if (type === 'test:pass') passed += 1;
    if (type !== 'test:fail') continue;
    failed += 1;
    const { cause } = data.details.error;
    yield `✖ ${data.name}\n${cause?.message ?? cause ?? data.details.error.message}\n`;
    if (cause?.showDiff) yield `found ${JSON.stringify(cause.actual, null, 1)}\n`;
  }
  yield `${passed} passed, ${failed} failed\n`;
}
