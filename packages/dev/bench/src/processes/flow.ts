import type { MeasuredChild } from './measured-child.js';

/** A relayer that listens: the service, or the usual flow. */
export interface Flow {
  readonly url: string;
  readonly process: MeasuredChild;
  /** Resolves when nothing is left to do for what was asked. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
