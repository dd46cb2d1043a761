/** ky without its other exports, which an import() of the package would bring along. */
export { default } from 'ky';
