/** What answers had on an earlier day, and none has today: a vendor or a provider may have changed its form. */
import { kindId } from './budget.js';
import type { DatedAnswer, History } from './journal.js';
import type { Target } from './plan/plan.js';
import { askKind } from './preview.js';
import type { Answer } from './protocols/protocol.js';

export const driftFields = ['citations', 'searches', 'carousels', 'ads'] as const;
export type DriftField = (typeof driftFields)[number];

export interface Drift {
  readonly engine: string;
  readonly protocol: string;
  readonly field: DriftField;
  /** Answers of today, none of which has the field. */
  readonly answers: number;
  /** The newest earlier day with answers, and how many of them had the field. */
  readonly day: string;
  readonly earlier_with: number;
  readonly earlier_answers: number;
}

/** Chance, at most, that none of the answers has a field that as many had before. */
const UNLIKELY = 0.01;

/** @param date The UTC day of the collection. */
export function driftOf(targets: readonly Target[], history: History, date: string): Drift[] {
  const kinds = new Map(targets.map((target) => [kindId(askKind(target)), target]));
  return [...kinds].flatMap(([kind, { engine, protocol }]) => {
    const answers = history.answers(kind);
    const today = answers.filter(({ day }) => day === date);
    const day = answers.reduce(
      (newest, each) => (each.day < date && each.day > newest ? each.day : newest),
      '',
    );
    const before = answers.filter((each) => each.day === day);
    if (today.length === 0 || before.length === 0) return [];
    return driftFields.flatMap((field): Drift[] => {
      const earlierWith = countOf(before, field);
      const chance = (1 - earlierWith / before.length) ** today.length;
      if (countOf(today, field) > 0 || chance >= UNLIKELY) return [];
      const counts = { answers: today.length, earlier_with: earlierWith, earlier_answers: before.length };
      return [{ engine, protocol, field, day, ...counts }];
    });
  });
}

const countOf = (answers: readonly DatedAnswer[], field: DriftField): number =>
  answers.filter(({ answer }) => has(answer, field)).length;

/** Whether an answer has anything of the field. */
export function has({ citations, fanouts, carousels, ad }: Answer, field: DriftField): boolean {
  switch (field) {
    case 'citations':
      return citations.length > 0;
    case 'searches':
      return fanouts.length > 0;
    case 'carousels':
      return carousels !== undefined && carousels.length > 0;
    case 'ads':
      return ad !== undefined;
  }
}
