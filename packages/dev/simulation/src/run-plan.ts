import type { Felt } from '@sotto/kernel';
import type { LaneRole, SubmissionSettings } from '@sotto/submission-core';
import type { Happening } from './happenings.js';
import type { PushPlan } from './pushes.js';
import type { Weather } from './weather.js';

export const RUN_KINDS = [
  'usual',
  'ledger lost',
  'lanes change',
  'acceptance',
  'lying provider',
  'slow looks',
  'rollbacks',
  'young copy',
  'mixed views',
] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Interleavings of a copy's calls with those of the lost ledger.
 *
 * - `as they come`: not controlled.
 * - `after another`: another call runs first, so the nonces differ and both can land.
 * - `one node lags`: the same, while one node does not show the latest blocks yet.
 * - `ended before`: the copy ends the attempts before the lost ledger's transactions land.
 */
export const MEETINGS = ['as they come', 'after another', 'one node lags', 'ended before'] as const;
type Meeting = (typeof MEETINGS)[number];

export interface LanePlan {
  readonly address: Felt;
  readonly role: LaneRole;
}

/** A caller who wants a key paid. */
export interface CallerPlan {
  readonly index: number;
  readonly atMs: number;
  readonly key: number;
  readonly role: LaneRole;
  readonly isProtected: boolean;
  /** Maximum wait for one answer. */
  readonly patienceMs: number;
  readonly disconnects: boolean;
  readonly asksAgain: number;
}

/** Complete input of one run. Equal plans give equal runs. */
export interface RunPlan {
  readonly seed: string;
  readonly kind: RunKind;
  readonly weather: Weather;
  readonly durationMs: number;
  readonly lanes: readonly LanePlan[];
  readonly callers: readonly CallerPlan[];
  readonly happenings: readonly Happening[];
  /**
   * Time of the special event, such as the loss of the ledger or a change of lanes. The run draws
   * its details.
   */
  readonly specialAtMs: number;
  /** Age of a copy when it replaces the ledger. */
  readonly copyAgeMs: number;
  /** Interleaving of its calls with those of the lost ledger, in runs of the kind "young copy". */
  readonly meeting: Meeting;
  readonly processes: number;
  readonly chain: {
    readonly blockMs: number;
    readonly l1DelayMs: number;
    readonly inclusion: number;
    readonly replicas: number;
    readonly reportsL1: boolean;
  };
  /** Push faults; null if no node pushes. */
  readonly push: PushPlan | null;
  readonly settings: Omit<SubmissionSettings, 'instance' | 'lanes' | 'acceptance'>;
  /** Ids of calls whose drawn faults are ignored. */
  readonly spared: ReadonlySet<string>;
}
