import type { MeasuredChild } from './measured-child.js';

/** What is measured beside each other, and what tables call it. */
export const FLOWS = {
  sotto: 'Sotto',
  postgres: 'Sotto on PostgreSQL',
  untouched: 'Sotto at default settings',
  pushed: 'Sotto at default settings, with WebSocket',
  usual: 'usual flow',
  ourHash: 'usual flow with our hash',
} as const;
export type FlowName = keyof typeof FLOWS;

/** A relayer that listens: the service, or the usual flow. */
export interface Flow {
  readonly url: string;
  readonly process: MeasuredChild;
  /** Resolves when nothing is left to do for what was asked. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
