/**
 * Fields that are 0 where nothing was measured, because their type was released without null. JSON keeps the zeros;
 * people and spreadsheets get null.
 */
type Zeros<Row> = readonly (keyof Row & string)[];

/** The row as one of which nothing was measured. Columns take null for every value, whatever the contract’s type. */
export const unmeasured = <Row>(row: Row, fields: Zeros<Row>): Row => ({
  ...row,
  ...Object.fromEntries(fields.map((field) => [field, null])),
});

/** Whether the rows hold nothing but zeros in these fields, so that they alone do not tell whether anything ran. */
export const onlyZeros = <Row>(rows: readonly Row[], fields: Zeros<Row>): boolean =>
  rows.every((row) => fields.every((field) => row[field] === 0));
