/** The day and the seeds of random data sets. Those themselves are in cases.ts, because to draw them takes seconds. */
export const TODAY = '2026-11-20';
export const SEEDS = Array.from({ length: 80 }, (_, seed) => seed);
