import type { CallContext } from '../engine/contract.js';

/** Storage access of a {@link CallContext}, also available to genesis and the control interface. */
export type ContractStorage = Pick<CallContext, 'get' | 'set'>;

/** Storage backed by a plain record, for a contract's initial state before the chain starts. */
export function recordStorage(record: Record<string, bigint>): ContractStorage {
  return {
    get: (key) => record[key] ?? 0n,
    set: (key, value) => {
      record[key] = value;
    },
  };
}
