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
  'slow polls',
  'rollbacks',
  'young copy',
  'mixed views',
] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Sequence of the copy's calls relative to the calls of the lost ledger.
 *
 * - `as they come`: the sequence is not controlled.
 * - `after another`: the copy first sends a different call, so a call gets another nonce than in
 *   the lost ledger, and both can land.
 * - `one node lags`: as `after another`, while one node does not show the latest blocks yet.
 * - `ended before`: the copy ends the attempts before the lost ledger's transactions land.
 */
export const MEETINGS = ['as they come', 'after another', 'one node lags', 'ended before'] as const;
type Meeting = (typeof MEETINGS)[number];

export interface LanePlan {
  readonly address: Felt;
  readonly role: LaneRole;
}

/** Caller that requests the payment of a key. */
export interface CallerPlan {
  readonly index: number;
  readonly atMs: number;
  readonly key: number;
  readonly role: LaneRole;
  readonly isProtected: boolean;
  /** Blocks from a request up to the last block of its call; null for every block. */
  readonly blocks: number | null;
  /** Maximum time that the caller waits for one answer, in ms. */
  readonly patienceMs: number;
  readonly disconnects: boolean;
  readonly requestsAgain: number;
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
   * Time of the special event that the kind of the run requires, such as the loss of the ledger or
   * a change of lanes. The event's details are drawn during the run.
   */
  readonly specialAtMs: number;
  /** Age of the copy when it replaces the ledger, in ms. */
  readonly copyAgeMs: number;
  /**
   * Sequence of the copy's calls relative to the calls of the lost ledger. Used in runs of the kind
   * "young copy".
   */
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
  /** Ids of calls that have no fault in this run, even if a fault was drawn for them. */
  readonly spared: ReadonlySet<string>;
}
