import type { CallContext } from '../engine/contract.js';

/**
 * Storage access of a {@link CallContext}. Genesis and the control interface have the same access.
 */
export type ContractStorage = Pick<CallContext, 'get' | 'set'>;

/** Creates storage on a plain record, for a contract's initial state before the chain starts. */
export function recordStorage(record: Record<string, bigint>): ContractStorage {
  return {
    get: (key) => record[key] ?? 0n,
    set: (key, value) => {
      record[key] = value;
    },
  };
}
