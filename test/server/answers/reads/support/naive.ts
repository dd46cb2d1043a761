/** The payloads of the tools computed from only the records, as plainly as can be. */
import { engines as engineTable } from '../../../../../src/contract/engines.js';
import { canonicalUrl } from '../../../../../src/server/answers/citations/canonical-url.js';
import { isSameOrSubdomain } from '../../../../../src/server/answers/citations/domain.js';
import type {
  DatasetRecord,
  RecordOf,
  RecordType,
} from '../../../../../src/server/intake/dataset/records/index.js';

type Run = RecordOf<'run'>;
const BLENDED: readonly string[] = engineTable.filter((engine) => engine.blended).map((engine) => engine.id);

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const iso = (time: string | null | undefined): string | null => (time ? new Date(time).toISOString() : null);
const enginesOf = (runs: readonly Run[]) =>
  engineTable.map(({ id }) => id).filter((id) => runs.some((run) => run.engine === id));

function grouped<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  return [...new Set(items.map(key))].map((name) => [name, items.filter((item) => key(item) === name)]);
}

interface Cited {
  readonly run: Run;
  readonly place: number;
  readonly url: string;
  readonly domain: string;
}

export class Naive {
  readonly #records: readonly DatasetRecord[];
  readonly #brand: RecordOf<'brand'>;
  readonly #from: string;

  /** `from` is the first day of the window, which no record lies behind. */
  constructor(records: readonly DatasetRecord[], brandId: string, from: string) {
    this.#records = records;
    this.#from = from;
    this.#brand = this.#all('brand').find(({ id }) => id === brandId)!;
  }

