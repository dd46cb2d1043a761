/** A slug is never a bare number in Discourse, which keeps dated paths such as `/t/2026/05/01` out. */
const POST = /^\/t\/(?!\d+\/)([\w%-]+)\/([1-9]\d{0,9})\/\d{1,10}\/?$/;

/** `https://HOST/t/slug/ID` for a link to one post of a Discourse topic, on any host; else null. */
export function discourseTopicUrl(url: URL): string | null {
  const match = POST.exec(url.pathname);
  return match === null ? null : `https://${url.hostname}/t/${match[1]}/${match[2]}`;
}
