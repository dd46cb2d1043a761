import { WINDOW_DAYS } from '../../contract/limits.js';
import { sentence } from '../../contract/notes.js';
import { windowEnding } from '../days.js';
import { ownAvgPosition, ownCarouselShare, ownWinShare } from '../metrics/shopping.js';
import { carouselsByDay } from '../sums/shopping.js';
import { brandRefOf, type Reader } from './reader.js';

export const reader: Reader<'shopping-trend'> = async ({ db, brand, today }) => {
  const days = await carouselsByDay(db, { brandKey: brand.key, ...windowEnding(today) });
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
  };
};
