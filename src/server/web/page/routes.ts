/** The routes of the page. */
import type { VNode } from 'preact';
import { findEngine } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import type { Params } from '../../../contract/params.js';
import { isAboutOneBrand, type Read } from '../../../contract/read.js';
import { type ReadName, readNames, reads as readsByName } from '../../../contract/registry.js';
import { mediaTypes } from '../../../contract/rows.js';
import { type Brand, requireBrand, requirePlan } from '../../accounts/access.js';
import { REMEMBER_MS } from '../../accounts/directory.js';
import { createShares, type Shares } from '../../accounts/shares.js';
import { type CollectionState, recentCollections, stateOf } from '../../answers/collections.js';
import { parseParams } from '../../answers/parameters.js';
import type { Caller, ReadEnvironment } from '../../answers/reads/answer-read.js';
import { createReadCache } from '../../answers/reads/read-cache.js';
import { createSharedCache } from '../../answers/reads/shared-cache.js';
import type { Audience } from '../../base/audience.js';
import type { Stopwatch } from '../../base/clock.js';
import { deploymentSecret } from '../../base/deployment-secret.js';
import { refuse } from '../../base/errors.js';
import { inTime } from '../../base/fair-queue.js';
import { validated } from '../../base/validated.js';
import type { FirstPlan } from '../../intake/first-plan.js';
import type { PlanSettings } from '../../intake/plan-settings.js';
import { goneOf } from '../http/connection.js';
import { sendValidated, serveStatic } from '../http/response.js';
import { type Route, requireRead } from '../http/routing.js';
import type { Context, Handler } from '../state.js';
import { ANSWER_READS, answerPage } from './answer-page.js';
import { assistantsPage, endAssistant } from './assistants.js';
import { type CollectionLine, collectionLineOf } from './blocks/collection.js';
import { BRAND_READS, brandPage, CHART } from './brand-page.js';
import { brandsPage, chosenBrands, pageOf } from './brands-page.js';
import { namingKnownValues } from './choices.js';
import { competitorPage, DETAIL_READS, domainPage, markPage, promptPage, urlPage } from './detail-pages.js';
import type { BrandPage } from './frame.js';
import { documentOf } from './html.js';
import { needsForm } from './needs-form.js';
import { type Link, styleBytes, stylePath } from './parts/layout.js';
import {
  asShared,
  brandPath,
  filePath,
  PAGE_PATHS,
  promptPath,
  relativeTo,
  TABS,
  withQuery,
} from './paths.js';
import { createVersions, type FilesOf, type PageReads, pageReads } from './reads.js';
import { inWords, inWordsOfLinks, redirect, refusalIn, SHARED_HEADERS, sendCached } from './respond.js';
import { createSessions, passSignedIn, SESSION_SECRET } from './session.js';
import { editableBrands, settingsRoutes } from './settings-page.js';
import { filtersOfLink, passShared, viewerSlice } from './shared.js';
import { type LinkFilters, sharedReads } from './shared-reads.js';
import { revokeForm, shareEndpoint, sharePage, sharesEndpoint } from './shares.js';
import { createSignInLink, type SignInEnvironment, signInForm, signInOnce, signOut } from './sign-in.js';
import { filterNames, missingIn, paramsFor, type Slice, sliceOf } from './slice.js';
import { spreadsheet } from './spreadsheet.js';
import { mayStart, startForm } from './start-form.js';
import { tabPage, tabReads } from './tab-pages.js';
import { viewOf } from './view.js';
import { opening } from './window.js';

export interface PageEnvironment
  extends ReadEnvironment,
    Omit<SignInEnvironment, 'sessionSecret' | 'sessions'> {
  readonly page: boolean;
  /** Connecting assistants by OAuth; if omitted or null, it is off. */
  readonly oauth?: object | null;
  readonly elapsed: Stopwatch;
  /** Makes the first plan of a server that has none; if omitted or null, the page makes none. */
  readonly firstPlan?: FirstPlan | null;
  /** The plans that people change on the page; if omitted or null, none. */
  readonly planSettings?: PlanSettings | null;
}

interface SignedIn extends ReadEnvironment, SignInEnvironment, Pick<PageEnvironment, 'firstPlan'> {
  readonly shares: Shares;
  readonly elapsed: Stopwatch;
  readonly planSettings?: PlanSettings | null;
}

