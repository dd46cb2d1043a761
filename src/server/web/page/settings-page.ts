/** The settings of a brand: what its plan says, and the steps of a change: stated, shown, written. */
import { errors } from '../../../contract/errors.js';
import { failureKindOf } from '../../../contract/failure.js';
import { keyKinds } from '../../../contract/keys.js';
import type { Params } from '../../../contract/params.js';
import { type Access, type Brand, requireBrand } from '../../accounts/access.js';
import { recentCollections, stateOf } from '../../answers/collections.js';
import { parseParams } from '../../answers/parameters.js';
import type { ReadEnvironment } from '../../answers/reads/answer-read.js';
import { refuse } from '../../base/errors.js';
import {
  lastAnswers,
  type PlanSettings,
  type PlanSettingsHost,
  type ProposedChange,
  planChanges,
} from '../../intake/plan-settings.js';
import { goneOf } from '../http/connection.js';
import { type Route, requireRead } from '../http/routing.js';
import type { Context, Handler } from '../state.js';
import { collectionLineOf } from './blocks/collection.js';
import { faultCard, offerCard, proposalCard, refusedCard } from './blocks/proposal.js';
import { settingsCards } from './blocks/settings.js';
import { type FormEnvironment, formOf, postOnly, readOrPost } from './forms.js';
import { type BrandPage, framed, loading, SETTINGS, titleBelow } from './frame.js';
import { html, type Markup } from './html.js';
import type { Link } from './parts/layout.js';
import { PAGE_PATHS, relativeTo, settingsPath } from './paths.js';
import { pageReads } from './reads.js';
import { redirect, sendPage } from './respond.js';
import { passSignedIn } from './session.js';
import { changeIn } from './settings-forms.js';
import { sliceOf } from './slice.js';
import { opening } from './window.js';

interface SettingsEnvironment extends FormEnvironment, ReadEnvironment {
  readonly planSettings: PlanSettings;
}

export const settingsRoutes = (env: SettingsEnvironment): Route[] => [
  [PAGE_PATHS.settings, settingsPage(env)],
  [PAGE_PATHS.settingsChange, changeStep(env)],
  [PAGE_PATHS.settingsWrite, writeStep(env)],
  [PAGE_PATHS.settingsCollect, collectStep(env)],
];

/** The brands whose plans somebody may change, of all that there are. */
export const editableBrands = async (
  settings: PlanSettings | null | undefined,
  { kind, shareId }: Access,
): Promise<ReadonlySet<string>> =>
  settings && shareId === undefined && keyKinds[kind].changesPlan ? settings.brands() : new Set();

/** Who changes the plan of which brand. */
interface Editor {
  readonly access: Access;
  readonly brand: Brand;
  readonly host: PlanSettingsHost;
  readonly link: Link;
}

async function editorOf(
  env: SettingsEnvironment,
  ctx: Context,
  check: (ctx: Context) => void,
): Promise<Editor> {
  const access = await passSignedIn(env, ctx, [check]);
  const brand = requireBrand(await env.directory.brand(access, ctx.state.params?.brand ?? ''), false);
  return { access, brand, host: await hostOf(env, access, brand), link: relativeTo(ctx.path) };
}

/** @throws 403 for a key that may not, 404 for a brand that no plan of this server has */
async function hostOf(
  { planSettings }: SettingsEnvironment,
  access: Access,
  brand: Brand,
): Promise<PlanSettingsHost> {
  if (access.shareId !== undefined || !keyKinds[access.kind].changesPlan)
    throw refuse(errors.mayNotChangePlan(access.kind));
  const host = await planSettings.of(brand.id);
  if (host === null) throw refuse(errors.notFound());
  return host;
}

const listParams = {
  find: { kind: 'text', description: 'A part of a prompt' },
  page: { kind: 'integer', minimum: 1, maximum: 10_000, description: 'Page of the prompts' },
} as const satisfies Params;

/** A pasted list, and the same as a change, in which quotes and ends of lines take more. */
const FORM_BYTES = 2 * 1024 * 1024;
const WRITE_BYTES = 3 * FORM_BYTES;

const text = (description: string) => ({ kind: 'text', required: true, description }) as const;
const writeParams = { change: text('The change'), token: text('What was shown') } as const;
const collectParams = { token: text('What was shown') } as const;

interface WriteFields {
  readonly change: string;
  readonly token: string;
}

/** @throws 400 for what is no object of JSON */
function objectIn(change: string): object {
  try {
    const value: unknown = JSON.parse(change);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // As another value.
  }
  throw refuse(errors.invalidArgument('change', change, 'a change that this page has shown'));
}

/** The newest changes that the page lists. */
const MOST_CHANGES = 50;

