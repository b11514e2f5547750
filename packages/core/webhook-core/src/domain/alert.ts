/** Something that stands in the way of the service, and what it is in. */
export interface Alert {
  readonly code: string;
  readonly component: string;
}

/** An alert as an instance sees it now. */
export interface SeenAlert extends Alert {
  /** For how long without a pause. @default 0 */
  readonly standsMs?: number;
}

/** How long an alert has to stand, or to be gone, before a message says so. */
export interface AlertHolds {
  raiseMsOf(alert: Alert): number;
  readonly resolveMs: number;
}

/** One instance's sight of an alert, in ages. */
export interface AlertSighting {
  /** Since when it has stood without a pause as long as the hold. */
  readonly sinceMs: number;
  readonly lastSeenMs: number;
}

export type AlertState = 'raised' | 'resolved';

/**
 * Raised while one instance sees it and has seen it for long enough; resolved once none has seen
 * it for long enough. Null in between: what flaps makes no message.
 */
export function alertStateOf(
  sightings: readonly AlertSighting[],
  { raiseMs, resolveMs }: { readonly raiseMs: number; readonly resolveMs: number },
  nowMs: number,
): { readonly state: AlertState; readonly atMs: number } | null {
  const standing = sightings.filter(({ lastSeenMs }) => nowMs - lastSeenMs < resolveMs);
  if (standing.length === 0)
    return { state: 'resolved', atMs: Math.max(0, ...sightings.map((each) => each.lastSeenMs)) };
  const raised = standing.filter(({ sinceMs, lastSeenMs }) => lastSeenMs - sinceMs >= raiseMs);
  if (raised.length === 0) return null;
  return { state: 'raised', atMs: Math.min(...raised.map(({ sinceMs }) => sinceMs)) };
}

/** All that a message says of an alert. */
export function alertBody(
  { code, component }: Alert,
  { state, atMs }: { readonly state: AlertState; readonly atMs: number },
): string {
  return JSON.stringify({ code, component, state, at: new Date(atMs).toISOString() });
}
