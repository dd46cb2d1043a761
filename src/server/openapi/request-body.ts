/** The body of POST crawler-events. */
import { crawlerEvents } from '../../contract/crawler-events.js';
import type { JsonSchema } from '../json-schema.js';

const MIB = 1_048_576;
const { bodyBytes, decodedBytes } = crawlerEvents.limits;

/** A line as nginx and Apache write it; the time is in the week of the demo from which the examples are. */
export const exampleLines = [
  '203.0.113.7 - - [20/Nov/2026:09:14:03 +0000] "GET /guides/espresso HTTP/1.1" 200 5316 "-" "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"',
  '198.51.100.9 - - [20/Nov/2026:09:14:05 +0000] "GET / HTTP/1.1" 200 812 "-" "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"',
  '',
].join('\n');

/** A blank body is refused. */
const media = (example: unknown) => ({ schema: { type: 'string', pattern: '\\S' }, example });

/** The media types are informative: the server looks at the bytes. */
export const logBody: JsonSchema = {
  required: true,
  description: `Lines of a log, at most ${bodyBytes / MIB} MiB as sent and ${decodedBytes / MIB} MiB decompressed`,
  content: {
    'text/plain': media(exampleLines),
    'application/x-ndjson': media(
      '{"time":"2026-11-20T09:14:03Z","host":"torvello.example","path":"/guides/espresso","status":200,"user_agent":"PerplexityBot/1.0"}\n',
    ),
  },
};
