/** What a vendor says about a call that failed, for the report. */
import { z } from 'zod';
import { escapeControls } from '../../contract/printable.js';
import type { Clean } from './cleaner.js';

const LONGEST_MESSAGE = 200;
/** How keys of vendors begin: a gateway may show its own. */
const LIKE_A_KEY = /\b(?:(?:sk|xai|pplx|gsk)-|AIza)[\w*.-]+/g;

const said = z.string();
const named = z.object({ message: said });
/** The places where vendors and gateways put their message. */
const forms = z.union([
  z.object({ error: named }).transform(({ error }) => error.message),
  z.object({ error: said }).transform(({ error }) => error),
  named.transform(({ message }) => message),
  z.object({ detail: said }).transform(({ detail }) => detail),
  z.object({ detail: z.array(z.object({ msg: said })).min(1) }).transform(({ detail }) => detail[0]!.msg),
]);
const body = z.union([
  forms,
  z
    .array(forms)
    .min(1)
    .transform(([first]) => first!),
]);

/** The message on one line, shortened, without the key; null: the body states none. */
export function vendorMessage(text: string, clean: Clean): string | null {
  const message = clean(statedIn(text)).replace(LIKE_A_KEY, '[key]').replace(/\s+/gu, ' ').trim();
  if (message === '') return null;
  const cut = [...message].slice(0, LONGEST_MESSAGE).join('');
  return escapeControls(cut) + (cut.length < message.length ? '…' : '');
}

/** A page of HTML says nothing that the status does not. */
function statedIn(text: string): string {
  try {
    return body.safeParse(JSON.parse(text)).data ?? '';
  } catch {
    return text.trimStart().startsWith('<') ? '' : text.slice(0, 100 * LONGEST_MESSAGE);
  }
}