/** GET of the settings. */
function settingsPage(env: SettingsEnvironment): Handler {
  return async (ctx) => {
    const { access, brand, host, link } = await editorOf(env, ctx, requireRead);
    const list = parseParams(listParams, ctx.query) as { find?: string; page?: number };
    const { key: brandKey } = brand;
    const [view, changes, answers, collections] = await Promise.all([
      viewOrFault(host),
      planChanges(env.db, { brandKey, most: MOST_CHANGES }),
      lastAnswers(env.db, { brandKey }),
      recentCollections(env.db, brandKey),
    ]);
    const line = collectionLineOf(stateOf(collections), env.clock());
    await sendSettings(
      env,
      ctx,
      { access, brand },
      'Settings',
      settingsCards({ link, brand, view, changes, answers, line, list }),
    );
  };
}

/** POST of a form: shows what the change would do, and writes nothing. */
function changeStep(env: SettingsEnvironment): Handler {
  const check = postOnly(env);
  return async (ctx) => {
    const place = await editorOf(env, ctx, check);
    const { name, values, change } = changeIn(await formOf(env, ctx, FORM_BYTES));
    const refused = (message: string) => refusedCard(place, { message, name, values });
    await proposed(env, ctx, place, change, refused, () => place.host.propose(change));
  };
}

/** POST of what was shown: writes it, or shows what it does now if something else has changed meanwhile. */
function writeStep(env: SettingsEnvironment): Handler {
  const check = postOnly(env);
  return async (ctx) => {
    const place = await editorOf(env, ctx, check);
    const { change: text, token } = parseParams(
      writeParams,
      await formOf(env, ctx, WRITE_BYTES),
    ) as unknown as WriteFields;
    const change = objectIn(text);
    const refused = (message: string) => faultCard(place, message, { change: text, token });
    await proposed(env, ctx, place, change, refused, async () => {
      const outcome = await place.host.write(change, token, place.access.keyId);
      // The page to which it leads is that of the new version of the brand.
      env.directory.forget();
      return outcome.written ? null : outcome.proposed;
    });
  };
}

/** Shows what a change does, or why it is refused. @param work Null: it is written. */
async function proposed(
  env: SettingsEnvironment,
  ctx: Context,
  place: Editor,
  change: object,
  refused: (message: string) => Markup,
  work: () => Promise<ProposedChange | null>,
): Promise<void> {
  const found = await orReason(work);
  if (found === null) return redirect(ctx, settingsPath(place.brand.id));
  const [title, status] =
    'refused' in found ? ['Refused', 422] : ['Change', ctx.path.endsWith('/write') ? 409 : 200];
  const content =
    'refused' in found
      ? refused(found.refused)
      : proposalCard({ ...place, proposed: found, change: JSON.stringify(change), isAnew: status === 409 });
  await sendSettings(env, ctx, place, title as string, content, status as number);
}

/** What is expected to fail has a message for people. */
async function orReason<T>(work: () => Promise<T>): Promise<T | { readonly refused: string }> {
  try {
    return await work();
  } catch (error) {
    if (failureKindOf(error) === undefined) throw error;
    return { refused: (error as Error).message };
  }
}

/** GET: what a collection would send now. POST of it: begins it. */
function collectStep(env: SettingsEnvironment): Handler {
  const check = readOrPost(env);
  return async (ctx) => {
    const place = await editorOf(env, ctx, check);
    const isSent = ctx.method === 'POST';
    const token = isSent
      ? (parseParams(collectParams, await formOf(env, ctx)) as unknown as { token: string }).token
      : '';
    const found = await orReason(() =>
      isSent ? place.host.collect(token) : place.host.collection().then((offer) => ({ offer, begun: false })),
    );
    if ('refused' in found)
      return sendSettings(env, ctx, place, 'Collect now', faultCard(place, found.refused), 422);
    if (found.begun) return redirect(ctx, settingsPath(place.brand.id));
    const content = offerCard({ ...place, offer: found.offer, isAnew: isSent });
    return sendSettings(env, ctx, place, 'Collect now', content, isSent ? 409 : 200);
  };
}

/** What the plan says, or why it cannot be read. */
const viewOrFault = (host: PlanSettingsHost) =>
  host.view().catch((error: unknown) => {
    if (failureKindOf(error) === undefined) throw error;
    return (error as Error).message;
  });

/** Sends a page behind the tab of the settings. */
async function sendSettings(
  env: SettingsEnvironment,
  ctx: Context,
  { access, brand }: { readonly access: Access; readonly brand: Brand },
  title: string,
  content: Markup,
  status = 200,
): Promise<void> {
  const reads = pageReads(env, { access, gone: goneOf(ctx) }, brand);
  const given: BrandPage = {
    reads,
    view: {},
    link: relativeTo(ctx.path),
    isEditable: true,
    ...(await opening(reads, sliceOf({}, reads.today))),
  };
  const path = settingsPath(brand.id);
  const page = loading(given, path);
  const frame = { title: titleBelow(page, title), path, tab: SETTINGS } as const;
  sendPage(
    ctx,
    await framed(
      page,
      frame,
      html`<h1 class="aural">${title}</h1><div class="cards settings">${content}</div>`,
    ),
    status,
  );
}
