/** Bytes in MiB, with one digit. */
export const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
