/** An independent, naive computation of the seven core reads from data-set records, and random data sets for it. */
export * from './answers.js';
export * from './brands.js';
export * from './competitors.js';
export * from './overview.js';
export * from './prompts.js';
export * from './random-dataset.js';
export * from './records.js';
export * from './rounding.js';
export * from './scope.js';
export * from './sources.js';
export * from './tag-groups.js';
export * from './tally.js';
export * from './url-rules.js';
export * from './urls.js';
