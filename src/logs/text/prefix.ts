/** Prefixes that collectors put in front of a log line: container runtimes, syslog, the journal. */

const prefixes: readonly RegExp[] = [
  // Kubernetes: time, stream, full or partial line. `kubectl logs --timestamps` and Docker: only the time.
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d) (?:(?:stdout|stderr) [FP] )?/,
  // RFC 5424, also with its length in front: priority, time, host, program, process, kind, structured data.
  /^(?:\d+ )?<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]"\\]|"(?:\\.|[^"\\])*")*\])+) \ufeff?/,
  // RFC 3164 and journalctl: time, host, program.
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[\w.-]+ )?[\w./-]+(?:\[\d+\])?: /,
  // The same with an ISO time.
  /^(?:<\d{1,3}>)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d) (?:[\w.-]+ )?[\w./-]+(?:\[\d+\])?: /,
  // docker compose
  /^[\w.-]+ +\| /,
];

/** The line after its prefix; undefined for a line without a prefix. */
export function withoutPrefix(line: string): string | undefined {
  const found = prefixes.map((prefix) => prefix.exec(line)?.[0].length ?? 0);
  const length = Math.max(...found);
  return length === 0 ? undefined : line.slice(length).trimStart();
}
