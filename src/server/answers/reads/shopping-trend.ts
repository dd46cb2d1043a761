import { fact, noted } from '../../../contract/notes.js';
import { ownAvgPosition, ownCarouselShare, ownWinShare } from '../metrics/shopping.js';
import { carouselsByDay } from '../sums/shopping.js';
import { ofLastDays } from './reader.js';
import { observableIn } from './shopping.js';

export const reader = ofLastDays<'shopping-trend'>(async ({ db }, window) => {
  const [sums, observable] = await Promise.all([carouselsByDay(db, window), observableIn(db, window)]);
  return {
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
});
