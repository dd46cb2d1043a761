/** The text formats outside the access-log family, tried in order. */
import type { Entry, Found } from '../entry.js';
import { accessEntry } from './access-entry.js';
import { AccessLine } from './access-line.js';
import { albEntry } from './alb.js';
import { bunnyEntry } from './bunny.js';
import { haproxyEntry } from './haproxy.js';
import { herokuEntry } from './heroku.js';
import { proxyManagerEntry } from './proxy-manager.js';
import { s3Entry } from './s3.js';

/** The entry of a line in one of those formats, null for a line in another format. */
export function otherTextEntry(line: string): Entry | null {
  return (
    albEntry(line) ??
    haproxyEntry(line) ??
    herokuEntry(line) ??
    proxyManagerEntry(line) ??
    s3Entry(line) ??
    bunnyEntry(line)
  );
}

/** A line of text that a collector put into JSON. */
export function embeddedEntry(line: string): Found {
  const bytes = Buffer.from(`${line}\n`);
  const access = new AccessLine();
  const isAccess = access.scan(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  if (access.newline !== bytes.length - 1) return 'unparsed';
  return (isAccess ? accessEntry(access, bytes) : otherTextEntry(line)) ?? 'unparsed';
}
