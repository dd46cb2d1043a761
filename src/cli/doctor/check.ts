/** The result of one check of `svc doctor`. */
export interface Check {
  /** What was checked, in one or two words. */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failure';
  /** What was found, in one sentence. */
  readonly finding: string;
  /** What to do about it, in one sentence; null: nothing. */
  readonly remedy: string | null;
}

/** A check that found nothing to mend. */
export const ok = (name: string, finding: string): Check => ({ name, status: 'ok', finding, remedy: null });
/** A check that found something to mend, with which the command works. */
export const warning = (name: string, finding: string, remedy: string): Check => ({
  name,
  status: 'warning',
  finding,
  remedy,
});
/** A check that found why the command or the server does not work. */
export const failure = (name: string, finding: string, remedy: string): Check => ({
  name,
  status: 'failure',
  finding,
  remedy,
});

/** The worst status of these checks. */
export const worst = (checks: readonly Check[]): Check['status'] =>
  (['failure', 'warning'] as const).find((status) => checks.some((check) => check.status === status)) ?? 'ok';

/** The finding and the remedy in one line. */
export const sentence = ({ finding, remedy }: Check): string =>
  remedy === null ? finding : `${finding} ${remedy}`;
