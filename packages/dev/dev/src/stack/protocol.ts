import type { Variables } from '@sotto/process-kit';
import type { ExistingChain } from '../existing-chain.js';

/**
 * What the process of the stack is started for: the first message that it is sent, as JSON. An
 * environment would not hold it, where the settings are those of a large one.
 */
export interface StackOrder {
  /** Of this run alone: ledger and logs. It is removed at the end. */
  readonly folder: string;
  readonly host: string;
  readonly servicePort: number;
  /** Settings for the service, by the names of its variables. */
  readonly settings: Variables;
  /** Whether the keeper acts on everything, and not only on what the demonstration shows. */
  readonly keeperAll: boolean;
  readonly chain: OwnChain | ChainBelow;
}

/** The sandbox, with its doubles and the helpers; port 0 is any free one. */
interface OwnChain {
  readonly kind: 'own';
  readonly nodePort: number;
  readonly helpersPort: number;
}

/** A chain that is up already. */
export interface ChainBelow extends ExistingChain {
  readonly kind: 'below';
}

/** A line of the process's standard output. */
export type StackMessage<Description> =
  | { readonly event: 'said'; readonly text: string }
  | { readonly event: 'ready'; readonly description: Description }
  /** It ends by itself then. */
  | { readonly event: 'failed'; readonly message: string }
  /** The service, without having been asked to. */
  | { readonly event: 'service-ended' };
