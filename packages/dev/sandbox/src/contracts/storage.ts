import type { CallContext } from '../engine/contract.js';

/**
 * The storage half of a {@link CallContext}: what genesis and the control interface have as well.
 */
export type ContractStorage = Pick<CallContext, 'get' | 'set'>;

/** Storage over a plain record, to fill a contract's first state before the chain starts. */
export function recordStorage(record: Record<string, bigint>): ContractStorage {
  return {
    get: (key) => record[key] ?? 0n,
    set: (key, value) => {
      record[key] = value;
    },
  };
}
