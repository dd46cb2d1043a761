import { WINDOW_DAYS } from '../../contract/limits.js';
import { sentence } from '../../contract/notes.js';
import { windowEnding } from '../days.js';
import { ownAvgPosition, ownCarouselShare, ownWinShare } from '../metrics/shopping.js';
import { carouselsByDay } from '../sums/shopping.js';
import { brandRefOf, type Reader } from './reader.js';
import { observableIn } from './shopping.js';

export const reader: Reader<'shopping-trend'> = async ({ db, brand, today }) => {
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const [days, observable] = await Promise.all([carouselsByDay(db, window), observableIn(db, window)]);
  return {
    brand: brandRefOf(brand),
    window_days: WINDOW_DAYS,
    days_observed: days.length,
    trend: days.map((sums) => ({
      date: sums.day,
      carousels: sums.carousels,
      own_carousel_share: ownCarouselShare(sums),
      own_win_share: ownWinShare(sums),
      own_avg_position: ownAvgPosition(sums),
    })),
    note: days.length > 1 ? null : sentence(days.length === 0 ? 'noCarousel' : 'carouselsOfOneDay'),
    engines_observable: observable,
  };
};
