import type { MeasuredChild } from './measured-child.js';

/** Flows that are compared, with their names in tables. */
export const FLOWS = {
  sotto: 'Sotto',
  postgres: 'Sotto on PostgreSQL',
  untouched: 'Sotto at default settings',
  pushed: 'Sotto at default settings, with WebSocket',
  usual: 'usual flow',
  ourHash: 'usual flow with our hash',
} as const;
export type FlowName = keyof typeof FLOWS;

/** Relayer that is measured: the service or the usual flow. */
export interface Flow {
  readonly url: string;
  readonly process: MeasuredChild;
  /** Resolves when all work for earlier requests has ended. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}
