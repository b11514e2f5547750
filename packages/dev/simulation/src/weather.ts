import type { Streams } from './random.js';

/** Faults of calls through ports, with the maximum probability of each fault per call. */
export const CALL_FAULTS = {
  'ledger slow': 0.03,
  'ledger fails before': 0.015,
  'ledger fails after': 0.015,
  'read slow': 0.35,
  'read fails': 0.06,
  'read never answered': 0.02,
  'part unread': 0.1,
  'send slow': 0.4,
  'send lost': 0.2,
  'send answer lost': 0.2,
  'send arrives later': 0.15,
  'send refused': 0.45,
  'signer slow': 0.1,
  'admission fails': 0.2,
  'hint lost': 0.5,
} as const;
export type CallFault = keyof typeof CALL_FAULTS;

/** Events of the simulated world, with the maximum rate of each event per minute. */
export const HAPPENINGS = {
  crash: 3,
  'crash at a call': 4,
  stop: 3,
  'another process': 2,
  'clock step': 2,
  'store clock step': 0.7,
  rollback: 1.6,
  'pre-confirmed vanishes': 4,
  eviction: 4,
  'copy arrives': 6,
  'price jump': 6,
  'pool full': 1.5,
  foreign: 0.8,
  'account broken': 0.8,
  'account poor': 0.8,
  'replica lags': 3,
  'lane paused': 0.5,
  'no longer wanted': 5,
  'node down': 2,
  'views mixed': 1.2,
  nonsense: 1,
  'L1 undone': 0.1,
} as const;
export type HappeningKind = keyof typeof HAPPENINGS;

export type FaultKind = CallFault | HappeningKind;
export const FAULT_KINDS: readonly FaultKind[] = [...names(CALL_FAULTS), ...names(HAPPENINGS)];

/** Severity of each fault in one run, from 0 (never) to 1. */
export type Weather = Readonly<Record<FaultKind, number>>;

/**
 * Draws the severity of each fault of a run. Some faults are disabled, because one fault may hide
 * the effects of another fault.
 */
export function drawWeather(streams: Streams): Weather {
  const random = streams.of('weather');
  const calm = random.chance(0.3) ? 0.75 : 0.45;
  return record(() => {
    const isOff = random.chance(calm);
    const worst = random.next();
    return isOff ? 0 : worst;
  });
}

export function record(of: (fault: FaultKind) => number): Weather {
  // CAST: every kind is set once.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(FAULT_KINDS.map((kind) => [kind, of(kind)])) as Record<
    FaultKind,
    number
  >;
}

/** Returns the keys of a record with their literal type. */
export function names<Name extends string>(of: Readonly<Record<Name, number>>): Name[] {
  return Object.keys(of).filter((name): name is Name => Object.hasOwn(of, name));
}
