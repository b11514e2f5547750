import type { Variables } from '@sotto/process-kit';
import type { ExistingChain } from '../existing-chain.js';

/**
 * First message to the stack's process, as JSON. This message contains all options of the stack.
 * Environment variables would be too small for the settings of a large environment.
 */
export interface StackOrder {
  /** Folder of this run, with ledger and logs. The folder is removed at the end. */
  readonly folder: string;
  readonly host: string;
  readonly servicePort: number;
  /** Settings of the service, by the names of its environment variables. */
  readonly settings: Variables;
  /**
   * True if the keeper performs all its tasks. False if it performs only the tasks that the
   * demonstration shows.
   */
  readonly keeperAll: boolean;
  readonly chain: OwnChain | ChainBelow;
}

/**
 * Sandbox with doubles of the external services and with the helpers. Port 0 selects any free port.
 */
interface OwnChain {
  readonly kind: 'own';
  readonly nodePort: number;
  readonly helpersPort: number;
}

/** Chain that is already running. */
export interface ChainBelow extends ExistingChain {
  readonly kind: 'below';
}

/** Message of the stack's process, which is one line of its standard output. */
export type StackMessage<Description> =
  | { readonly event: 'said'; readonly text: string }
  | { readonly event: 'ready'; readonly description: Description }
  /** The start failed; the process then exits. */
  | { readonly event: 'failed'; readonly message: string }
  /** The service ended unexpectedly. */
  | { readonly event: 'service-ended' };
