/**
 * Fault that lasts until {@link DevHelpers.endFaults} is called. The control interfaces of the node
 * and of the bridge solver offer additional faults.
 *
 * - `node-down`: the connection to the node breaks during each request.
 * - `node-slow`: the round trip of each request is longer by `delayMs`.
 * - `node-behind`: the node responds as if the chain had ended `blocks` blocks earlier, but still
 *   accepts transactions.
 * - `next-transaction-reverts`: the next transaction that the service sends for a withdrawal is
 *   included as reverted, and the service pays for it.
 * - `prices-away`: the second source of market prices does not respond; earlier prices remain valid
 *   for some seconds.
 * - `service-down`: the service's process is killed.
 * - `service-restarts`: the service's process is killed. When the call resolves, the service runs
 *   again on the same ledger.
 */
export type Fault =
  | { readonly kind: 'node-down' }
  | { readonly kind: 'node-slow'; readonly delayMs: number }
  | { readonly kind: 'node-behind'; readonly blocks: number }
  | { readonly kind: 'next-transaction-reverts'; readonly reason?: string | undefined }
  | { readonly kind: 'prices-away' }
  | { readonly kind: 'service-down' }
  | { readonly kind: 'service-restarts' };
