import { EVER, marksOf } from '../sums/marks.js';
import { brandRefOf, type Reader } from './reader.js';

export const reader: Reader<'marks'> = async ({ db, brand }) => ({
  brand: brandRefOf(brand),
  marks: await marksOf(db, { brandKey: brand.key, ...EVER }),
});
