/** What a client hears whose bytes are no HTTP request: Node would answer without a body. */
import type { Duplex } from 'node:stream';
import { API_VERSION, headers } from '../contract/versions.js';

const TOO_LARGE = 'HPE_HEADER_OVERFLOW';

/** For the `clientError` event of an HTTP server. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, words] =
    error.code === TOO_LARGE
      ? ['431 Request Header Fields Too Large', 'Request headers are too large']
      : ['400 Bad Request', 'This is not an HTTP request'];
  const body = JSON.stringify({ error: words });
  const head = [
    `HTTP/1.1 ${status}`,
    `${headers.version}: ${API_VERSION}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
