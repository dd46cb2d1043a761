/** Days between two labels, from the finest. */
const STEPS = [1, 2, 7, 14, 28, 56, 112] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** A label such as `20 Nov` and the space between two. */
const LABEL = 9;

/**
 * The line below a chart with its ticks, and the labels below that line. The last day always has one.
 * @param dates The days, YYYY-MM-DD.
 * @param columnOf The column of a day, by its number.
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

/** `2026-11-20` as `20 Nov`. */
function labelOf(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month! - 1]}`;
}
