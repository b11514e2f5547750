import type { Variables } from '@sotto/process-kit';
import type { Look } from '../look.js';
import type { Need, World } from '../world.js';

/** Ends a fault. */
export type Heal = () => Promise<void>;

/** One way in which something that the service stands on fails. */
export interface ChaosCase {
  readonly name: string;
  /** For the report. */
  readonly what: string;
  readonly needs?: readonly Need[];
  /** Settings of the service that differ from those of other cases; the report lists them. */
  readonly env?: Variables;
  readonly inflict: (world: World) => Promise<Heal>;
  /** True if a look at the operator's status names the fault; null if nothing is to be seen. */
  readonly shows: ((look: Look) => boolean) | null;
  /** The one alert that reaches a person; null if none has to. */
  readonly alert: string | null;
  /** Alerts that may reach a person in addition, with the reason. */
  readonly others?: { readonly alerts: readonly string[]; readonly why: string };
  /** True if the fault is in a node or in prices: withdrawals succeed again within seconds. */
  readonly isUpstream?: true;
}

/** Recognizes a reason or a warning, if given with one of the causes. */
export const names =
  (code: string, ...causes: readonly string[]) =>
  ({ isAnswered, named }: Look): boolean =>
    isAnswered &&
    named.some(
      (reason) =>
        reason.code === code &&
        (causes.length === 0 || (reason.cause !== null && causes.includes(reason.cause))),
    );

/** Recognizes a component that does not answer in time. */
export const timesOut =
  (component: string) =>
  ({ named }: Look): boolean =>
    named.some((reason) => reason.code === 'TIMED_OUT' && reason.component === component);

export const anyOf =
  (...shows: readonly ((look: Look) => boolean)[]) =>
  (look: Look): boolean =>
    shows.some((show) => show(look));

/** Second alert of a case that starts the service again. */
export const RESTARTS = {
  alerts: ['ServiceDown', 'InstanceDown'],
  why: 'a restart takes longer than the shortened `for`',
} as const;
