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
 * How the calls of a copy meet those of the lost ledger: as they come; after another call, so that
 * they get other nonces and both can land; the same, while one node does not show yet what has just
 * landed; or ended, before what the lost ledger sent of them lands.
 */
export const MEETINGS = ['as they come', 'after another', 'one node lags', 'ended before'] as const;
type Meeting = (typeof MEETINGS)[number];

export interface LanePlan {
  readonly address: Felt;
  readonly role: LaneRole;
}

/** One who wants a key paid. */
export interface CallerPlan {
  readonly index: number;
  readonly atMs: number;
  readonly key: number;
  readonly role: LaneRole;
  readonly isProtected: boolean;
  /** How long one answer is waited for. */
  readonly patienceMs: number;
  readonly disconnects: boolean;
  readonly asksAgain: number;
}

/** All that one run is made from. Equal plans give equal runs. */
export interface RunPlan {
  readonly seed: string;
  readonly kind: RunKind;
  readonly weather: Weather;
  readonly durationMs: number;
  readonly lanes: readonly LanePlan[];
  readonly callers: readonly CallerPlan[];
  readonly happenings: readonly Happening[];
  /** When the ledger is lost, lanes change, and so on; what exactly is drawn by the run. */
  readonly specialAtMs: number;
  /** How old a copy is when it is put in place. */
  readonly copyAgeMs: number;
  /** How its calls meet those of the lost ledger, in runs of the kind "young copy". */
  readonly meeting: Meeting;
  readonly processes: number;
  readonly chain: {
    readonly blockMs: number;
    readonly l1DelayMs: number;
    readonly inclusion: number;
    readonly replicas: number;
    readonly reportsL1: boolean;
  };
  /** Null where no node pushes. */
  readonly push: PushPlan | null;
  readonly settings: Omit<SubmissionSettings, 'instance' | 'lanes' | 'acceptance'>;
  /** Calls that go well whatever was drawn for them. */
  readonly spared: ReadonlySet<string>;
}
