import type { Variables } from '@sotto/process-kit';
import type { Poll } from '../poll.js';
import type { Need, World } from '../world.js';

/** Function that ends a fault. */
export type Heal = () => Promise<void>;

/** Fault of a system on which the service depends. */
export interface ChaosCase {
  readonly name: string;
  /** Description of the fault in the report. */
  readonly what: string;
  readonly needs?: readonly Need[];
  /**
   * Settings of the service that differ from those in other cases. The report lists these settings.
   */
  readonly env?: Variables;
  readonly inflict: (world: World) => Promise<Heal>;
  /**
   * Returns true if the operator's status shows the fault; null if the fault does not block
   * withdrawals.
   */
  readonly shows: ((poll: Poll) => boolean) | null;
  /** Alert that must be sent to a person during the fault; null if no alert must be sent. */
  readonly alert: string | null;
  /** Other alerts that may be sent to a person, with the reason. */
  readonly others?: { readonly alerts: readonly string[]; readonly why: string };
  /**
   * True if the fault concerns a node or prices. Withdrawals must then succeed again within
   * seconds.
   */
  readonly isUpstream?: true;
}

/**
 * Creates a predicate for a status that has a reason or warning with this code. If causes are
 * given, its cause must be one of them.
 */
export const names =
  (code: string, ...causes: readonly string[]) =>
  ({ isAnswered, named }: Poll): boolean =>
    isAnswered &&
    named.some(
      (reason) =>
        reason.code === code &&
        (causes.length === 0 || (reason.cause !== null && causes.includes(reason.cause))),
    );

/** Creates a predicate for a status in which this component does not respond in time. */
export const timesOut =
  (component: string) =>
  ({ named }: Poll): boolean =>
    named.some((reason) => reason.code === 'TIMED_OUT' && reason.component === component);

export const anyOf =
  (...shows: readonly ((poll: Poll) => boolean)[]) =>
  (poll: Poll): boolean =>
    shows.some((show) => show(poll));

/** Alerts that may also be sent to a person in cases that restart the service. */
export const RESTARTS = {
  alerts: ['ServiceDown', 'InstanceDown'],
  why: 'a restart exceeds the shortened `for`',
} as const;
