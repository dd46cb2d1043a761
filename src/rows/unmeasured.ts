/**
 * Fields that are 0 if nothing was measured, because their type was released without null. JSON keeps the zeros; tables and
 * CSV show null. The contract lists them as `zeros` of a read.
 */
type Zeros = readonly string[];

/** The row with null in these fields. Columns accept null for every value, whatever the type in the contract. */
export const unmeasured = <Row>(row: Row, fields: Zeros): Row => ({
  ...row,
  ...Object.fromEntries(fields.map((field) => [field, null])),
});

/** Whether all rows are 0 in all these fields, so that the rows do not show whether any run was collected. */
export const onlyZeros = (rows: readonly unknown[], fields: Zeros): boolean =>
  rows.every((row) => fields.every((field) => (row as { readonly [name: string]: unknown })[field] === 0));
