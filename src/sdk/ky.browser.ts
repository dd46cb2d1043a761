import ky from 'ky';

/** Takes the place of the module `ky` in the build for browsers, where a later load would only be another request. */
export const loadKy = () => ky;
