/**
 * Reasons that can block a withdrawal. The service's verdict, readiness, metrics and alerts use
 * these names. The texts are for people; `details` of a reason contains more data.
 */
export const REASONS = {
  STOPPING: 'The process is about to end.',
  STORE_UNREACHABLE: 'The store does not answer a read; `details.cause` is its code.',
  STORE_NOT_WRITABLE: 'The store does not commit a write durably; `details.cause` is its code.',
  SCHEMA_IS_NEWER:
    'A newer release has changed the schema of the ledger, and this release may not run at the same time; `details.unknownMigrations` are the newer release’s migrations.',
  NODE_UNREACHABLE: 'The Starknet node does not answer; `details.cause` is the code.',
  NODES_DISAGREE: 'The Starknet nodes differ in their replies about the chain.',
  NODE_DOWN: 'One of several Starknet nodes is not usable; the others serve.',
  WRONG_CHAIN: 'The node serves another chain than the profile’s.',
  CHAIN_WITHOUT_OUR_CONTRACTS:
    'The chain has the right id and none of the contracts of the profile.',
  CLOCK_WRONG:
    'The machine’s clock differs from the store’s or the nodes’; `details.aheadMs` is by how much. With `details.causes` nothing is sent because of it.',
  LEDGER_TIME_WRONG:
    'Times in the ledger differ from the machine’s clock, with which the newest block agrees; `details.aheadMs` is by how much.',
  HEAD_TOO_OLD:
    'The node’s newest block is older than HEAD_MAX_AGE_MS, or no newer block came within that time. With `details.orElse` the cause may be the machine’s clock.',
  PRICES_UNAVAILABLE:
    'No usable price of the token in which the pool’s fees are paid; `details` has each source.',
  PRICE_SOURCE_DOWN:
    'One of several price sources has no usable price; `details` has which and the cause.',
  PARTNER_KEY_REJECTED:
    'A partner answers 401 or 403: the key in the settings is wrong, missing or has expired. `details.partners` has which.',
  LEDGER_NOT_READ: 'The ledger has not been read since the start.',
  LEDGER_NOT_JUDGED:
    'The ledger has not been compared with its chain since the start; `details.why` is the reason.',
  LEDGER_OF_ANOTHER_CHAIN: 'The ledger holds transactions of another chain.',
  LEDGER_BEHIND_CHAIN:
    'The chain has transactions of the accounts that the ledger lacks, or the ledger may be a copy: then `details.why` is `MAY_BE_COPY`.',
  LANES_RESTING: 'No account relays; `details.because` is why the first one rests.',
  LANES_PAUSED: 'The accounts are paused until an operator resumes one.',
  LANES_SHORT_OF_FUNDS: 'No account has the STRK that a withdrawal may cost.',
  LANES_QUARANTINED:
    'The accounts wait until the transactions that they may have in flight have ended.',
  LANES_RETIRING: 'The accounts accept no new work because the settings retire them.',
  LANES_HELD_ELSEWHERE: 'Another process holds the accounts, and does not share this ledger.',
  LANES_NOT_LOOKED_AT: 'No account has been compared with the chain yet.',
  SIGNER_UNAVAILABLE:
    'The signer that holds the accounts’ keys does not answer as it should; `details.cause` is the code.',
  SIGNER_REFUSED:
    'The signer that holds the accounts’ keys refused the last transaction; `details.because` is its code.',
  VERIFIER_UNAVAILABLE:
    'The threads that verify proofs do not answer; `details.cause` is the code.',
  VERIFIER_UNSOUND: 'The verifier accepts an invalid proof.',
  VERIFIER_NOT_DEPLOYED: 'A verifier of the profile is not on the chain.',
  VERIFIER_CLASS_UNEXPECTED: 'A verifier has another class than the profile names.',
  VERIFIER_CLASS_NOT_OF_KEY:
    'A verifier’s class was not generated from the verification key in use.',
  VERIFIERS_NOT_LOOKED_AT: 'The verifiers’ classes have not been read yet.',
  GUARD_NOT_DEPLOYED: 'No contract is at the address of the profile’s guard, so it is not used.',
  GUARD_CLASS_UNEXPECTED:
    'The profile’s guard has another class than the pinned one, so it is not used.',
  POOL_WITHOUT_CONTRACT: 'No contract is deployed at the pool’s address.',
  POOL_NOT_READABLE: 'The pool does not answer its views; `details.cause` is the code.',
  POOL_PAUSED: 'The pool is paused; `details.cause` is the cause of the pause.',
  BUDGET_EXHAUSTED:
    'The gas that may be spent within an hour is used up; `details.scope` names the budget.',
  QUEUE_FULL: 'As many submissions wait for a relay account as may.',
  WORK_DOES_NOT_MOVE: 'Submissions are in flight for too long, and none has ended in that time.',
  TIMED_OUT: 'The check of the component did not end in time; its previous result remains.',
  LOOK_FAILED: 'The check of the component ended with an unexpected error; the log has it.',
} as const satisfies Readonly<Record<string, string>>;

export type ReasonCode = keyof typeof REASONS;

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[];