const YEAR_SECONDS = 31_536_000;
const PAGE_CACHE_BYTES = 64 * 1024 * 1024;

/** Renders a page. @param gone Aborted when nobody waits for it any more. */
type Render = (gone: AbortSignal) => Promise<string>;

export function pageRoutes(options: PageEnvironment): Route[] {
  if (!options.page) return [];
  const { db, elapsed } = options;
  const sessionSecret = deploymentSecret(db, SESSION_SECRET);
  const sessions = createSessions(db, sessionSecret, elapsed);
  const env = { ...options, sessionSecret, sessions, shares: createShares(db, elapsed) };
  const words = (handle: Handler) => inWords(env, handle);
  const shown = pages(env);
  const { planSettings } = options;
  const settings = planSettings ? settingsRoutes({ ...env, planSettings }) : [];
  return [
    ['/', words(toBrands)],
    [
      stylePath(),
      serveStatic('text/css; charset=utf-8', styleBytes, {
        'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      }),
    ],
    [PAGE_PATHS.signIn, words(signInForm(env))],
    [PAGE_PATHS.signInOnce, words(signInOnce(env))],
    [PAGE_PATHS.signInLinks, createSignInLink(env)],
    [PAGE_PATHS.signOut, words(signOut(env))],
    [PAGE_PATHS.shares, sharesEndpoint(env)],
    [PAGE_PATHS.oneShare, shareEndpoint(env)],
    [PAGE_PATHS.share, words(sharePage(env))],
    [PAGE_PATHS.revokeShare, words(revokeForm(env))],
    [PAGE_PATHS.assistants, words(assistantsPage(env))],
    [PAGE_PATHS.endAssistant, words(endAssistant(env))],
    [PAGE_PATHS.needsAside, words(needsForm(env))],
    ...(options.firstPlan
      ? [[PAGE_PATHS.start, words(startForm({ ...env, firstPlan: options.firstPlan }))] as Route]
      : []),
    ...settings.map(([path, handler]): Route => [path, words(handler)]),
    ...shown.map(([path, handler]): Route => [path, words(handler)]),
    ...ofLinks(shown).map(([path, handler]): Route => [path, inWordsOfLinks(env, handler)]),
  ];
}

function toBrands(ctx: Context): void {
  requireRead(ctx);
  redirect(ctx, PAGE_PATHS.brands);
}

/** The pages of a brand under the address of a link: `/brands/ID/…` is `/shared/TOKEN/…`. */
const ofLinks = (shown: readonly Route[]): Route[] => [
  ...shown
    .filter(([path]) => path.startsWith(PAGE_PATHS.brand))
    .map(([path, handler]): Route => [path.replace(PAGE_PATHS.brand, PAGE_PATHS.shared), handler]),
  [
    `${PAGE_PATHS.shared}{/*path}`,
    (ctx) => {
      requireRead(ctx);
      throw refuse(errors.notFound());
    },
  ],
];

/** Who looks at the page of a brand: somebody who is signed in, or the viewer of a link. */
interface Visit {
  /** What they may see of the brand. */
  readonly reads: PageReads;
  /** All of the brand, for the versions of its data. */
  readonly all: PageReads;
  readonly slice: Slice;
  /** The filters of the link of a viewer. */
  readonly limits?: LinkFilters;
  readonly link: Link;
  /** What else the page depends on. */
  readonly key: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

async function signedInVisit(env: SignedIn, ctx: Context): Promise<Visit> {
  const access = await passSignedIn(env, ctx);
  const brand = requireBrand(await env.directory.brand(access, ctx.state.params?.brand ?? ''), false);
  const link = relativeTo(ctx.path);
  const reads = pageReads(env, { access, gone: goneOf(ctx) }, brand, filesOf(brand, link));
  const slice = sliceOf(ctx.query, reads.today);
  return { reads, all: reads, slice, link, key: [ctx.path], headers: {} };
}

async function sharedVisit(env: SignedIn, ctx: Context): Promise<Visit> {
  const { share, access, brand } = await passShared(env, ctx);
  const { token = '', ...names } = ctx.state.params ?? {};
  const address = asShared(token, brand.id);
  const relative = relativeTo(ctx.path);
  const link: Link = (path) => relative(address(path));
  const all = pageReads(env, { access, gone: goneOf(ctx) }, brand, filesOf(brand, link));
  const limits = filtersOfLink(share, all.today);
  return {
    reads: sharedReads(env.db, all, limits),
    limits,
    all,
    slice: viewerSlice(share, ctx.query, Object.keys(names), all.today),
    link,
    key: ['share', share.id, ctx.state.route ?? '', JSON.stringify(names), String(ctx.path.endsWith('/'))],
    headers: SHARED_HEADERS,
  };
}

/** The pages for a signed-in user: first their gates in order, then their content. Those of a brand are for the viewers of links too. */
function pages(env: SignedIn): Route[] {
  const cache = createReadCache(env.elapsed, PAGE_CACHE_BYTES);
  const versionsOf = createVersions(env, env.elapsed);
  const ofBrand =
    (serve: (ctx: Context, visit: Visit) => Promise<void>): Handler =>
    async (ctx) => {
      const isLink = ctx.state.params?.token !== undefined;
      await serve(ctx, await (isLink ? sharedVisit : signedInVisit)(env, ctx));
    };
  /** Sends a page from the cache, or renders it. Links depend on the path. */
  const send: Send = async (ctx, { access, gone }, key, render, headers) => {
    const make = async (audience: Audience) => validated(await render(audience.gone));
    const content = (until: AbortSignal) =>
      cache.content(JSON.stringify(key), { keyId: access.keyId, gone: until }, make);
    sendCached(ctx, await inTime(gone, content), headers);
  };
  /** A page of a brand whose query chooses a window and engines. */
  const ofSlice = (
    names: readonly ReadName[],
    make: (page: BrandPage, ctx: Context) => Promise<VNode>,
    collectionOf: (reads: PageReads) => Promise<CollectionLine | undefined> = async () => undefined,
  ) =>
    ofBrand(async (ctx, { reads, all, slice, limits, link, key, headers }) => {
      const { access, brand, today } = reads;
      const versions = await versionsOf(names, all);
      const collection = await collectionOf(reads);
      const isEditable = (await editableBrands(env.planSettings, reads.access)).has(reads.brand.id);
      const { keyId, plan, kind, personName = '' } = access;
      const { id, visibleVersion } = brand;
      const view = viewOf(ctx.query);
      const state = [
        JSON.stringify(slice),
        JSON.stringify(view),
        versions,
        JSON.stringify(collection ?? null),
        String(isEditable),
      ];
      const whole = [...key, keyId, kind, personName, plan ?? '', today, id, visibleVersion, ...state];
      const render: Render = async (gone) => {
        const waited = reads.until(gone);
        const own = { reads: waited, view, limits, link, collection, isEditable };
        const page = { ...own, ...(await opening(waited, slice)) };
        return documentOf(await make(page, ctx).catch(namingKnownValues(waited, slice)));
      };
      await send(ctx, reads, whole, render, headers);
    });
  const detail = (make: (page: BrandPage, ctx: Context) => Promise<VNode>) =>
    oneNotFound(ofSlice(DETAIL_READS, make));
  const param = (ctx: Context, name: string): string => ctx.state.params?.[name] ?? '';
  const ofWhole = ofSlice(BRAND_READS, brandPage, collectionsKept(env));
  return [
    [PAGE_PATHS.brands, (ctx) => serveBrands(env, ctx, send)],
    [
      PAGE_PATHS.brand,
      async (ctx) => {
        if (!(await toPrompt(env, ctx))) await ofWhole(ctx);
      },
    ],
    ...TABS.map(
      (tab): Route => [PAGE_PATHS[tab], oneNotFound(ofSlice(tabReads(tab), (page) => tabPage(page, tab)))],
    ),
    [PAGE_PATHS.prompt, ofSlice(DETAIL_READS, (page, ctx) => promptPage(page, param(ctx, 'prompt')))],
    [
      PAGE_PATHS.answer,
      oneNotFound(ofSlice(ANSWER_READS, (page, ctx) => answerPage(page, param(ctx, 'run')))),
    ],
    [PAGE_PATHS.domain, detail((page, ctx) => domainPage(page, param(ctx, 'domain')))],
    [PAGE_PATHS.page, detail((page) => urlPage(page))],
    [PAGE_PATHS.competitor, detail((page, ctx) => competitorPage(page, param(ctx, 'id')))],
    [PAGE_PATHS.mark, detail((page, ctx) => markPage(page, param(ctx, 'mark')))],
    [PAGE_PATHS.engine, (ctx) => toEngine(env, ctx)],
    [PAGE_PATHS.json, ofBrand((ctx, visit) => download(ctx, visit, 'json'))],
    [PAGE_PATHS.csv, ofBrand((ctx, visit) => download(ctx, visit, 'csv'))],
    [
      `${PAGE_PATHS.brands}{/*path}`,
      async (ctx) => {
        await passSignedIn(env, ctx);
        throw refuse(errors.notFound());
      },
    ],
  ];
}

/** Leads the page of a brand about one prompt to the page of the prompt, which is one. @returns Whether it does. */
async function toPrompt(env: SignedIn, ctx: Context): Promise<boolean> {
  const { prompt } = ctx.query;
  const { brand, token } = ctx.state.params ?? {};
  if (typeof prompt !== 'string' || prompt === '' || prompt.includes(',') || token !== undefined)
    return false;
  const access = await passSignedIn(env, ctx);
  const found = requireBrand(await env.directory.brand(access, brand ?? ''), false);
  const { body } = await pageReads(env, { access, gone: goneOf(ctx) }, found).load('prompts');
  if (!body.prompts.some(({ id }) => id === prompt)) return false;
  redirect(ctx, withoutOf(ctx, 'prompt', promptPath(found.id, prompt)));
  return true;
}

/** Leads the address of an engine to the page of the brand with this filter. */
async function toEngine(env: SignedIn, ctx: Context): Promise<void> {
  const { brand = '', engine = '', token } = ctx.state.params ?? {};
  if (token === undefined) await passSignedIn(env, ctx);
  if (token !== undefined || !findEngine(engine)) throw refuse(errors.notFound());
  const query = withoutOf(ctx, 'engine', '');
  redirect(ctx, `${brandPath(brand)}${query === '' ? '?' : `${query}&`}engine=${engine}`);
}

/** A path with the query of a request, but for one of its names. */
function withoutOf(ctx: Context, name: string, path: string): string {
  const query = new URLSearchParams(ctx.search);
  query.delete(name);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** How the collections of a brand stand, looked up once a second. Their cost is not for the viewers of links. */
function collectionsKept({ db, clock, elapsed }: SignedIn) {
  const kept = createSharedCache<CollectionState>({ max: 10_000, ttl: REMEMBER_MS }, elapsed);
  return async ({ access, brand, gone }: PageReads): Promise<CollectionLine | undefined> => {
    if (access.shareId !== undefined) return undefined;
    const key = String(brand.key);
    const look = async () => stateOf(await recentCollections(db, brand.key));
    const state = kept.peek(key) ?? (await kept.make(key, { keyId: access.keyId, gone }, look));
    return collectionLineOf(state, clock());
  };
}

/** A handler of what a brand has: the page of what it does not have is the same as that of a brand that nobody sees. */
const oneNotFound =
  (handle: Handler): Handler =>
  async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      throw refusalIn(error).status === 404 ? refuse(errors.notFound()) : error;
    }
  };

type Send = (
  ctx: Context,
  caller: Caller,
  key: readonly string[],
  render: Render,
  headers?: Readonly<Record<string, string>>,
) => Promise<void>;

const PAGING = {
  page: { kind: 'integer', minimum: 1, maximum: 1_000_000, description: 'Page of the list' },
} as const satisfies Params;

/** The list of brands; the page of the brand if there is only one. */
async function serveBrands(env: SignedIn, ctx: Context, send: Send): Promise<void> {
  const access = await passSignedIn(env, ctx);
  const found = await env.directory.brand(access, undefined);
  if (found === 'none' && mayStart(access, env.firstPlan)) return redirect(ctx, PAGE_PATHS.start);
  const oldest = requireBrand(found, false);
  const caller = { access, gone: goneOf(ctx) };
  const reads = pageReads(env, caller, oldest);
  const { page = 1 } = parseParams(PAGING, ctx.query) as { page?: number };
  // The whole list is read only for a page that is not cached.
  const { body: begin } = await reads.load('brands', { limit: '2' });
  const [only, ...others] = begin.brands;
  if (only && others.length === 0) return redirect(ctx, brandPath(only.id));
  const view = viewOf(ctx.query);
  const editable = await editableBrands(env.planSettings, access);
  const key = [
    [...editable].join('\n'),
    ctx.path,
    access.keyId,
    access.kind,
    access.personName ?? '',
    reads.today,
    oldest.visibleVersion,
    String(page),
    JSON.stringify(view),
  ];
  await send(ctx, caller, key, async (gone) => {
    const read = await reads.until(gone).load('brands', { include: 'summary' });
    const list = pageOf(chosenBrands(read.body.brands, view), page);
    if (list.brands.length === 0 && page > 1) throw refuse(errors.notFound());
    return documentOf(brandsPage({ link: relativeTo(ctx.path), access, list, read, view, editable }));
  });
}

const FILE_HEADERS = {
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Cookie',
};

const FILE_TYPES = { json: mediaTypes.json, csv: `${mediaTypes.csv}; charset=utf-8` };

/** The files of a read with the parameters of its block, which have all rows. */
const filesOf =
  (brand: Brand, link: Link): FilesOf =>
  (name, { limit: _, ...params }) => {
    const file = (format: 'json' | 'csv') => link(withQuery(filePath(brand.id, name, format), params));
    return { json: file('json'), csv: file('csv') };
  };

/** What of an id can stand in the name of a file. */
const fileWords = (id: string): string => id.replaceAll(/[^\w-]+/g, '_').slice(0, 60);

/** A read as a file: in JSON the bytes that the API sends, in CSV its rows in words. */
async function download(
  ctx: Context,
  { reads, slice, headers }: Visit,
  format: 'json' | 'csv',
): Promise<void> {
  const [name, params] = fileRequest(ctx, slice);
  const { plan, planSubject = '', needsRuns }: Read = readsByName[name];
  requirePlan(reads.access, plan, planSubject);
  requireBrand(reads.brand, needsRuns);
  const answer =
    format === 'csv'
      ? validated(await spreadsheet(reads, name, await reads.bodyOfFile(name, params)))
      : await reads.answer(name, params);
  const days = slice.isWindowGiven || 'from' in params ? `-${slice.from}--${slice.to}` : '';
  const file = `${fileWords(reads.brand.id)}-${name}${days}.${format}`;
  const disposition = format === 'csv' ? { 'Content-Disposition': `attachment; filename="${file}"` } : {};
  sendValidated(ctx, answer, {
    ...FILE_HEADERS,
    ...headers,
    ...disposition,
    'Content-Type': FILE_TYPES[format],
  });
}

/**
 * The read that an address names, and its parameters: those of the slice, and its own.
 * @throws 400 for a filter that the read does not have; 404 for another name.
 */
function fileRequest({ query, state }: Context, slice: Slice): [ReadName, Record<string, string>] {
  const asked = state.params?.read;
  const isChart = asked === CHART_FILE;
  const name = isChart ? 'history' : readNames.find((each) => each === asked);
  if (name === undefined || !isAboutOneBrand(readsByName[name])) throw refuse(errors.notFound());
  const { params }: Read = readsByName[name];
  const missing = missingIn(name, slice);
  if (missing.length > 0) throw refuse(errors.unknownArguments(missing, Object.keys(params)));
  // Filters are those of the slice, which for the viewer of a link are not those of the query.
  const own = Object.keys(params).filter(
    (each) =>
      !NOT_OF_FILES.has(each) && !(filterNames as string[]).includes(each) && query[each] !== undefined,
  );
  return [
    name,
    {
      ...(isChart && CHART),
      ...Object.fromEntries(own.map((each) => [each, query[each] as string])),
      ...paramsFor(name, slice),
    },
  ];
}

/** The file of the chart by its name: history with the parameters of the chart. */
const CHART_FILE = 'visibility';
/** The brand is in the path, the days become a range, and a file has all rows. */
const NOT_OF_FILES: ReadonlySet<string> = new Set([
  ...['brand', 'days', 'from', 'to', 'cursor', 'limit'],
  ...filterNames,
]);
