import type { Variables } from '@sotto/process-kit';
import type { Look } from '../look.js';
import type { Need, World } from '../world.js';

/** Ends a fault. */
export type Heal = () => Promise<void>;

/** Fault of something that the service depends on. */
export interface ChaosCase {
  readonly name: string;
  /** Description for the report. */
  readonly what: string;
  readonly needs?: readonly Need[];
  /** Settings of the service that differ from other cases. The report lists them. */
  readonly env?: Variables;
  readonly inflict: (world: World) => Promise<Heal>;
  /** True if the operator's status names the fault; null if the fault blocks nothing. */
  readonly shows: ((look: Look) => boolean) | null;
  /** The alert that must reach a person; null if none must. */
  readonly alert: string | null;
  /** Further alerts that may reach a person, with the reason. */
  readonly others?: { readonly alerts: readonly string[]; readonly why: string };
  /** True for a fault of a node or of prices: withdrawals must succeed again within seconds. */
  readonly isUpstream?: true;
}

/** Matches a reason or a warning with this code and, if causes are given, one of them. */
export const names =
  (code: string, ...causes: readonly string[]) =>
  ({ isAnswered, named }: Look): boolean =>
    isAnswered &&
    named.some(
      (reason) =>
        reason.code === code &&
        (causes.length === 0 || (reason.cause !== null && causes.includes(reason.cause))),
    );

/** Matches a component that does not answer in time. */
export const timesOut =
  (component: string) =>
  ({ named }: Look): boolean =>
    named.some((reason) => reason.code === 'TIMED_OUT' && reason.component === component);

export const anyOf =
  (...shows: readonly ((look: Look) => boolean)[]) =>
  (look: Look): boolean =>
    shows.some((show) => show(look));

/** Second alert of cases that restart the service. */
export const RESTARTS = {
  alerts: ['ServiceDown', 'InstanceDown'],
  why: 'a restart takes longer than the shortened `for`',
} as const;
