/** Exports only ky itself. An import() of the package would load its other exports too. */
export { default } from 'ky';
