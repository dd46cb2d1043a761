/** Into how many steps a rebuild is divided. Its working tables are of few runs, or of one day. */
import type { Knex } from 'knex';

/** A step has a day, and further days as long as it has no more runs than these. */
const RUNS_AT_ONCE = 10_000;

/** Divides the days into steps, sorted. */
export function stepsOf(days: Iterable<string>, runsOf: ReadonlyMap<string, number>): string[][] {
  const steps: string[][] = [];
  let runs = 0;
  for (const day of [...days].sort()) {
    const step = steps.at(-1);
    const more = runsOf.get(day) ?? 0;
    if (step && runs + more <= RUNS_AT_ONCE) {
      step.push(day);
      runs += more;
    } else {
      steps.push([day]);
      runs = more;
    }
  }
  return steps;
}

/** Looks the runs of each day up by `runs_by_day`, whatever statistics the planner has (see `probes.ts`). */
const RUNS_OF_DAYS = `
  select d.day, r.runs from unnest(cast(:days as date[])) as d(day)
  cross join lateral (
    select count(*) as runs
    from (
      select 1 from runs where brand_key = :brandKey and day >= d.day and day <= d.day order by day desc, id desc
    ) of_day
  ) r`;

/** How many stored runs the days have. The transaction allows only probes. */
export async function storedRuns(
  trx: Knex.Transaction,
  brandKey: number,
  days: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await trx.raw(RUNS_OF_DAYS, { brandKey, days });
  return new Map(rows.map(({ day, runs }: { day: string; runs: number }) => [day, runs]));
}
