/** The possible numbers of days between two labels. */
const STEPS = [1, 2, 7, 14, 28, 56, 112] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** The width of a label like `20 Nov` and the space after it. */
const LABEL = 9;

/**
 * Returns the line below a chart with its ticks, and the line of labels below it. The last day always has a label.
 * @param dates The days, YYYY-MM-DD.
 * @param columnOf Returns the column of a day from its index.
 * @param width Columns of the chart.
 * @param mark Follows the label of the last day.
 */
export function dateAxis(
  dates: readonly string[],
  columnOf: (day: number) => number,
  width: number,
  mark = '',
): [string, string] {
  const last = dates.length - 1;
  const fits = (step: number) => columnOf(last) - columnOf(Math.max(0, last - step)) >= LABEL + mark.length;
  const step = STEPS.find(fits) ?? dates.length;
  const rule = Array.from({ length: width }, () => '─');
  const labels = Array.from({ length: width }, () => ' ');
  for (let day = last; day >= 0; day -= step) {
    const column = columnOf(day);
    rule[column] = '┬';
    const label = labelOf(dates[day]!) + (day === last ? mark : '');
    const start = Math.max(0, Math.min(column - Math.floor(label.length / 2), width - label.length));
    labels.splice(start, label.length, ...label);
  }
  return [rule.join(''), labels.join('').trimEnd()];
}

/** Formats `2026-11-20` as `20 Nov`. */
function labelOf(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month! - 1]}`;
}
