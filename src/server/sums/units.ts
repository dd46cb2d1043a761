/** The days or weeks into which windows are divided, in SQL: the same that `sampleOf` makes. */

/**
 * The unit of a day, counted back from the end of its window, as a number from 0: of the window from `:start` to `:end`, or of
 * the one just before. `:unitDays` are the days of a unit.
 */
export const UNIT = `(case when day >= :start then cast(:end as date) else cast(:start as date) - 1 end - day) / :unitDays`;
