/** An upstream that asks for more is asked again sooner. */
const LONGEST_SECONDS = 3_600;

/** Milliseconds since the epoch of a date as HTTP writes it; undefined for any other value. */
export function parseHttpDate(header: unknown): number | undefined {
  // A date always begins with the name of a day; Date.parse alone takes nearly anything.
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2},? /.test(header.trim())) return undefined;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/**
 * Seconds of a Retry-After header, which is a number of seconds or a date; undefined when it is
 * neither, at most an hour.
 */
export function parseRetryAfter(header: unknown, nowMs: number): number | undefined {
  if (typeof header === 'string' && /^\d{1,9}$/.test(header.trim()))
    return Math.min(Number(header), LONGEST_SECONDS);
  const atMs = parseHttpDate(header);
  if (atMs === undefined) return undefined;
  return Math.min(Math.max(Math.ceil((atMs - nowMs) / 1000), 0), LONGEST_SECONDS);
}
