/** The page for somebody who has an account at the provider and is not let in here: what came, and whom to ask. */
import type { VNode } from 'preact';
import type { Admission, Identity } from '../../accounts/people.js';
import { html } from '../page/html.js';
import { type Link, layout } from '../page/parts/layout.js';
import { userText } from '../page/parts/text.js';
import { PAGE_PATHS } from '../page/paths.js';

interface NotAdmitted {
  readonly host: string;
  readonly identity: Identity;
  readonly refused: Extract<Admission, { refused: string }>['refused'];
}

const REASONS: Readonly<Record<NotAdmitted['refused'], string>> = {
  unknown: 'Your account is known, and nothing here is open to it.',
  revoked: 'The operator of this server has ended your access.',
  no_workspace: 'Your account is let in, to a workspace that does not exist here.',
};

const ADVICE: Readonly<Record<NotAdmitted['refused'], string>> = {
  unknown: 'Ask whoever operates this server to let in the domain of your email, or one of your groups.',
  revoked: 'Ask whoever operates this server why.',
  no_workspace: 'Tell whoever operates this server: the setting names a workspace that has no data yet.',
};

const MAX_TEXT = 120;
const MAX_GROUPS = 20;

export const notAdmittedPage = (link: Link, { host, identity, refused }: NotAdmitted): VNode => {
  const { name, email, groups } = identity;
  const more = groups.length - MAX_GROUPS;
  return layout(
    { link, title: 'Not let in · Answer visibility' },
    html`
    <section class="card narrow">
      <h1>Not let in</h1>
      <p class="problem" role="alert">${REASONS[refused]}</p>
      <p>This is what ${host} said of you:</p>
      <dl class="facts">
        <dt>Name</dt><dd>${userText(name, MAX_TEXT)}</dd>
        <dt>Verified email</dt><dd>${email === null ? 'none' : userText(email, MAX_TEXT)}</dd>
        <dt>Groups</dt><dd>${groups.length === 0 ? 'none' : userText(groups.slice(0, MAX_GROUPS).join(', '), 600)}${more > 0 ? ` and ${more} more` : ''}</dd>
      </dl>
      <p>${ADVICE[refused]}</p>
      <p><a href=${link(PAGE_PATHS.signIn)}>Sign in another way</a></p>
    </section>`,
  );
};
