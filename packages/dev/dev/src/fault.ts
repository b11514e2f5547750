/**
 * What goes wrong until {@link DevHelpers.endFaults} is called. Other faults of the node and of the
 * partners are ordered at their control interfaces.
 *
 * - `node-down`: the connection to the node breaks under each request.
 * - `node-slow`: each request takes so much longer, there and back.
 * - `node-behind`: the node answers as if the chain had ended so many blocks earlier; it still
 *   takes transactions.
 * - `next-transaction-reverts`: the next transaction that the service sends for a withdrawal is
 *   included as reverted, and the service pays for it.
 * - `prices-away`: the second source of market prices does not answer; what was read before counts
 *   for some seconds.
 * - `service-down`: the service's process is killed.
 * - `service-restarts`: it is killed, and runs again on the same ledger when this resolves.
 */
export type Fault =
  | { readonly kind: 'node-down' }
  | { readonly kind: 'node-slow'; readonly delayMs: number }
  | { readonly kind: 'node-behind'; readonly blocks: number }
  | { readonly kind: 'next-transaction-reverts'; readonly reason?: string | undefined }
  | { readonly kind: 'prices-away' }
  | { readonly kind: 'service-down' }
  | { readonly kind: 'service-restarts' };
