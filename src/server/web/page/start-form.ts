/** Makes the first plan of a server on the page: by its operator, by forms that carry all answers with them. */
import type { Knex } from 'knex';
import { errors } from '../../../contract/errors.js';
import type { Params } from '../../../contract/params.js';
import { type Access, requireBrand } from '../../accounts/access.js';
import { hashSecret } from '../../accounts/keys.js';
import { parseParams, type RawParams } from '../../answers/parameters.js';
import { refuse } from '../../base/errors.js';
import type { FirstAnswers, FirstOutcome, FirstPlan } from '../../intake/first-plan.js';
import { goneOf } from '../http/connection.js';
import type { Context, Handler } from '../state.js';
import { formOf, readOrPost, signedIn } from './forms.js';
import { brandPath, PAGE_PATHS, relativeTo } from './paths.js';
import { redirect, sendPage } from './respond.js';
import { type SignInEnvironment, startSession } from './sign-in.js';
import {
  existsPage,
  missingPage,
  questionsPage,
  refusedPage,
  reviewPage,
  type StartPage,
} from './start-pages.js';

export interface StartEnvironment extends SignInEnvironment {
  readonly db: Knex;
  readonly firstPlan: FirstPlan;
}

/** A list of prompts as it is pasted; each byte of it may take three in a form. */
const MOST_BYTES = 4 * 1024 * 1024;

const STEPS = ['review', 'propose', 'change', 'write'] as const;
const stepParams = {
  go: { kind: 'choice', required: true, values: STEPS, description: 'The button' },
} as const satisfies Params;

/** Kept by the browser, so that its way back leads to what was typed. */
const KEPT = { 'Cache-Control': 'private, no-cache' };

/** Whether somebody may make the first plan: it belongs to nobody yet, and whoever runs the server pays for it. */
export const mayStart = ({ kind }: Access, plan: FirstPlan | null | undefined): plan is FirstPlan =>
  plan?.made === null && kind === 'operator';

/** GET and POST of the questions. */
export function startForm(env: StartEnvironment): Handler {
  const { db, firstPlan: plan } = env;
  const check = readOrPost(env);
  return async (ctx) => {
    const { access } = await signedIn(env, ctx, check);
    const isForm = ctx.method === 'POST';
    const seen = { link: relativeTo(ctx.path), access, plan };
    if (plan.made !== null && !isForm) {
      const { id } = requireBrand(await env.directory.brand(access, plan.made.brand), false);
      if (plan.made.missing.length === 0) return redirect(ctx, brandPath(id));
      return sendPage(ctx, missingPage(seen, plan.made));
    }
    if (access.kind !== 'operator' && plan.made === null) throw refuse(errors.notFound());
    if (!isForm) return sendPage(ctx, questionsPage({ ...seen, answers: unanswered(plan) }, {}), 200, KEPT);
    if (plan.made !== null) requireBrand(await env.directory.brand(access, plan.made.brand), false);
    const { go, answers } = answersIn(await formOf(env, ctx, MOST_BYTES));
    const page: StartPage = { ...seen, answers };
    if (plan.made !== null && go !== 'write') return redirect(ctx, brandPath(plan.made.brand));
    if (go === 'write') return end(env, ctx, page, await plan.write(db, answers));
    if (go === 'change') return sendPage(ctx, questionsPage(page, {}), 200, KEPT);
    if (go === 'propose') {
      const offers = await plan.propose(answers, goneOf(ctx));
      return sendPage(ctx, questionsPage(page, { offers }), 200, KEPT);
    }
    const understood = await plan.understand(db, answers);
    if (!('view' in understood))
      return sendPage(ctx, questionsPage(page, { faults: understood.faults }), 422, KEPT);
    return sendPage(ctx, reviewPage(page, understood.view), 200, KEPT);
  };
}

/** Shows how it ended. Whoever made the plan of their own machine is signed in by the key of its workspace from now on. */
async function end(
  env: StartEnvironment,
  ctx: Context,
  page: StartPage,
  outcome: FirstOutcome,
): Promise<void> {
  if (outcome.kind === 'wrong') return sendPage(ctx, questionsPage(page, { faults: outcome.faults }), 422);
  if (outcome.kind === 'exists') return sendPage(ctx, existsPage(page, outcome.toml), 409);
  if (outcome.kind === 'refused') return sendPage(ctx, refusedPage(page, outcome.reason), 503);
  env.directory.forget();
  if (outcome.key !== null && page.access.kind === 'operator')
    await startSession(env, ctx, { secretHash: hashSecret(outcome.key) });
  const { brand, missing } = outcome.plan;
  redirect(ctx, missing.length > 0 ? PAGE_PATHS.start : brandPath(brand));
}

/** The engines whose keys are set are chosen. */
const unanswered = ({ engines }: FirstPlan): FirstAnswers => ({
  name: '',
  domain: '',
  aliases: '',
  rivals: '',
  prompts: '',
  region: 'us',
  engines: engines
    .filter(({ keyEnv, keyFault }) => keyEnv !== null && keyFault === null)
    .map(({ engine }) => engine),
  takenRivals: [],
  takenPrompts: [],
});

const LISTS = ['engines', 'takenRivals', 'takenPrompts'] as const;
const TEXTS = ['name', 'domain', 'aliases', 'rivals', 'prompts', 'region'] as const;
const KNOWN = ['go', ...TEXTS, ...LISTS];

/** @throws 400 for what no form of these pages has. */
function answersIn(fields: RawParams): { go: (typeof STEPS)[number]; answers: FirstAnswers } {
  const unknown = Object.keys(fields).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, KNOWN));
  const { go } = parseParams(stepParams, { go: fields.go }) as { go: (typeof STEPS)[number] };
  const textOf = (name: (typeof TEXTS)[number]): string => {
    const value = fields[name] ?? '';
    if (typeof value !== 'string') throw refuse(errors.repeatedParam(name, (value as unknown[]).length));
    return value;
  };
  const listOf = (name: (typeof LISTS)[number]) => [fields[name] ?? []].flat() as string[];
  return {
    go,
    answers: {
      name: textOf('name'),
      domain: textOf('domain'),
      aliases: textOf('aliases'),
      rivals: textOf('rivals'),
      prompts: textOf('prompts'),
      region: textOf('region'),
      engines: listOf('engines'),
      takenRivals: listOf('takenRivals'),
      takenPrompts: listOf('takenPrompts'),
    },
  };
}
