import type { ErrorEntries } from './entry.js';

/** Errors of pools, fees, withdrawals, batches and swaps. */
export const RELAYER_ERRORS = {
  POOL_NOT_SUPPORTED: {
    kind: 'not_found',
    meaning: 'This relayer does not serve that pool.',
    remedy: 'Use the address of a pool that the relayer lists.',
    retry: 'never',
  },
  POOL_WITHOUT_DENOMINATION: {
    kind: 'unprocessable',
    meaning:
      'The notes of this pool hold different tokens and amounts, so it has no denomination and no batches.',
    remedy: 'Find its figures in the list of pools.',
    retry: 'never',
  },
  POOL_NOT_SWAPPABLE: {
    kind: 'unprocessable',
    meaning: 'Private swaps do not start from this pool: its notes can only be withdrawn.',
    remedy: 'Withdraw the note, or swap one of a pool in `details.allowed`.',
    retry: 'never',
  },
  LEAF_INDEX_REQUIRED: {
    kind: 'unprocessable',
    meaning:
      'The notes of the swap pool hold different tokens and amounts, so the fee depends on the leaf.',
    remedy: 'Name the leaf in `leafIndex`: the reply to the private swap contains it.',
    retry: 'never',
  },
  LEAF_INDEX_NOT_APPLICABLE: {
    kind: 'unprocessable',
    meaning: 'A leaf index is accepted only for withdrawals from the swap pool.',
    remedy: 'Leave `leafIndex` out, or name the swap pool.',
    retry: 'never',
  },
  LEAF_INDEX_MISMATCH: {
    kind: 'unprocessable',
    meaning: 'The request names another leaf than the one that its proof spends.',
    remedy:
      'Leave `leafIndex` out, or send the proof of that leaf: its batch starts there and has the size 1.',
    retry: 'never',
  },
  LEAF_UNKNOWN: {
    kind: 'unprocessable',
    meaning: 'The swap pool has no note in that leaf.',
    remedy: 'Use the leaf index from the reply to the private swap, once the swap is accepted.',
    retry: 'later',
  },
  PRIVATE_ACTIONS_UNREADABLE: {
    kind: 'invalid',
    meaning: 'The calldata is not that of `apply_actions`.',
    remedy:
      'Send the call as the client built it; `details.at` is the position of the first wrong felt, and `details.reason` the problem.',
    retry: 'never',
  },
  PROOF_FACTS_UNREADABLE: {
    kind: 'invalid',
    meaning: 'The proof facts are not those of a proven virtual execution.',
    remedy: 'Send the facts as the prover returned them.',
    retry: 'never',
  },
  PROOF_FACTS_MISMATCH: {
    kind: 'unprocessable',
    meaning: 'The proof is for other actions, another pool or another class of the pool.',
    remedy: 'Prove the actions again and send both as they are.',
    retry: 'new-proof',
  },
  PROOF_OF_ANOTHER_NETWORK: {
    kind: 'unprocessable',
    meaning: 'The proof is for another network; `details.field` is the fact that differs.',
    remedy: 'Prove the actions against a node of this network.',
    retry: 'new-proof',
    details: { field: 'text' },
  },
  PROOF_TOO_YOUNG: {
    kind: 'conflict',
    meaning: 'The network does not accept the proof’s base block yet.',
    remedy: 'Send the same request again after the block `details.acceptedFromBlock`.',
    retry: 'later',
    details: { acceptedFromBlock: 'number' },
  },
  PROOF_EXPIRED: {
    kind: 'unprocessable',
    meaning:
      'The pool would not accept the proof in time: its last block is too near, or has passed.',
    remedy: 'Prove the actions again against a newer block.',
    retry: 'new-proof',
    details: { lastBlock: 'number' },
  },
  PROOF_BASE_BLOCK_UNKNOWN: {
    kind: 'unprocessable',
    meaning: 'The proof’s base block is not a block of the chain, for example after a rollback.',
    remedy: 'Prove the actions again against a newer block.',
    retry: 'new-proof',
  },
  PRIVATE_ACTIONS_TOO_LARGE: {
    kind: 'unprocessable',
    meaning: 'The actions, the facts or the proof exceed a limit of this relayer.',
    remedy: '`details.field` is the part, `details.maximum` its limit. Split the actions.',
    retry: 'never',
    details: { field: 'text', maximum: 'number' },
  },
  POOL_VERSION_MISMATCH: {
    kind: 'unprocessable',
    meaning: 'The call is for another version of the pool’s class.',
    remedy:
      'Build the call for the version `details.version`: only calls of 2.0 have a screening argument.',
    retry: 'never',
    details: { version: 'text' },
  },
  PRIVACY_POOL_PAUSED: {
    kind: 'unavailable',
    meaning: 'The owner of the privacy pool has paused it; nothing was sent.',
    remedy: 'Try again later.',
    retry: 'same',
    tellsWhen: true,
  },
  POOL_FEE_TOO_HIGH: {
    kind: 'unavailable',
    meaning:
      'The privacy pool charges more for each transaction than this relayer pays; nothing was sent.',
    remedy: 'Use another relayer, or try again later. `details.maximum` is the limit in fri.',
    retry: 'later',
    details: { fee: 'text', maximum: 'text' },
  },
  PROOF_MISSING: {
    kind: 'unprocessable',
    meaning: 'The request has no proof, and this network requires one.',
    remedy: 'Send the proof together with its facts.',
    retry: 'never',
  },
  PRIVATE_ACTIONS_APPLIED: {
    kind: 'conflict',
    meaning: 'The pool has applied these actions already, or others that spend the same notes.',
    remedy:
      'Read the notes again. `details.transactionHash`, if present, is the transaction that applied the actions.',
    retry: 'never',
    details: { transactionHash: 'text?' },
  },
  PRIVATE_ACTIONS_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'Other actions that spend the same notes are in flight.',
    remedy: 'Wait for their end, then read the notes again.',
    retry: 'later',
    tellsWhen: true,
  },
  PRIVATE_ACTION_FEE_MISSING: {
    kind: 'unprocessable',
    meaning: 'No action pays a served token to the relayer’s fee address.',
    remedy:
      'Add a withdrawal of the fee to `details.recipient` in a token that is served, as the built transaction names it.',
    retry: 'new-proof',
    details: { recipient: 'text' },
  },
  FEE_TOKEN_NOT_SERVED: {
    kind: 'unprocessable',
    meaning: 'The fee can’t be paid in this token.',
    remedy: 'Choose one of the supported tokens.',
    retry: 'new-proof',
  },
  INVOKED_CONTRACT_NOT_ALLOWED: {
    kind: 'unprocessable',
    meaning: 'The actions invoke a contract that this relayer does not allow.',
    remedy: '`details.contract` is the contract. Use one that the operator allows.',
    retry: 'never',
    details: { contract: 'text' },
  },
  DEPOSITOR_NOT_ALLOWED: {
    kind: 'unprocessable',
    meaning: 'The actions deposit tokens of an account or a contract of this relayer.',
    remedy: '`details.depositor` is the account. Deposit tokens of a user.',
    retry: 'never',
    details: { depositor: 'text' },
  },
  OUTSIDE_EXECUTION_INVALID: {
    kind: 'unprocessable',
    meaning: 'The call of the user’s account can’t be executed by this relayer in time.',
    remedy:
      '`details.reason` is the problem: CALLER (must be ANY_CALLER), ACCOUNT (no user’s account), NO_CALLS, NOT_YET or EXPIRES (its time does not fit). Sign the call again.',
    retry: 'never',
    details: { reason: 'text' },
  },
  SPONSOR_UNKNOWN: {
    kind: 'forbidden',
    meaning: 'A sponsored action needs the key of a sponsor, and the key is missing or unknown.',
    remedy: 'Send a valid key in `x-paymaster-api-key`, or let the user pay the fee.',
    retry: 'never',
  },
  SPONSOR_BUDGET_EXHAUSTED: {
    kind: 'rate_limited',
    meaning:
      'The sponsor’s budget of this day is used up, or the part of it that the caller’s network may use.',
    remedy: 'Try again after `Retry-After`, or let the user pay the fee.',
    retry: 'same',
    tellsWhen: true,
  },
  PROOF_LAYOUT_INVALID: {
    kind: 'invalid',
    meaning: 'The calldata is not laid out as a Groth16 withdrawal proof.',
    remedy:
      'Send the output of the proof calldata generator unchanged; `details.index` is the position of the first error.',
    retry: 'never',
  },
  PUBLIC_INPUT_OUT_OF_RANGE: {
    kind: 'invalid',
    meaning: 'The proof does not have seven public inputs, each within its range.',
    remedy:
      'Make the proof with the withdrawal circuit; `details.input` names the input that is wrong.',
    retry: 'new-proof',
  },
  RELAYER_MISMATCH: {
    kind: 'unprocessable',
    meaning: 'The proof names another relayer, which would earn the fee of this withdrawal.',
    remedy: 'Make the proof again with the relayer address in `details.expected`.',
    retry: 'new-proof',
    details: { expected: 'text' },
  },
  RECIPIENT_INVALID: {
    kind: 'unprocessable',
    meaning:
      'A payment to the recipient of the withdrawal cannot be spent: it is zero, a contract of the service or of a token, or a value below 2^160, such as an Ethereum address.',
    remedy:
      'Make the proof again with the address of your Starknet account; `details.reason` is the cause. Send a proof that pays the swap pool as a private swap.',
    retry: 'new-proof',
  },
  WITHDRAWAL_UNPROFITABLE: {
    kind: 'unavailable',
    meaning: 'At present prices a withdrawal costs more than the highest fee that the pool allows.',
    remedy: 'Try again when gas is cheaper, or send the transaction from your own account.',
    retry: 'same',
    tellsWhen: true,
    details: { cost: 'text', maximum: 'text' },
  },
  FEE_TOO_LOW: {
    kind: 'unprocessable',
    meaning:
      'The fee in the proof does not cover the present cost of the withdrawal, or is below the quote that it cites.',
    remedy: 'Request a fee estimate or a quote and make the proof again with that fee.',
    retry: 'new-quote',
    details: { offered: 'text', required: 'text' },
  },
  COST_EXCEEDS_QUOTE: {
    kind: 'unprocessable',
    meaning:
      'The simulated transaction costs more than twice the cost that the quote assumed, at present gas prices; or a private swap has become more than twice as dear since its admission. Nothing was sent. If the request was not accepted, its quote is unused.',
    remedy:
      'Repeat the request while the quote is valid: a private swap may find a shorter route. A note whose swap was simulated stays pinned; it can be withdrawn plainly, with a new proof.',
    retry: 'later',
    details: { cost: 'text', assumed: 'text' },
  },
  FEE_ABOVE_POOL_MAXIMUM: {
    kind: 'unprocessable',
    meaning: 'The fee in the proof is above the maximum that the pool allows.',
    remedy: 'Request a fee estimate of this pool and make the proof again with that fee.',
    retry: 'new-quote',
    details: { offered: 'text', maximum: 'text' },
  },
  BATCH_OUT_OF_BOUNDS: {
    kind: 'unprocessable',
    meaning: 'The batch in the proof is empty or contains deposits that are not deployed yet.',
    remedy:
      'Make the proof with the batch that contains your deposit; if that batch is not deployed yet, wait until it is.',
    retry: 'new-proof',
  },
  ROOT_UNKNOWN: {
    kind: 'unprocessable',
    meaning:
      'The pool does not know the Merkle root in the proof, or not any more; or a deposit that waits is about to push it out.',
    remedy: 'Make the proof again on the present tree.',
    retry: 'new-proof',
  },
  NULLIFIER_SPENT: {
    kind: 'conflict',
    meaning: 'The note of this proof has been withdrawn already.',
    remedy:
      'None: each note can be withdrawn once. `details.transactionHash`, if known, is the transaction that withdrew it.',
    retry: 'never',
    details: { transactionHash: 'text?' },
  },
  WITHDRAWAL_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'A withdrawal of the same note with other terms is in flight.',
    remedy:
      'Follow the submission that `Location` names until it has ended; the note may be tried again only if it ends without success.',
    retry: 'later',
    details: { submissionId: 'text?' },
  },
  PROOF_INVALID: {
    kind: 'unprocessable',
    meaning: 'The proof does not hold for its public inputs.',
    remedy: 'Make the proof again with the pool’s circuit and proving key.',
    retry: 'new-proof',
  },
  SIMULATION_REVERTED: {
    kind: 'unprocessable',
    meaning: 'The contract would revert this transaction, so it was not sent.',
    remedy:
      'See `details.reason`: nothing was changed, so the request may be sent again once the reason is gone.',
    retry: 'later',
    details: { reason: 'text' },
  },
  PRICE_UNAVAILABLE: {
    kind: 'unavailable',
    meaning:
      'There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.',
    remedy: 'Try again later with the same proof.',
    retry: 'same',
  },
  SUBMISSION_REFUSED: {
    kind: 'unprocessable',
    meaning: 'The transaction was refused for good; nothing of it is or can be on chain.',
    remedy: 'See `details.refusal`; the same request may be sent again.',
    retry: 'same',
    details: { refusal: 'text' },
  },
  SUBMISSION_EXPIRED: {
    kind: 'unavailable',
    meaning: 'The transaction expired before it was included; nothing of it is or can be on chain.',
    remedy: 'Try again, with the same proof if its root is still known.',
    retry: 'same',
    details: { refusal: 'text' },
  },
  SUBMISSION_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'There is no submission with this id.',
    remedy: 'Use the `Location` of the reply that carried it.',
    retry: 'never',
  },
  WITHDRAWAL_NOT_FOUND: {
    kind: 'not_found',
    meaning: 'This relayer has no submission of the note that the proof spends.',
    remedy: 'Send the proof, if its root is still known, or query the relayer that it was sent to.',
    retry: 'never',
  },
  QUOTE_UNKNOWN: {
    kind: 'unprocessable',
    meaning: 'The withdrawal cites a quote that this relayer does not know.',
    remedy: 'Request a quote and cite its id, or withdraw without one.',
    retry: 'new-quote',
  },
  QUOTE_EXPIRED: {
    kind: 'unprocessable',
    meaning: 'The quote that the withdrawal cites has expired.',
    remedy:
      'Withdraw without it, or request another; the proof remains valid if its fee covers the required fee at that time.',
    retry: 'new-quote',
  },
  QUOTE_USED: {
    kind: 'conflict',
    meaning: 'The quote has served another withdrawal.',
    remedy: 'Request a quote for this withdrawal, or withdraw without one.',
    retry: 'new-quote',
  },
  QUOTE_MISMATCH: {
    kind: 'unprocessable',
    meaning:
      'The quote was given for another pool, note of the swap pool, operation, chain, relayer address or amount of STRK for the recipient.',
    remedy:
      'Cite a quote for the pool of this note and, if it has one, its leaf; a quote for a withdrawal is not valid for a private swap.',
    retry: 'new-quote',
  },
  RECIPIENT_GAS_NOT_OFFERED: {
    kind: 'unprocessable',
    meaning:
      'The service does not give that much STRK to a recipient, or gives none with a private swap.',
    remedy: 'Request at most `details.maximum` fri with a withdrawal; if it is 0, request none.',
    retry: 'never',
    details: { maximum: 'text' },
  },
  RECIPIENT_GAS_UNAVAILABLE: {
    kind: 'unavailable',
    meaning:
      'The hour’s withdrawals with STRK for the recipient are used up, for this network or for all, or the service’s account is short of STRK. Nothing was sent.',
    remedy: 'Withdraw without STRK for the recipient, or repeat the request after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
  TOO_MANY_QUOTES: {
    kind: 'rate_limited',
    meaning: 'As many quotes as may be are given and not used.',
    remedy: 'Use those that you have, withdraw without one, or request one after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
  BATCH_COUNT_INVALID: {
    kind: 'invalid',
    meaning: 'No batch has that many deposits.',
    remedy: 'Use a count that `details.allowed` names.',
    retry: 'never',
  },
  BATCH_TOO_LARGE: {
    kind: 'unprocessable',
    meaning: 'Fewer deposits wait in the pool than the batch would need, so nothing was sent.',
    remedy:
      'Wait until more deposits have been made; `details.undeployed` is the number that wait now.',
    retry: 'later',
    details: { undeployed: 'number' },
  },
  BATCH_TOO_YOUNG: {
    kind: 'unprocessable',
    meaning:
      'A partial batch has to hold every deposit that waits, and each of them must have waited long enough.',
    remedy:
      'Request a batch of all `details.waiting` deposits at `details.readyAt`, or a full batch as soon as enough deposits wait.',
    retry: 'later',
    details: { waiting: 'number', readyAt: 'number' },
  },
  BATCH_SPLITS_CROWD: {
    kind: 'unprocessable',
    meaning:
      'The batch would leave fewer deposits waiting than the smallest full batch has, so nothing was sent.',
    remedy:
      'Request a count of `details.allowed`; if it is empty, wait for more deposits or request a partial batch of all `details.waiting`.',
    retry: 'later',
    details: { waiting: 'number', allowed: 'text' },
  },
  PARTIAL_BATCH_RESERVED: {
    kind: 'forbidden',
    meaning:
      'Only the operator of this service may deploy this batch: it is a single deposit, or a partial batch that the service’s settings reserve for the operator.',
    remedy:
      'Wait until there are enough deposits for a full batch; an operator sends the request with an operator’s token.',
    retry: 'never',
  },
  DEPLOYMENT_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'Another deployment of this pool is in flight.',
    remedy: 'Try again after `Retry-After`: the count is checked again then.',
    retry: 'same',
    tellsWhen: true,
  },
  RECIPIENT_NOT_SWAP_POOL: {
    kind: 'unprocessable',
    meaning:
      'The recipient of the withdrawal is not the swap pool, so there would be nothing to swap.',
    remedy: 'Make the proof again with the recipient in `details.expected`.',
    retry: 'new-proof',
    details: { expected: 'text' },
  },
  OUTPUT_TOKEN_NOT_SUPPORTED: {
    kind: 'unprocessable',
    meaning: 'This relayer does not swap into that token.',
    remedy: 'Use one of the output tokens that the relayer lists.',
    retry: 'never',
  },
  SLIPPAGE_OUT_OF_RANGE: {
    kind: 'invalid',
    meaning:
      'The slippage is not a fraction between the minimum and the maximum that the relayer accepts.',
    remedy:
      'Use a fraction such as 0.01 for 1 %; `details.minimum` and `details.maximum` are the bounds.',
    retry: 'never',
  },
  COMMITMENT_INVALID: {
    kind: 'invalid',
    meaning:
      'The new commitment is not a number above 0 and below the order of the circuit’s field.',
    remedy: 'Make a new note and send its commitment unchanged.',
    retry: 'never',
  },
  COMMITMENT_EXISTS: {
    kind: 'conflict',
    meaning: 'The swap pool has the new commitment already, so the swap was not sent.',
    remedy:
      'The note that was to be swapped is untouched. If no swap of it was tried before, make a new note and send its commitment; otherwise withdraw the note plainly, with a new proof.',
    retry: 'never',
  },
  NO_QUOTES_AVAILABLE: {
    kind: 'unprocessable',
    meaning: 'There is no quote for this swap: no route, or too little liquidity.',
    remedy: 'Try again later or with another output token; the note is untouched.',
    retry: 'later',
  },
  QUOTE_EXPIRED_AT_AGGREGATOR: {
    kind: 'unavailable',
    meaning: 'The aggregator’s quotes expired before the swap could be built.',
    remedy: 'Try again with the same proof; the note is untouched.',
    retry: 'same',
    tellsWhen: true,
  },
  SLIPPAGE_TOO_TIGHT: {
    kind: 'unprocessable',
    meaning: 'The swap would bring less than the slippage allows.',
    remedy:
      'Try again later or with a larger slippage, and the same commitment; the note is untouched. Once a swap of the note was tried, its pinned minimum also applies.',
    retry: 'later',
  },
  PRICE_IMPACT_TOO_HIGH: {
    kind: 'unprocessable',
    meaning:
      'The best quote is too far below the value of the swap at market prices, so nothing was sent.',
    remedy:
      'Try again later or with another output token; the note is untouched. `details` has the fair and the quoted amount.',
    retry: 'later',
  },
  MINIMUM_NOT_MET: {
    kind: 'unprocessable',
    meaning: 'The best quote, less the least slippage, is below the `minAmountOut` of the request.',
    remedy: 'Try again later or with a smaller `minAmountOut`; the note is untouched.',
    retry: 'later',
    details: { minAmountOut: 'text', quotedAmount: 'text' },
  },
  SWAP_BUILD_REJECTED: {
    kind: 'upstream_failed',
    meaning: 'The aggregator built another swap than the requested one, so nothing was signed.',
    remedy: 'Try again later; the note is untouched. `details.reason` names the difference.',
    retry: 'same',
  },
  SWAP_ROUTE_TOO_LONG: {
    kind: 'unprocessable',
    meaning: 'The best route of this swap does not fit into a transaction.',
    remedy: 'Try again later or with another output token; the note is untouched.',
    retry: 'later',
  },
  POOL_PAUSED: {
    kind: 'unavailable',
    meaning: 'The relayer accepts no requests for this pool now.',
    remedy:
      'Try again after `Retry-After` with the same proof, or use another relayer; `details.cause` is the cause of the pause.',
    retry: 'same',
    tellsWhen: true,
    details: { cause: 'text', reason: 'text?' },
  },
  BUDGET_EXHAUSTED: {
    kind: 'unavailable',
    meaning: 'The relayer has spent the gas that it spends within an hour.',
    remedy: 'Try again after `Retry-After` with the same proof, or use another relayer.',
    retry: 'same',
    tellsWhen: true,
  },
  CALLER_BUDGET_EXHAUSTED: {
    kind: 'rate_limited',
    meaning:
      'Transactions that this address or its network requested have reverted at the relayer’s cost, or the network refused their proofs, so the relayer accepts no more of them for now.',
    remedy: 'Try again after `Retry-After` with the same proof, or use another relayer.',
    retry: 'same',
    tellsWhen: true,
  },
  NOTE_SWAPS_SUSPENDED: {
    kind: 'rate_limited',
    meaning:
      'Private swaps of this note have reverted too often within a day. If `details.scope` is `proof`, only proofs that have reverted are refused, because any caller may have repeated them.',
    remedy:
      'If `details.scope` is `proof`, prove the note again with another fee (one unit more is enough). Otherwise withdraw it to an address of yours, which is possible at any time, or swap it after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
    details: { scope: 'text' },
  },
  COMMITMENT_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'The private swap of another note was pinned to this new commitment.',
    remedy:
      'Make a new note and send its commitment, with the same proof: the proof has not been revealed, and nothing is pinned for its note.',
    retry: 'never',
  },
  SWAP_PINNED: {
    kind: 'conflict',
    meaning:
      'The note was pinned to another new commitment or output token when its swap was first tried, and stays so.',
    remedy:
      'Repeat the swap with the pinned commitment and token. If these are not yours, or you no longer want them, withdraw the note plainly, with a new proof that names your own recipient.',
    retry: 'never',
  },
  SWAP_PINS_INCOMPLETE: {
    kind: 'unavailable',
    meaning:
      'The relayer still reads which notes are pinned to a swap, and swaps nothing before it knows.',
    remedy:
      'Try again after `Retry-After` with the same proof; the note is untouched, and withdrawals are still accepted.',
    retry: 'same',
    tellsWhen: true,
  },
  STRICTER_THAN_IN_FLIGHT: {
    kind: 'conflict',
    meaning:
      'A swap of the note is in flight with looser bounds than the request names. It was not changed.',
    remedy:
      'Follow the submission in `details`: `minimum` and `slippage` are in force for it. If it ends without success, send the request again.',
    retry: 'later',
    details: { submissionId: 'text', minimum: 'text?', slippage: 'text?' },
  },
  SWAP_BELOW_FLOOR: {
    kind: 'unprocessable',
    meaning:
      'The best quote, less the least slippage, is below the minimum that the first swap of the note pinned.',
    remedy:
      'Try again when the price is better, or withdraw the note plainly, with a new proof. The pinned minimum applies to every swap of the note, regardless of the requested slippage.',
    retry: 'later',
    details: { offered: 'text', floor: 'text' },
  },
} as const satisfies ErrorEntries;

