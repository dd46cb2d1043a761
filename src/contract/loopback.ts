/** Whether the host of a URL is this machine, as URL writes it: lower case, an IPv6 address in brackets. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
