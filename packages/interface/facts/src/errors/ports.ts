import type { ErrorEntries } from './entry.js';

/** Errors of the store of submissions, quotes and transfers. */
export const LEDGER_ERRORS = {
  LEDGER_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The ledger does not answer; nothing is known to have been written.',
    remedy: 'Send the same request again: if it was accepted, it gets the same submission.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/** Errors of the proof verifier. */
export const VERIFIER_ERRORS = {
  VERIFIER_BUSY: {
    kind: 'unavailable',
    meaning: 'Too many proofs wait to be checked.',
    remedy: 'Try again after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
  VERIFIER_FAILED: {
    kind: 'unavailable',
    meaning: 'The proof could not be checked; it may be valid or invalid.',
    remedy: 'Try again.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/** Errors of the Starknet node. */
export const NODE_ERRORS = {
  NODE_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The Starknet node cannot be reached, or rejects requests.',
    remedy: 'Send the same request again, later.',
    retry: 'same',
  },
  UPSTREAM_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The Starknet node did not answer in time.',
    remedy: 'Send the same request again.',
    retry: 'same',
  },
  NODE_MALFORMED_ANSWER: {
    kind: 'upstream_failed',
    meaning: 'The Starknet node sent a reply that its specification does not allow.',
    remedy: 'Send the same request again, later.',
    retry: 'same',
  },
  NODE_REFUSED_CALL: {
    kind: 'upstream_failed',
    meaning:
      'The Starknet node refused a read that the request needs; `details.rpcCode` is its code.',
    remedy: 'Send the same request again, later.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/** Errors of a separate signer process that holds the keys. */
export const SIGNER_ERRORS = {
  SIGNER_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The signer that holds the accounts’ keys cannot be reached, or is too busy.',
    remedy: 'Send the same request again, later: nothing was signed or sent.',
    retry: 'same',
  },
  SIGNER_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The signer did not answer in time.',
    remedy: 'Send the same request again: nothing was sent.',
    retry: 'same',
  },
  SIGNER_REFUSED: {
    kind: 'unavailable',
    meaning:
      'The signer’s policy does not let it sign this; `details.reason` is its code, and docs/signer.md explains each code.',
    remedy:
      'The operator compares the policy with the service’s transactions; a spent budget is renewed over time.',
    retry: 'later',
    details: { reason: 'text' },
  },
  SIGNER_MALFORMED_ANSWER: {
    kind: 'upstream_failed',
    meaning: 'The signer’s reply is not a signature of the account over the requested content.',
    remedy: 'Send the same request again, later: nothing was sent.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/** Errors of the swap aggregator. */
export const AGGREGATOR_ERRORS = {
  AGGREGATOR_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The swap aggregator cannot be reached, or rejects requests.',
    remedy: 'Send the same request again, later; the note is untouched.',
    retry: 'same',
  },
  AGGREGATOR_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The swap aggregator did not answer in time.',
    remedy: 'Send the same request again; the note is untouched.',
    retry: 'same',
  },
  AGGREGATOR_UNAUTHORIZED: {
    kind: 'unavailable',
    meaning:
      'The swap aggregator rejects this service’s key; `details.status` is 401 or 403. The request is not the cause.',
    remedy: 'The operator is alerted and sets the key; the note is untouched.',
    retry: 'later',
  },
  AGGREGATOR_MALFORMED: {
    kind: 'upstream_failed',
    meaning: 'The reply of the swap aggregator can’t be understood.',
    remedy: 'Send the same request again, later; the note is untouched.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/** Errors of the bridge protocol. */
export const BRIDGE_PROTOCOL_ERRORS = {
  BRIDGE_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The bridge protocol cannot be reached, or rejects requests.',
    remedy: 'Send the same request again, later; transfers in flight continue.',
    retry: 'same',
  },
  BRIDGE_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The bridge protocol did not answer in time.',
    remedy: 'Send the same request again; transfers in flight continue.',
    retry: 'same',
  },
  BRIDGE_UNAUTHORIZED: {
    kind: 'unavailable',
    meaning:
      'The bridge protocol rejects this service’s key; `details.status` is 401 or 403. The request is not the cause.',
    remedy: 'The operator is alerted and sets the key; transfers in flight continue.',
    retry: 'later',
  },
  BRIDGE_MALFORMED: {
    kind: 'upstream_failed',
    meaning: 'The reply of the bridge protocol can’t be understood.',
    remedy: 'Send the same request again, later; transfers in flight continue.',
    retry: 'same',
  },
} as const satisfies ErrorEntries;

/**
 * Errors that appear only in logs, metrics and exit messages. The caller receives another error, or
 * a reply without the missing data.
 */
export const INNER_ERRORS = {
  UPSTREAM_UNREACHABLE: {
    kind: 'unavailable',
    meaning:
      'An upstream cannot be reached, or the connection broke before the whole answer was there.',
    remedy: 'See `details.reason`, the socket’s error code, and whether the upstream is up.',
    retry: 'same',
  },
  UPSTREAM_ANSWERED: {
    kind: 'upstream_failed',
    meaning: 'An upstream answered with a status that is not 2xx.',
    remedy: 'See `details.status`: a key, a limit or the address may be wrong.',
    retry: 'same',
  },
  UPSTREAM_ANSWER_TOO_LARGE: {
    kind: 'upstream_failed',
    meaning: 'An upstream’s answer has more bytes than are read.',
    remedy: 'Check that the address is the upstream’s.',
    retry: 'same',
  },
  UPSTREAM_PAUSED: {
    kind: 'unavailable',
    meaning: 'An upstream is not queried now, because consecutive requests to it have failed.',
    remedy: 'Wait: one request is let through to try it again.',
    retry: 'same',
    tellsWhen: true,
  },
  EXCHANGE_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The exchange that supplies prices cannot be reached, or rejects requests.',
    remedy: 'Wait: two other sources that agree are sufficient.',
    retry: 'same',
  },
  EXCHANGE_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The exchange that supplies prices did not answer in time.',
    remedy: 'Wait: two other sources that agree are sufficient.',
    retry: 'same',
  },
  EXCHANGE_MALFORMED: {
    kind: 'upstream_failed',
    meaning:
      'The reply of the exchange can’t be understood; `details.at` is the position of the problem.',
    remedy: 'Check that EXCHANGE_PRICES_URL is the address of an API compatible with Kraken’s.',
    retry: 'same',
  },
  REWARDS_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The rewards interface cannot be reached, or rejects requests.',
    remedy: 'Wait: yields are returned with the last rates, or without rewards.',
    retry: 'same',
  },
  REWARDS_TIMED_OUT: {
    kind: 'timeout',
    meaning: 'The rewards interface did not answer in time.',
    remedy: 'Wait: yields are returned with the last rates, or without rewards.',
    retry: 'same',
  },
  REWARDS_MALFORMED: {
    kind: 'upstream_failed',
    meaning:
      'The reply of the rewards interface can’t be understood; `details.at` is the position of the problem.',
    remedy: 'Check that its address is right and its format is supported.',
    retry: 'same',
  },
  TIMED_OUT: {
    kind: 'unavailable',
    meaning: 'The submission engine waited too long for a port.',
    remedy: 'Wait: the rows are compared again.',
    retry: 'same',
  },
  AUDIT_UNREADABLE: {
    kind: 'unavailable',
    meaning:
      'The values that the audit read do not belong together, so the audit draws no conclusion.',
    remedy: 'Wait: the audit reads again.',
    retry: 'same',
  },
  LEDGER_OF_ANOTHER_CHAIN: {
    kind: 'internal',
    meaning: 'The ledger holds transactions of another chain.',
    remedy: 'Start the service with the ledger of its chain.',
    retry: 'never',
  },
  LEDGER_SCHEMA_DIFFERS: {
    kind: 'internal',
    meaning: 'The ledger was made by migrations of another text than those of this release.',
    remedy: 'Start the release that made the ledger, or restore a copy that it wrote.',
    retry: 'never',
  },
  SCHEMA_IS_NEWER: {
    kind: 'internal',
    meaning:
      'A newer release has changed the schema of the ledger, and this release may not run at the same time.',
    remedy:
      'Start the newer release, or stop every instance and restore the backup from before the upgrade.',
    details: { unknownMigrations: 'text' },
    retry: 'never',
  },
  OLDER_INSTANCES_RUN: {
    kind: 'internal',
    meaning:
      'Instances of an older release are still alive, and may not run together with a migration of this release. Nothing was changed.',
    remedy: 'Stop the instances in `details.instances`, keepers included, then start again.',
    details: { migration: 'text', instances: 'text' },
    retry: 'same',
  },
  LEDGER_DAMAGED: {
    kind: 'internal',
    meaning: 'The ledger’s file or its log is damaged; `details.finding` is the finding of SQLite.',
    remedy: 'Restore a backup, as the runbook describes.',
    details: { finding: 'text' },
    retry: 'never',
  },
  LEDGER_INCOMPLETE: {
    kind: 'internal',
    meaning:
      'The ledger’s file lacks acknowledged commits, or its log is missing; `details.reason` names the case.',
    remedy:
      'Put file and log back together, restore a backup, or accept the loss, as the runbook describes.',
    details: { reason: 'text', missing: 'text?' },
    retry: 'never',
  },
  LEDGER_READ_ONLY: {
    kind: 'internal',
    meaning: 'The ledger’s file or its folder can not be written, or a folder has the file’s name.',
    remedy:
      'Let the service’s user write the folder and all files in it, on a writable mount. Move or remove any folder that has a file’s name.',
    details: { place: 'text' },
    retry: 'never',
  },
  ACCOUNT_KEY_UNUSABLE: {
    kind: 'internal',
    meaning: 'The signer holds no key for an account, or an invalid one.',
    remedy: 'Configure the key of the account in `details.account`.',
    retry: 'never',
  },
  VERIFICATION_KEY_INVALID: {
    kind: 'internal',
    meaning:
      'The verification key cannot be used: it is not in snarkjs’ form, or unsafe to verify with.',
    remedy: 'Use the key of the pool’s circuit; `details` name the field and the reason.',
    retry: 'never',
  },
} as const satisfies ErrorEntries;
