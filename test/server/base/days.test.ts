import { expect } from 'chai';
import { isDay } from '../../../src/server/base/days.js';

const two = (number: number): string => String(number).padStart(2, '0');
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

describe('days', () => {
  it('exist as the calendar says', () => {
    for (const year of [1970, 1999, 2000, 2024, 2026, 2100, 2999]) {
      const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 99; day++) {
          const exists = day >= 1 && day <= (lengths[month - 1] ?? 0);
          const text = `${year}-${two(month)}-${two(day)}`;
          expect(isDay(text), text).to.equal(exists);
        }
      }
    }
  });
});