/** Errors of deposits that the relayer sends. */
export const DEPOSIT_ERRORS = {
  DEPOSIT_EXPIRED: {
    kind: 'unprocessable',
    meaning: 'The depositor’s consent has expired.',
    remedy: 'Sign again with an `expiresAt` that is at most an hour ahead; no funds were moved.',
    retry: 'never',
  },
  DEPOSIT_EXPIRY_TOO_FAR: {
    kind: 'unprocessable',
    meaning: 'The depositor’s consent holds for longer than an hour.',
    remedy: 'Sign again with an `expiresAt` that is at most an hour ahead.',
    retry: 'never',
  },
  DEPOSIT_EXISTS: {
    kind: 'conflict',
    meaning: 'The pool has a deposit with this commitment already.',
    remedy: 'None, if it is yours; otherwise make a new note and sign for its commitment.',
    retry: 'never',
  },
  DEPOSIT_IN_PROGRESS: {
    kind: 'conflict',
    meaning: 'A deposit of another depositor for the same commitment is in flight.',
    remedy: 'Make a new note and sign for its commitment.',
    retry: 'never',
  },
  POOL_NEARLY_FULL: {
    kind: 'unprocessable',
    meaning: 'The pool’s tree is nearly full, and this relayer fills no more of it.',
    remedy: 'Deposit into another pool; notes in this one can be withdrawn as before.',
    retry: 'never',
  },
  DEPOSITOR_NOT_DEPLOYED: {
    kind: 'unprocessable',
    meaning: 'No account is deployed at the depositor’s address, so its consent can’t be checked.',
    remedy:
      'Deploy the account, for example with its first transaction, then send the same request again.',
    retry: 'later',
  },
  DEPOSIT_BALANCE_TOO_LOW: {
    kind: 'unprocessable',
    meaning:
      'The depositor’s balance does not cover this deposit and the depositor’s other deposits in flight.',
    remedy: 'See `details.required`; send the same request again once the balance suffices.',
    retry: 'later',
    details: { required: 'text' },
  },
  DEPOSIT_ALLOWANCE_TOO_LOW: {
    kind: 'unprocessable',
    meaning:
      'The depositor’s allowance for the pool does not cover this deposit and the depositor’s other deposits in flight.',
    remedy: 'Approve the pool for `details.required`, then send the same request again.',
    retry: 'later',
    details: { required: 'text' },
  },
  DEPOSIT_SIGNATURE_INVALID: {
    kind: 'unprocessable',
    meaning: 'The signature is not the depositor’s over this deposit.',
    remedy:
      'Sign the typed data of this pool, token, denomination, commitment and `expiresAt` with the depositor’s account.',
    retry: 'never',
  },
  DEPOSIT_SIGNATURE_UNCHECKED: {
    kind: 'timeout',
    meaning: 'The depositor’s account did not confirm or deny the signature in time.',
    remedy: 'Send the same request again.',
    retry: 'same',
  },
  DEPOSITOR_TOO_SLOW: {
    kind: 'rate_limited',
    meaning:
      'The depositor’s account did not answer in time when its signature was last checked, and is not called again yet.',
    remedy:
      'Send the same request again after `Retry-After`, which doubles each time, or deposit from another account.',
    retry: 'same',
    tellsWhen: true,
  },
  DEPOSITS_RATIONED: {
    kind: 'rate_limited',
    meaning:
      'As many deposits as may begin within an hour have begun, deposits of this depositor or network have reverted at the relayer’s cost, or the caller has sent too many whose signatures failed, or dry runs of too many depositors.',
    remedy:
      'Send the same request again after `Retry-After`, or use another pool if `details.scope` is `pool`.',
    retry: 'same',
    tellsWhen: true,
  },
  DEPOSIT_QUEUED: {
    kind: 'unavailable',
    meaning:
      'The deposit has to wait for a withdrawal in flight, whose root the deposit would push out of the pool.',
    remedy: 'Send the same request again after `Retry-After`.',
    retry: 'same',
    tellsWhen: true,
  },
} as const satisfies ErrorEntries;

