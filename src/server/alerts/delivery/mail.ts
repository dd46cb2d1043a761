/** Mail about events: text and HTML, sent by SMTP. */
import type { Transporter } from 'nodemailer';
import { escaped } from '../../base/escaped.js';
import { CERTIFICATE_FAULT, isCertificateFault } from '../../base/guarded-request.js';
import type { ReadVariable } from '../../base/read-variable.js';
import { type Message, type Words, wordsOf } from './message.js';

/** The settings of mail: SMTP_URL and MAIL_FROM. */
export interface MailConfig {
  /** `smtp://user:password@host:587`, or `smtps://…`. */
  readonly url: string;
  readonly from: Mailbox;
}

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const VARIABLES = { url: 'SMTP_URL', from: 'MAIL_FROM' } as const;

/** Null: no mail is configured. One setting without the other is a fault. */
export function readMailConfig(read: ReadVariable, fault: (text: string) => void): MailConfig | null {
  const url = read<string | null>(
    VARIABLES.url,
    null,
    'smtp://user:password@host:587, or smtps:// for TLS from the beginning',
    (value) => (URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) ? value : undefined),
  );
  const from = read<Mailbox | null>(
    VARIABLES.from,
    null,
    'an address, such as alerts@example.com or Alerts <alerts@example.com>',
    mailbox,
  );
  if (url !== null && from !== null) return { url, from };
  if (url !== null) fault(`${VARIABLES.from}: expected the sender of mail, as ${VARIABLES.url} is set`);
  if (from !== null) fault(`${VARIABLES.url}: expected the mail server, as ${VARIABLES.from} is set`);
  return null;
}

function mailbox(value: string): Mailbox | undefined {
  if (/\p{Cc}/u.test(value)) return undefined;
  const [, name = '', bracketed, plain] =
    /^(?:([^<>]*)<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/.exec(value.trim()) ?? [];
  const address = bracketed ?? plain;
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}

/** The settings with the password masked. */
export function maskedMailConfig(mail: MailConfig | null) {
  if (mail === null) return null;
  const url = new URL(mail.url);
  if (url.password !== '') url.password = '***';
  url.search = '';
  return { url: url.href, from: mail.from };
}

/** A mail that was not accepted. The message has neither the address nor what the server wrote. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  /** The code of the error of the connection. */
  readonly originalCode?: string;
}

function reasonOf({ code = 'failed', originalCode, responseCode }: SmtpError): string {
  const status = responseCode === undefined ? '' : `, status ${responseCode}`;
  const connection = originalCode === undefined ? '' : ` (${originalCode})`;
  if (code === 'ETLS') return `SMTP ETLS${status}: the connection could not be encrypted`;
  const certificate = originalCode && isCertificateFault(originalCode) ? `: ${CERTIFICATE_FAULT}` : '';
  return `SMTP ${code}${status}${connection}${certificate}`;
}

/** The machine itself, where nobody else listens. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a mail server must offer TLS: it gets a password, and the address does not say otherwise. */
export function needsTls(address: string): boolean {
  const { password, hostname, searchParams } = new URL(address);
  const isStated = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.has(name));
  return password !== '' && !isStated && !LOOPBACK.test(hostname);
}

export interface Mailer {
  /** @throws MailError */
  send(message: Message, to: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** @param timeoutMs Of each step of a connection. */
export async function createMailer({ url, from }: MailConfig, timeoutMs: number): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const limits = {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
  const refused = { disableFileAccess: true, disableUrlAccess: true };
  const secure = needsTls(url) ? { requireTLS: true } : {};
  const transport: Transporter = createTransport({ url, ...limits, ...refused, ...secure });
  return {
    async send(message, to, signal) {
      try {
        await transport.sendMail({
          ...mailOf(message, from),
          to: { name: '', address: to },
          ...refused,
          ...(signal && { signal }),
        });
      } catch (error) {
        throw new MailError(reasonOf(error as SmtpError));
      }
    },
    close: () => transport.close(),
  };
}

/** A mail without its receiver. Its id is the same at every attempt, so that programs can show it once. */
export function mailOf(message: Message, from: Mailbox) {
  const words = wordsOf(message);
  const { title, sentence, lines, context, link } = words;
  const { type, timestamp, data } = message.body;
  const [, host = 'localhost'] = from.address.split('@');
  return {
    from,
    subject: title,
    messageId: `<${message.id}@${host}>`,
    date: new Date(timestamp),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Event-Type': type },
    text:
      data.report?.markdown ??
      [
        sentence,
        ...(lines.length > 0 ? [lines.map((line) => `- ${line}`).join('\n')] : []),
        ...(link ? [link] : []),
        context,
      ]
        .map((block) => `${block}\n`)
        .join('\n'),
    html: data.report?.html ?? htmlOf(words),
  };
}

// Mail programs ignore style sheets, so every element has its style.
function htmlOf({ title, sentence, lines, context, link }: Words): string {
  const paragraph = (content: string, style = '') => `<p style="margin:0 0 12px;${style}">${content}</p>`;
  const list = lines.map((line) => `<li style="margin:0 0 6px">${escaped(line)}</li>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body style="margin:0 auto;padding:24px;max-width:640px;font:15px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#ffffff">
${paragraph(escaped(title), 'font-size:18px;font-weight:600')}
${paragraph(escaped(sentence))}
${list && `<ul style="margin:0 0 12px;padding-left:20px">\n${list}\n</ul>\n`}${link ? `${paragraph(`<a href="${escaped(link)}" style="color:#0b57d0">Open the page</a>`)}\n` : ''}${paragraph(escaped(context), 'font-size:13px;color:#595959')}
</body>
</html>
`;
}
