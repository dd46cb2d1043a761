/**
 * Fields that are 0 if nothing was measured, because their type was released without null. JSON keeps the zeros; tables and
 * CSV show null.
 */
type Zeros<Row> = readonly (keyof Row & string)[];

/** The row with null in these fields. Columns accept null for every value, whatever the type in the contract. */
export const unmeasured = <Row>(row: Row, fields: Zeros<Row>): Row => ({
  ...row,
  ...Object.fromEntries(fields.map((field) => [field, null])),
});

/** Whether all rows are 0 in all these fields, so that the rows do not show whether any run was collected. */
export const onlyZeros = <Row>(rows: readonly Row[], fields: Zeros<Row>): boolean =>
  rows.every((row) => fields.every((field) => row[field] === 0));