  #all<T extends RecordType>(type: T): RecordOf<T>[] {
    return this.#records.filter((record) => record.type === type) as RecordOf<T>[];
  }

  #own<T extends RecordType>(type: T): RecordOf<T>[] {
    return this.#all(type).filter((record) => 'brand' in record && record.brand === this.#brand.id);
  }

  #runs(): Run[] {
    return this.#own('run').filter((run) => run.collected_at >= this.#from);
  }

  #cited(runs = this.#runs().filter((run) => BLENDED.includes(run.engine))): Cited[] {
    return runs.flatMap((run) =>
      run.citations.map(({ url }, at) => ({ run, place: at + 1, ...canonicalUrl(url) })),
    );
  }

  videos() {
    const prefix = 'https://www.youtube.com/watch?v=';
    const cited = this.#cited().filter(({ url }) => url.startsWith(prefix));
    const rows = grouped(cited, ({ url }) => url).map(([url, group]) => {
      const id = url.slice(prefix.length);
      const stated = this.#all('youtube_video').find(({ video_id }) => video_id === id);
      return {
        video_id: id,
        url,
        title: stated?.title ?? null,
        channel_id: stated?.channel_id ?? null,
        channel_name: stated?.channel_name ?? null,
        engines: enginesOf(group.map(({ run }) => run)),
        citations: group.length,
        answers: new Set(group.map(({ run }) => run.id)).size,
        best_position: Math.min(...group.map(({ place }) => place)),
        avg_position: sum(group.map(({ place }) => place)) / group.length,
        published_at: iso(stated?.published_at),
        views: stated?.views ?? null,
        likes: stated?.likes ?? null,
        stats_as_of: iso(stated?.stats_as_of),
      };
    });
    return rows.sort((a, b) => b.citations - a.citations || byText(a.video_id, b.video_id));
  }

  mentions() {
    const names = new Map([this.#brand, ...this.#own('competitor')].map(({ id, name }) => [id, name]));
    return this.#own('offsite_mention')
      .sort((a, b) => byText(b.week, a.week) || byText(b.found_at, a.found_at) || byText(a.id, b.id))
      .map(({ id, week, kind, entity, title, url, found_at }) => ({
        id,
        week,
        kind,
        entity: names.get(entity),
        is_brand: entity === this.#brand.id,
        title,
        url,
        domain: new URL(url).hostname.replace(/^www\./, ''),
        found_at: iso(found_at),
      }));
  }

  trackedPages() {
    const cited = this.#cited(this.#own('run'));
    const rows = this.#own('tracked_page').map((page) => {
      const group = cited.filter(({ url }) => url === canonicalUrl(page.url).url);
      const days = group.map(({ run }) => run.collected_at.slice(0, 10)).sort();
      return {
        url: canonicalUrl(page.url).url,
        title: page.title ?? null,
        added_at: iso(page.added_at),
        citations_total: group.length,
        answers_total: new Set(group.map(({ run }) => run.id)).size,
        first_cited: days[0] ?? null,
        last_cited: days.at(-1) ?? null,
        engines: enginesOf(group.map(({ run }) => run)),
        ranks: page.ranks?.map((rank) => ({ ...rank, fetched_at: iso(rank.fetched_at) })) ?? null,
      };
    });
    return rows.sort((a, b) => b.citations_total - a.citations_total || byText(a.url, b.url));
  }

  siteHealth() {
    const pages = this.#own('site_page');
    const measured = pages.flatMap(({ url, status, ttfb_ms }) =>
      ttfb_ms == null ? [] : { url, status, ttfb_ms },
    );
    const open = pages.filter((page) => !page.bot_wall);
    const slowest = measured.sort((a, b) => b.ttfb_ms - a.ttfb_ms || byText(a.url, b.url));
    /** The smallest value that this share of the pages does not exceed. */
    const percentile = (share: number) =>
      measured
        .map(({ ttfb_ms }) => ttfb_ms)
        .sort((a, b) => a - b)
        .find(
          (value) => measured.filter(({ ttfb_ms }) => ttfb_ms <= value).length >= share * measured.length,
        );
    return {
      checked_at: iso(
        pages
          .map(({ checked_at }) => checked_at)
          .sort()
          .at(-1),
      ),
      pages: pages.length,
      ok_pages: open.filter(({ status }) => status >= 200 && status < 300).length,
      error_pages: open.filter(({ status }) => status >= 400).length,
      bot_walls: pages.length - open.length,
      measured_pages: measured.length,
      ttfb_ms: { p50: percentile(0.5), p90: percentile(0.9), max: slowest[0]!.ttfb_ms },
      slowest: slowest.slice(0, 10),
    };
  }

  visitors() {
    const days = this.#own('visit_day').filter(({ date }) => date >= this.#from);
    const total = (rows: typeof days) => sum(rows.map(({ visits }) => visits));
    const referred = (rows: typeof days) => total(rows.filter(({ ai_source }) => ai_source != null));
    const lists = (key: 'path' | 'ai_source' | 'country') =>
      grouped(
        days.filter((row) => row[key] != null),
        (row) => row[key]!,
      )
        .sort(([a, left], [b, right]) => total(right) - total(left) || byText(a, b))
        .slice(0, 20);
    return {
      totals: { visits: total(days), ai_referred: referred(days) },
      top_pages: lists('path').map(([path, rows]) => ({
        path,
        visits: total(rows),
        ai_referred: referred(rows),
      })),
      ai_sources: lists('ai_source').map(([source, rows]) => ({ source, visits: total(rows) })),
      countries: lists('country').map(([country, rows]) => ({ country, visits: total(rows) })),
    };
  }

  /** Of threads that have a record: the demo cites no others. */
  threads() {
    const cited = this.#cited();
    const rows = this.#own('community_thread').flatMap((thread) => {
      const { url, domain } = canonicalUrl(thread.url);
      const group = cited.filter((each) => each.url === url);
      if (group.length === 0) return [];
      return {
        url,
        domain,
        kind: thread.kind ?? null,
        title: thread.title ?? null,
        citations: group.length,
        answers: new Set(group.map(({ run }) => run.id)).size,
        engines: enginesOf(group.map(({ run }) => run)),
        brand_in_thread: thread.brand_in_thread ?? null,
        checked_at: iso(thread.checked_at),
      };
    });
    return rows.sort((a, b) => b.citations - a.citations || byText(a.url, b.url));
  }

  /** Without the labels of winners, which another test compares. */
  coverage() {
    const runs = this.#runs().filter((run) => BLENDED.includes(run.engine));
    return this.#own('prompt')
      .filter(({ active }) => active !== false)
      .sort((a, b) => byText(a.created_at ?? '~', b.created_at ?? '~') || byText(a.id, b.id))
      .map(({ id, text }) => {
        const asked = runs.filter((run) => run.prompt === id);
        const cited = this.#cited(asked);
        const isOwn = ({ domain }: Cited) => isSameOrSubdomain(domain, this.#brand.domain);
        const most = (rows: Cited[], key: (row: Cited) => string) =>
          grouped(rows, key)
            .map(([name, group]) => [name, group.length] as const)
            .sort(([a, left], [b, right]) => right - left || byText(a, b));
        const elsewhere = cited.filter((row) => !isOwn(row) && row.domain !== '');
        return {
          prompt_id: id,
          text,
          run_count: asked.length,
          cites_own: asked.length === 0 ? null : cited.some(isOwn),
          own_pages: most(cited.filter(isOwn), ({ url }) => url),
          winners: most(elsewhere, ({ domain }) => domain).slice(0, 3),
        };
      });
  }

  fanouts() {
    const words = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const searched = this.#runs().flatMap((run) =>
      [...new Set(run.fanouts ?? [])].map((query) => ({ run, query })),
    );
    const rows = grouped(searched, ({ query }) => query).map(([query, group]) => {
      const ids = [...new Set(group.map(({ run }) => run.prompt))].sort(byText);
      const texts = this.#own('prompt').filter(({ id }) => ids.includes(id));
      return {
        query,
        runs: group.length,
        engines: enginesOf(group.map(({ run }) => run)),
        prompts: ids,
        is_echo: texts.some(({ text }) => words(text) === words(query)),
        volume: this.#all('fanout_volume').find((each) => each.query === query)?.volume ?? null,
      };
    });
    return rows.sort((a, b) => b.runs - a.runs || byText(a.query, b.query));
  }
}
