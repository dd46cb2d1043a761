/** Loads ky with the first request, because it uses the global Request, which takes Node about 20 ms to load. */
export const loadKy = async () => (await import('ky')).default;
