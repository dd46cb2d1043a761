/** The form of "Do next": sets a need aside, or brings it back. */
import { errors } from '../../../contract/errors.js';
import { type AsideReason, asideReasons } from '../../../contract/reads/briefing.js';
import { bringNeedBack, setNeedAside } from '../../answers/needs-aside.js';
import { parseParams } from '../../answers/parameters.js';
import type { ReadEnvironment } from '../../answers/reads/answer-read.js';
import { utcDay } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { goneOf } from '../http/connection.js';
import type { Handler } from '../state.js';
import { type FormEnvironment, formOf, postOnly, signedInOwner } from './forms.js';
import { tabPath, withQuery } from './paths.js';
import { bodiesOf, pageReads } from './reads.js';
import { redirect } from './respond.js';
import { paramsFor, queryOf, sliceNames, sliceOf } from './slice.js';
import { opening } from './window.js';

const needParams = {
  id: { kind: 'text', required: true, description: 'Need id' },
  do: {
    kind: 'choice',
    required: true,
    values: [...asideReasons, 'back'],
    description: 'What to do with it',
  },
} as const;

const KNOWN = [...Object.keys(needParams), ...sliceNames];

/** POST of the buttons of a need. The need is that of the days and filters of the page that has the form. */
export function needsForm(env: FormEnvironment & ReadEnvironment): Handler {
  const check = postOnly(env);
  return async (ctx) => {
    const { owner, brand } = await signedInOwner(env, ctx, check);
    const { access } = owner;
    const fields = await formOf(env, ctx);
    const unknown = Object.keys(fields).filter((name) => !KNOWN.includes(name));
    if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, KNOWN));
    const { id, do: wanted } = parseParams(needParams, fields) as { id: string; do: AsideReason | 'back' };
    const now = env.clock();
    const slice = sliceOf(fields, utcDay(now));
    if (wanted === 'back') await bringNeedBack(env.db, { access, brand }, id);
    else {
      const reads = pageReads(env, { access, gone: goneOf(ctx) }, brand);
      const params = paramsFor('briefing', (await opening(reads, slice)).slice);
      const editor = { access, brand, reads: bodiesOf(reads) };
      await setNeedAside(env.db, editor, { id, reason: wanted, params }, now);
    }
    // The page to which it leads is that of the new version of the brand.
    env.directory.forget();
    redirect(ctx, withQuery(tabPath(brand.id, 'needs'), queryOf(slice)));
  };
}
