/** An upstream that asks for more is asked again sooner. */
const LONGEST_SECONDS = 3_600;

/** Seconds of a Retry-After header, which is a number of seconds or a date; undefined when it is neither, at most an hour. */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), LONGEST_SECONDS);
  // A date always begins with the name of a day; Date.parse alone takes nearly anything.
  if (!/^[A-Z][a-z]{2},? /.test(text)) return undefined;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) return undefined;
  return Math.min(Math.max(Math.ceil((atMs - nowMs) / 1000), 0), LONGEST_SECONDS);
}
