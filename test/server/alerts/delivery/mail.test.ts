import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { createMailer, type Mailer, mailOf, needsTls } from '../../../../src/server/alerts/delivery/mail.js';
import { messageOf } from '../../../../src/server/alerts/delivery/message.js';
import { readConfig } from '../../../../src/server/run/config.js';
import { certificate } from '../../../cli/support/certificate.js';
import { dataOf, eventOf, HOSTILE } from './support/events.js';

const from = { name: 'Alerts', address: 'alerts@svc.example' };
const messageWith = (fields: object) =>
  messageOf({ ...eventOf('a', { data: dataOf(fields) }), id: 'evt_a' }, 'https://svc.example');

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

describe('mail', () => {
  const mails: Mail[] = [];
  let server: SMTPServer;
  let mailer: Mailer;
  before(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _, done) =>
        password === 'right' ? done(null, { user: 'u' }) : done(new Error('wrong: secret-answer')),
      onRcptTo: ({ address }, _, done) =>
        address === 'unknown@example.com' ? done(new Error('no such user unknown@example.com')) : done(),
      onData: (stream, session, done) => {
        void text(stream).then((raw) => {
          const { mailFrom, rcptTo } = session.envelope;
          mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
          });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    mailer = await createMailer({ url: urlWith('u:right'), from }, 5000);
  });
  beforeEach(() => mails.splice(0));
  after(async () => {
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  const urlWith = (user: string) =>
    `smtp://${user}@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  /** The names of the headers of the head, without lines that continue one. */
  const headersOf = ({ raw }: Mail) =>
    raw
      .split('\r\n\r\n')[0]!
      .split('\r\n')
      .filter((each) => !/^\s/.test(each))
      .map((each) => each.split(':')[0]!.toLowerCase());

  it('arrives with text and HTML, from and to whom it should, and an id that is always the same', async () => {
    await mailer.send(messageWith({}), 'team@example.com');
    const [mail] = mails;
    expect([mail!.from, mail!.to]).to.deep.equal(['alerts@svc.example', ['team@example.com']]);
    expect(mail!.raw).to.contain('Subject: Acme: visibility fell\r\n');
    expect(mail!.raw).to.contain('From: Alerts <alerts@svc.example>\r\n');
    expect(mail!.raw).to.contain('Message-ID: <evt_a@svc.example>\r\n');
    expect(mail!.raw).to.contain('Auto-Submitted: auto-generated\r\n');
    expect(mail!.raw).to.match(/Content-Type: multipart\/alternative/);
    expect(mail!.raw).to.contain('text/plain').and.contain('text/html');
  });

  it('has no header and no receiver that a name brings', async () => {
    await mailer.send(messageWith({}), 'team@example.com');
    const brand = { id: 'b', name: HOSTILE, domain: HOSTILE };
    await mailer.send(messageWith({ title: HOSTILE, sentence: HOSTILE, brand }), 'team@example.com');
    const [plain, hostile] = mails;
    expect(hostile!.to).to.deep.equal(['team@example.com']);
    expect(headersOf(hostile!)).to.deep.equal(headersOf(plain!)).and.not.include('bcc');
  });

  it('shows names as they are, and runs nothing in them', () => {
    const brand = { id: 'b', name: '<script>alert(1)</script>', domain: 'acme.com' };
    const { html, text: plain, subject } = mailOf(messageWith({ brand, sentence: HOSTILE }), from);
    expect(html).to.contain('&lt;script&gt;').and.not.contain('<script').and.not.contain('<b onload');
    expect(html).to.contain('href="https://svc.example/brands/b"');
    expect(subject).to.not.match(/[\r\n]/);
    expect(plain).to.not.match(/^Bcc:/m);
  });

  it('of a digest is the report', () => {
    const report = { markdown: '# Report\n', html: '<!doctype html><p>Report</p>' };
    const { text: plain, html } = mailOf(messageWith({ report }), from);
    expect([plain, html]).to.deep.equal([report.markdown, report.html]);
  });

  it('that fails says why, without the password, the address and the answer of the server', async () => {
    const failure = async (user: string, to: string) => {
      const other = await createMailer({ url: urlWith(user), from }, 5000);
      const message = await other.send(messageWith({}), to).then(
        () => 'sent',
        (error: Error) => error.message,
      );
      other.close();
      return message;
    };
    expect(await failure('u:wrong-password', 'team@example.com')).to.equal('SMTP EAUTH, status 535');
    expect(await failure('u:right', 'unknown@example.com')).to.equal('SMTP EENVELOPE, status 550');
  });
});

describe('mail by TLS', () => {
  const failureOf = async (secure: boolean) => {
    const server = new SMTPServer({ ...certificate, secure, authOptional: true });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const mailer = await createMailer({ url: `smtp${secure ? 's' : ''}://localhost:${port}`, from }, 5000);
    const failure = await mailer.send(messageWith({}), 'team@example.com').then(
      () => 'sent',
      (error: Error) => error.message,
    );
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
    return failure;
  };

  it('is refused by a certificate that nobody vouches for, from the beginning and after STARTTLS', async () => {
    for (const secure of [true, false])
      expect(await failureOf(secure)).to.equal(
        'SMTP ESOCKET (DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not valid or not trusted; NODE_EXTRA_CA_CERTS names the file of a private authority',
      );
  });

  it('is required where a password is sent over a network, unless the address says otherwise', () => {
    for (const url of ['smtp://u:p@mail.example:587', 'smtps://u:p@mail.example'])
      expect(needsTls(url), url).to.equal(true);
    for (const url of [
      'smtp://mail.example',
      'smtp://u:p@localhost',
      'smtp://u:p@127.0.0.1:2525',
      'smtp://u:p@[::1]',
      'smtp://u:p@mail.example?ignoreTLS=true',
    ])
      expect(needsTls(url), url).to.equal(false);
  });
});

describe('the settings of mail', () => {
  const faults = (env: Record<string, string>) => {
    try {
      return readConfig(env).mail;
    } catch (error) {
      return (error as { faults: string[] }).faults;
    }
  };

  it('are a server and a sender, with or without a name', () => {
    const SMTP_URL = 'smtp://u:p@mail.example:587';
    const sender = (MAIL_FROM: string) => faults({ SMTP_URL, MAIL_FROM });
    expect(sender('a@b.example')).to.deep.equal({
      url: SMTP_URL,
      from: { name: '', address: 'a@b.example' },
    });
    for (const named of ['Al Erts <a@b.example>', '"Al Erts" <a@b.example>'])
      expect(sender(named)).to.deep.equal({
        url: SMTP_URL,
        from: { name: 'Al Erts', address: 'a@b.example' },
      });
  });

  it('are faults if one is missing or has another form, without its value', () => {
    expect(faults({ SMTP_URL: 'smtp://u:p@mail.example' })).to.deep.equal([
      'MAIL_FROM: expected the sender of mail, as SMTP_URL is set',
    ]);
    expect(faults({ MAIL_FROM: 'a@b.example' })).to.deep.equal([
      'SMTP_URL: expected the mail server, as MAIL_FROM is set',
    ]);
    const both = faults({ SMTP_URL: 'http://u:hidden@mail.example', MAIL_FROM: 'a@b\r\nBcc: c@d' });
    expect(both).to.have.length(2);
    expect(JSON.stringify(both)).to.not.contain('hidden').and.not.contain('Bcc');
  });
});
