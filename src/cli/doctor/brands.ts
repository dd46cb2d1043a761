import { printable } from '../../contract/printable.js';
import type { BrandEntry } from '../../contract/reads/brands.js';
import type { Crawlers } from '../../contract/reads/crawlers.js';
import type { Overview } from '../../contract/reads/overview.js';
import { lastDays } from '../../contract/wording.js';
import type { Settings } from '../connection/settings.js';
import { brandsNamed } from '../connection/unknown-brand.js';
import { counted } from '../render/view.js';
import { type Check, failure, ok, warning } from './check.js';
import type { Answer, Ask } from './request.js';

/** Brands whose data is checked. Each check takes a token. */
const MOST_BRANDS = 10;

/** The brands of the key and their data. */
export async function* checkBrands(answer: Answer, settings: Settings, ask: Ask): AsyncGenerator<Check> {
  const brands = (answer.data as { brands?: BrandEntry[] } | null)?.brands ?? [];
  if (brands.length === 0) {
    yield failure('brands', 'The key sees no brand.', 'Import data: svc admin import (docs/dataset.md).');
    return;
  }
  const { brand, sources } = settings;
  const named = brand === undefined ? brands.slice(0, 1) : brandsNamed(brand, brands);
  if (named.length === 0) {
    yield failure(
      'brands',
      `The key does not see the brand ${printable(brand!)} (${sources.brand}).`,
      '`svc brands` lists those that it sees.',
    );
    return;
  }
  const first = named[0]!;
  const ordered = [first, ...brands.filter(({ id }) => id !== first.id)];
  for (const each of ordered.slice(0, MOST_BRANDS))
    yield checkData(each, await ask(pathOf('overview', each)));
  if (ordered.length > MOST_BRANDS)
    yield ok('brands', `${counted(ordered.length - MOST_BRANDS, 'more brand')} not checked.`);
  yield* checkRobots(first, await ask(pathOf('crawlers', first)));
}

const pathOf = (read: string, { id }: BrandEntry): string =>
  `/api/v1/${read}?brand=${encodeURIComponent(id)}`;

function checkData({ id, name, archived }: BrandEntry, { status, data, error }: Answer): Check {
  const shown = printable(`${name} (${id})`);
  if (status === 404)
    return warning('brands', `${shown}: no answer was ever collected.`, 'Import data: svc admin import.');
  if (status === 429)
    return warning('brands', `${shown} was not checked: the rate limit is reached.`, 'Wait a minute.');
  if (status !== 200)
    return failure(
      'brands',
      `${shown}: status ${status}, ${error?.message}`,
      'Look at the log of the server.',
    );
  const { run_count: runs } = data as Overview;
  if (runs > 0) return ok('brands', `${shown}: ${counted(runs, 'answer')} in the ${lastDays}.`);
  return archived
    ? ok('brands', `${shown} is archived.`)
    : warning('brands', `${shown}: no answer in the ${lastDays}.`, 'Check that the collection runs.');
}

/** The fetch of robots.txt by the server. Nothing is reported if the plan has no crawler analytics. */
function* checkRobots({ domain }: BrandEntry, { status, data }: Answer): Generator<Check> {
  if (status !== 200) return;
  const { robots_fetch_state: state } = data as Crawlers;
  const file = `robots.txt of ${printable(domain)}`;
  if (state === 'ok') yield ok('robots', `The server fetches ${file}.`);
  else if (state === 'absent') yield ok('robots', `There is no ${file}, so nothing is blocked.`);
  else
    yield warning(
      'robots',
      `The server cannot fetch ${file}.`,
      'Let the server connect to the site, and the site to its User-Agent svc.',
    );
}
