import type { ErrorEntry } from '@sotto/kernel';

/** Errors of what stands behind the use cases' ports. */
export const STORE_ERRORS = [
  {
    code: 'LEDGER_UNAVAILABLE',
    kind: 'unavailable',
    meaning: 'The ledger does not answer; nothing is known to have been written.',
    remedy: 'Send the same request again: if it was accepted, it gets the same submission.',
  },
] as const satisfies readonly ErrorEntry[];

export const VERIFIER_ERRORS = [
  {
    code: 'VERIFIER_BUSY',
    kind: 'unavailable',
    meaning: 'Too many proofs wait to be checked.',
    remedy: 'Try again after `Retry-After`.',
  },
  {
    code: 'VERIFIER_FAILED',
    kind: 'unavailable',
    meaning: 'The proof could not be checked; this says nothing about the proof.',
    remedy: 'Try again.',
  },
] as const satisfies readonly ErrorEntry[];

export const NODE_ERRORS = [
  {
    code: 'NODE_UNAVAILABLE',
    kind: 'unavailable',
    meaning: 'The Starknet node cannot be reached, or turns requests away.',
    remedy: 'Send the same request again, later.',
  },
  {
    code: 'UPSTREAM_TIMED_OUT',
    kind: 'timeout',
    meaning: 'The Starknet node did not answer in time.',
    remedy: 'Send the same request again.',
  },
  {
    code: 'NODE_MALFORMED_ANSWER',
    kind: 'upstream_failed',
    meaning: 'The Starknet node answered what its specification does not allow.',
    remedy: 'Send the same request again, later.',
  },
  {
    code: 'NODE_REFUSED_CALL',
    kind: 'upstream_failed',
    meaning:
      'The Starknet node refused to read what the request needs; `details.rpcCode` is its code.',
    remedy: 'Send the same request again, later.',
  },
] as const satisfies readonly ErrorEntry[];

export const AGGREGATOR_ERRORS = [
  {
    code: 'AGGREGATOR_UNAVAILABLE',
    kind: 'unavailable',
    meaning: 'The swap aggregator cannot be reached, or turns requests away.',
    remedy: 'Send the same request again, later; the note is untouched.',
  },
  {
    code: 'AGGREGATOR_TIMED_OUT',
    kind: 'timeout',
    meaning: 'The swap aggregator did not answer in time.',
    remedy: 'Send the same request again; the note is untouched.',
  },
  {
    code: 'AGGREGATOR_MALFORMED',
    kind: 'upstream_failed',
    meaning: 'The swap aggregator answered what can’t be understood.',
    remedy: 'Send the same request again, later; the note is untouched.',
  },
] as const satisfies readonly ErrorEntry[];

export const BRIDGE_ERRORS = [
  {
    code: 'BRIDGE_UNAVAILABLE',
    kind: 'unavailable',
    meaning: 'The bridge protocol cannot be reached, or turns requests away.',
    remedy: 'Send the same request again, later; transfers on their way go on.',
  },
  {
    code: 'BRIDGE_TIMED_OUT',
    kind: 'timeout',
    meaning: 'The bridge protocol did not answer in time.',
    remedy: 'Send the same request again; transfers on their way go on.',
  },
  {
    code: 'BRIDGE_MALFORMED',
    kind: 'upstream_failed',
    meaning: 'The bridge protocol answered what can’t be understood.',
    remedy: 'Send the same request again, later; transfers on their way go on.',
  },
] as const satisfies readonly ErrorEntry[];
