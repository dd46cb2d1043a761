import { WINDOW_DAYS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { windowEnding } from '../../base/days.js';
import { ownAvgPosition, ownCarouselShare, ownWinShare } from '../metrics/shopping.js';
import { carouselsByDay } from '../sums/shopping.js';
import { brandRefOf, type Reader } from './reader.js';
import { observableIn } from './shopping.js';

export const reader: Reader<'shopping-trend'> = async ({ db, brand, today }, { days = WINDOW_DAYS }) => {
  const window = { brandKey: brand.key, ...windowEnding(today, days) };
  const [sums, observable] = await Promise.all([carouselsByDay(db, window), observableIn(db, window)]);
  return {
    brand: brandRefOf(brand),
    window_days: days,
    days_observed: sums.length,
    trend: sums.map((ofDay) => ({
      date: ofDay.day,
      carousels: ofDay.carousels,
      own_carousel_share: ownCarouselShare(ofDay),
      own_win_share: ownWinShare(ofDay),
      own_avg_position: ownAvgPosition(ofDay),
    })),
    ...noted([sums.length < 2 && fact(sums.length === 0 ? 'no_carousel' : 'carousels_of_one_day')]),
    engines_observable: observable,
  };
};