/** Errors of sending any transaction. */
export const SUBMISSION_ERRORS = {
  WEBHOOK_UNKNOWN: {
    kind: 'invalid',
    meaning: 'This relayer has no endpoint of the name in `Sotto-Notify` for submissions.',
    remedy:
      'Nothing was submitted. Send the request without the header, or with a name that the operator has given you.',
    retry: 'never',
  },
  WEBHOOK_QUEUE_FULL: {
    kind: 'unavailable',
    meaning: 'As many notifications of the endpoint in `Sotto-Notify` wait as may.',
    remedy:
      'Nothing was submitted. Send the request without the header, or again after the time in Retry-After.',
    retry: 'same',
    tellsWhen: true,
  },
  WEBHOOK_LIST_FULL: {
    kind: 'conflict',
    meaning: 'The submission notifies two other endpoints already. The submission continues.',
    remedy: 'Send the same request without `Sotto-Notify` to get its result.',
    retry: 'never',
  },
  QUEUE_FULL: {
    kind: 'unavailable',
    meaning:
      'The number of submissions that wait for a lane has reached its limit, in all or for the network of the caller.',
    remedy: 'Nothing was accepted. Send the same request again after the time in Retry-After.',
    retry: 'same',
    tellsWhen: true,
  },
  LEDGER_BEHIND_CHAIN: {
    kind: 'unavailable',
    meaning:
      'The ledger was restored or replaced, and the transactions that it had sent before are being read from the chain. Nothing new is sent until that is done.',
    remedy:
      'Nothing was accepted. Send the same request again after the time in Retry-After; outcomes of submissions in flight are returned as they are found.',
    retry: 'same',
    tellsWhen: true,
  },
  PREVIOUS_ATTEMPT_NOT_FINAL: {
    kind: 'unavailable',
    meaning:
      'The last attempt of this call has ended at ACCEPTED_ON_L2, and a second one must wait until its block is final.',
    remedy:
      'Nothing was accepted. Send the request again when the block of the last attempt is at ACCEPTED_ON_L1.',
    retry: 'same',
    tellsWhen: true,
  },
} as const satisfies ErrorEntries;
