/** The test requests that log platforms send to check an endpoint before they send logs. */

/** The relevant parts of a request: headers with names in lower case, as in Node; the query; the decoded body. */
export interface VerificationInput {
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The query parameter `vercel_verify`, if it was given. */
  readonly vercelVerify?: string | undefined;
  readonly body: string;
}

const emptyBodies: ReadonlySet<string> = new Set(['', '{}', '[]']);
const testWords: ReadonlySet<string> = new Set(['test', 'tests']);
const codePattern = /^[A-Za-z0-9_-]{8,128}$/;
/** A longer body is never a test, so a caller need not decode it. */
export const VERIFICATION_BODY_LIMIT = 1024;

/** Whether the request is a platform's test: the response is 200 with zeros, and nothing is stored. */
export function isVerificationRequest({ headers, vercelVerify, body }: VerificationInput): boolean {
  if (body.length > VERIFICATION_BODY_LIMIT) return false;
  const text = body.replace(/^\ufeff/, '').trim();
  const compact = text.replace(/\s+/g, '');
  const isMarked =
    headers['x-vercel-verify'] !== undefined ||
    vercelVerify !== undefined ||
    headers['x-vercel-signature'] !== undefined;
  return (isMarked && emptyBodies.has(compact)) || testWords.has(text) || isTestObject(text);
}

/** `{"content":"tests"}` and nothing else. */
function isTestObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return (
      Object.keys(value).length === 1 && typeof value.content === 'string' && testWords.has(value.content)
    );
  } catch {
    return false;
  }
}

/**
 * The code to return as `x-vercel-verify` with every success, null without one. The header wins over the query.
 * Only a code that cannot break out of a header is echoed.
 */
export function verifyCode({ headers, vercelVerify }: Omit<VerificationInput, 'body'>): string | null {
  const header = headers['x-vercel-verify'];
  return (
    [header, vercelVerify].find(
      (code): code is string => typeof code === 'string' && codePattern.test(code),
    ) ?? null
  );
}
