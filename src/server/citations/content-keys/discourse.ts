/** A slug in Discourse is never a bare number, so a dated path like `/t/2026/05/01` does not match. */
const POST = /^\/t\/(?!\d+\/)([\w%-]+)\/([1-9]\d{0,9})\/\d{1,10}\/?$/;

/** `https://HOST/t/slug/ID` for a link to one post of a Discourse topic, on any host; else null. */
export function discourseTopicUrl(url: URL): string | null {
  const match = POST.exec(url.pathname);
  return match === null ? null : `https://${url.hostname}/t/${match[1]}/${match[2]}`;
}
