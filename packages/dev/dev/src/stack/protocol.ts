import type { Variables } from '@sotto/process-kit';
import type { ExistingChain } from '../existing-chain.js';

/**
 * Order to the process of the stack: the first message, as JSON. An environment would be too small
 * for the settings of a large one.
 */
export interface StackOrder {
  /** Folder of this run, with ledger and logs. Removed at the end. */
  readonly folder: string;
  readonly host: string;
  readonly servicePort: number;
  /** Settings of the service, by the names of its variables. */
  readonly settings: Variables;
  /** True if the keeper performs all tasks, not only those of the demonstration. */
  readonly keeperAll: boolean;
  readonly chain: OwnChain | ChainBelow;
}

/** The sandbox, with its doubles and the helpers; port 0 is any free one. */
interface OwnChain {
  readonly kind: 'own';
  readonly nodePort: number;
  readonly helpersPort: number;
}

/** A chain that is already running. */
export interface ChainBelow extends ExistingChain {
  readonly kind: 'below';
}

/** A line of the process's standard output. */
export type StackMessage<Description> =
  | { readonly event: 'said'; readonly text: string }
  | { readonly event: 'ready'; readonly description: Description }
  /** The start failed; the process then exits. */
  | { readonly event: 'failed'; readonly message: string }
  /** The service ended unexpectedly. */
  | { readonly event: 'service-ended' };
