import type { Prompt } from './types.js';

/** What null and zero mean in a prompt: no run in the window, runs without the brand, or runs with it. */
export type PromptState = 'never_sampled' | 'absent' | 'present';
/** What null means in a history point: a value, runs without anything to measure, or no runs that day. */
export type PointState = 'measured' | 'unmeasurable' | 'not_collected';

/** The meaning of null and zero in a prompt: no run in the window, runs without the brand, or runs with it. */
export function promptState(prompt: Pick<Prompt, 'run_count' | 'presence_rate'>): PromptState {
  if (prompt.run_count === 0 || prompt.presence_rate === null) return 'never_sampled';
  return prompt.presence_rate > 0 ? 'present' : 'absent';
}

/** The meaning of null in a history point: nothing was collected that day, or nothing in it could be measured. */
export function pointState(point: { value: number | null; sample_size: number }): PointState {
  if (point.value !== null) return 'measured';
  return point.sample_size > 0 ? 'unmeasurable' : 'not_collected';
}
