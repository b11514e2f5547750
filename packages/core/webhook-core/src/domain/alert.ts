/** A problem of the service and the affected component. */
export interface Alert {
  readonly code: string;
  readonly component: string;
}

/** An alert as an instance sees it now. */
export interface SeenAlert extends Alert {
  /** Duration without a pause, in milliseconds. @default 0 */
  readonly standsMs?: number;
}

/** Time for which an alert must be present, or absent, before a message reports it. */
export interface AlertHolds {
  raiseMsOf(alert: Alert): number;
  readonly resolveMs: number;
}

/** Sighting of an alert by one instance. Times are Unix milliseconds. */
export interface AlertSighting {
  /** Start of the sighting, without a pause longer than the resolve hold. */
  readonly sinceMs: number;
  readonly lastSeenMs: number;
}

export type AlertState = 'raised' | 'resolved';

/**
 * Returns `raised` if one instance sees the alert and has seen it for the hold time; `resolved` if
 * none has seen it for the resolve hold. Returns null in between, so an unstable alert causes no
 * message.
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

/** Content of a message about an alert. */
export function alertBody(
  { code, component }: Alert,
  { state, atMs }: { readonly state: AlertState; readonly atMs: number },
): string {
  return JSON.stringify({ code, component, state, at: new Date(atMs).toISOString() });
}
