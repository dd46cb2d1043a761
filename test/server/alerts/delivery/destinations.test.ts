import { createSecretKey, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { alertTypes } from '../../../../src/contract/events.js';
import {
  addDestination,
  DestinationError,
  listDestinations,
  type NewDestination,
  openDestination,
  removeDestination,
  rotateSecret,
  seal,
  signingSecrets,
  unseal,
} from '../../../../src/server/alerts/delivery/destinations.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { load, market } from '../../intake/dataset/support/load.js';
import { NOW } from './support/events.js';

const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const ADDRESS = 'https://hooks.slack.example/services/T0/B0/hidden-part';

describe('destinations', () => {
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    await load(database.knex, market);
  });

  const add = (more: Partial<NewDestination> = {}, allowPrivate = false) =>
    addDestination(
      database.knex,
      { workspace: 'w', kind: 'webhook', address: ADDRESS, ...more },
      { allowPrivate, now: NOW },
    );
  const refusal = async (more: Partial<NewDestination>) => {
    const error = await add(more).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).to.be.instanceOf(DestinationError);
    return (error as Error).message;
  };

  it('get the alerts if nothing else is stated, and a secret if they are webhooks', async () => {
    const webhook = await add();
    expect(webhook.events).to.deep.equal(alertTypes).and.not.include('digest.weekly');
    expect(webhook.secret).to.match(/^whsec_[\w+/]{43}=$/);
    expect((await add({ kind: 'slack' })).secret).to.equal(null);
  });

  it('belong to the only workspace if none is named, and to none where there are several', async () => {
    const { workspace: _, ...unnamed } = { workspace: undefined, kind: 'slack', address: ADDRESS } as const;
    const options = { allowPrivate: false, now: NOW };
    expect((await addDestination(database.knex, unnamed, options)).workspace).to.equal('w');
    await load(database.knex, [{ type: 'workspace', id: 'v', name: 'V', plan: 'growth' }]);
    expect(await refusal({ workspace: undefined })).to.equal(
      'Expected a workspace, because there are several: v, w.',
    );
  });

  it('are listed without anything secret, and their rows have none either', async () => {
    const { secret } = await add();
    await add({ kind: 'email', address: 'team@example.com' });
    const listed = await listDestinations(database.knex, {});
    expect(listed.map(({ shown }) => shown)).to.have.members([
      'https://hooks.slack.example/…',
      'team@example.com',
    ]);
    const { rows } = await database.knex.raw(
      'select d.*, encode(d.sealed, $$escape$$) as text from destinations d',
    );
    const stored = JSON.stringify(rows);
    for (const hidden of ['hidden-part', secret!, secret!.slice(6)]) {
      expect(JSON.stringify(listed)).to.not.contain(hidden);
      expect(stored).to.not.contain(hidden);
    }
  });

  it('are opened with what was stored', async () => {
    const { id, secret } = await add();
    const { row, target } = await openDestination(database.knex, id);
    expect(row).to.deep.include({ id, kind: 'webhook', workspaceId: 'w' });
    expect(target).to.deep.equal({ address: ADDRESS, secrets: [{ value: secret, until: null }] });
  });

  it('sign with two secrets for a day after a rotation, and with two at most', async () => {
    const { id, secret: first } = await add();
    const second = await rotateSecret(database.knex, { id, now: NOW });
    expect(second.until).to.deep.equal(later(24));
    const signing = async (now: Date) =>
      signingSecrets((await openDestination(database.knex, id)).target, now);
    expect(await signing(later(23))).to.deep.equal([second.secret, first]);
    expect(await signing(later(24))).to.deep.equal([second.secret]);
    const third = await rotateSecret(database.knex, { id, now: later(1) });
    expect(await signing(later(2))).to.deep.equal([third.secret, second.secret]);
  });

  it('have a secret that is given, of 24 to 64 bytes', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect((await add({ secret })).secret).to.equal(secret);
    for (const wrong of ['whsec_', 'short', `whsec_${Buffer.alloc(23).toString('base64')}`, 'whsec_%%%']) {
      const message = await refusal({ secret: wrong });
      expect(message)
        .to.contain('24 to 64 bytes in base64')
        .and.not.contain(wrong.slice(6) || '%');
    }
    expect(await refusal({ kind: 'slack', secret })).to.contain('Only a webhook has a secret');
  });

  it('are refused with what came and what is allowed, without their address', async () => {
    expect(await refusal({ workspace: 'x' })).to.equal('Unknown workspace: x');
    expect(await refusal({ brands: ['x'] })).to.equal('Unknown brand in workspace w: x');
    expect(await refusal({ events: ['moves'] })).to.contain('Unknown event: moves. Known are move.detected,');
    for (const address of ['ftp://a.example/hidden', 'hidden', '']) {
      expect(await refusal({ address })).to.equal('Expected an address that begins with https://.');
    }
    for (const login of ['hidden:hidden@', 'hidden@', ':hidden@'])
      expect(await refusal({ address: `https://${login}a.example/x` }))
        .to.contain('without a user and a password')
        .and.not.contain('hidden');
    expect(await refusal({ address: 'http://a.example/hidden' }))
      .to.contain('got http://')
      .and.not.contain('hidden');
    for (const host of ['127.0.0.1', '10.0.0.1', '[::1]', '169.254.169.254', '2130706433', '0x7f.1'])
      expect(await refusal({ address: `https://${host}/hidden` })).to.contain('Expected a public address');
    expect((await add({ address: 'http://127.0.0.1:9/hidden' }, true)).shown).to.equal(
      'http://127.0.0.1:9/…',
    );
  });

  it('of mail take one address, without anything that could end a header', async () => {
    expect((await add({ kind: 'email', address: ' team@example.com\n' })).shown).to.equal('team@example.com');
    for (const address of [
      'team',
      'a@b, c@d',
      'A <a@b>',
      'a@b\r\nBcc: c@d',
      'a b@c',
      '"a"@b',
      'a@b;c@d',
      'a@b\u0000',
    ])
      expect(await refusal({ kind: 'email', address })).to.contain('Expected one e-mail address');
  });

  it('are removed with what waits for them', async () => {
    const { id } = await add();
    expect(await removeDestination(database.knex, { id })).to.deep.equal([{ id }]);
    expect(await removeDestination(database.knex, { id })).to.deep.equal([]);
    expect(await openDestination(database.knex, id).catch((error: Error) => error.message)).to.equal(
      `No destination ${id} exists.`,
    );
  });
});

describe('a sealed target', () => {
  const key = createSecretKey(randomBytes(32));
  const target = fc.record({
    address: fc.string({ unit: 'grapheme' }),
    secrets: fc.array(fc.record({ value: fc.string(), until: fc.constant(null) }), { maxLength: 2 }),
  });

  it('opens for its destination only, with its key, unchanged', () => {
    fc.assert(
      fc.property(target, fc.uuid(), fc.nat(), (value, id, at) => {
        const sealed = seal(key, id, value);
        expect(unseal(key, id, sealed)).to.deep.equal(value);
        expect(() => unseal(key, `${id}x`, sealed)).to.throw();
        expect(() => unseal(createSecretKey(randomBytes(32)), id, sealed)).to.throw();
        const changed = Buffer.from(sealed);
        changed[at % changed.length]! ^= 1;
        expect(() => unseal(key, id, changed)).to.throw();
      }),
    );
  });

  it('is never sealed to the same bytes twice', () => {
    const same = { address: 'https://a.example', secrets: [] };
    expect(seal(key, 'a', same).equals(seal(key, 'a', same))).to.equal(false);
  });
});
