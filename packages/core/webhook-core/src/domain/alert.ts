/** Problem of the service, with the affected component. */
export interface Alert {
  readonly code: string;
  readonly component: string;
}

/** Alert that an instance observes now. */
export interface SeenAlert extends Alert {
  /** Time for which the instance has observed the alert without a pause, in ms. @default 0 */
  readonly standsMs?: number;
}

/** Hold times: how long an alert must be present, or absent, before a message reports this. */
export interface AlertHolds {
  raiseMsOf(alert: Alert): number;
  readonly resolveMs: number;
}

/** Period in which one instance has observed an alert. Times are Unix milliseconds. */
export interface AlertSighting {
  /**
   * Start of the period. Within the period, the alert was never absent for longer than the resolve
   * hold.
   */
  readonly sinceMs: number;
  readonly lastSeenMs: number;
}

export type AlertState = 'raised' | 'resolved';

/**
 * Returns `raised` if an instance observes the alert and has observed it for the hold time. Returns
 * `resolved` if no instance has observed the alert for the resolve hold. Returns null in all other
 * cases, so that an unstable alert causes no message.
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

/** Returns the content of a message about an alert. */
export function alertBody(
  { code, component }: Alert,
  { state, atMs }: { readonly state: AlertState; readonly atMs: number },
): string {
  return JSON.stringify({ code, component, state, at: new Date(atMs).toISOString() });
}
