import { codesOf, type ErrorCode } from './catalogue.js';
import {
  AGGREGATOR_ERRORS,
  BRIDGE_PROTOCOL_ERRORS,
  LEDGER_ERRORS,
  NODE_ERRORS,
  SIGNER_ERRORS,
  VERIFIER_ERRORS,
} from './ports.js';

const STORE = codesOf(LEDGER_ERRORS);
const VERIFIER = codesOf(VERIFIER_ERRORS);
const NODE = codesOf(NODE_ERRORS);
const SIGNER = codesOf(SIGNER_ERRORS);
const AGGREGATOR = codesOf(AGGREGATOR_ERRORS);
const BRIDGE = codesOf(BRIDGE_PROTOCOL_ERRORS);

/** Codes of the checks that limit the cost of a pool: circuit breaker and budget. */
const GUARD = ['POOL_PAUSED', 'BUDGET_EXHAUSTED'] as const;

/**
 * Codes of a full queue, of an unavailable store or node, and of accepted submissions that never
 * land.
 */
const SUBMISSION = [
  'QUEUE_FULL',
  'LEDGER_BEHIND_CHAIN',
  'SUBMISSION_REFUSED',
  'SUBMISSION_EXPIRED',
  ...STORE,
  ...NODE,
] as const;

/** Codes of errors with the webhook endpoint that a request names. */
const WEBHOOK = ['WEBHOOK_UNKNOWN', 'WEBHOOK_QUEUE_FULL', 'WEBHOOK_LIST_FULL'] as const;

/** Codes of the checks of a proof, for any operation. */
const PROOF = [
  'POOL_NOT_SUPPORTED',
  'PROOF_LAYOUT_INVALID',
  'PUBLIC_INPUT_OUT_OF_RANGE',
  'RELAYER_MISMATCH',
  ...GUARD,
  'CALLER_BUDGET_EXHAUSTED',
  'WITHDRAWAL_UNPROFITABLE',
  'FEE_TOO_LOW',
  'COST_EXCEEDS_QUOTE',
  'FEE_ABOVE_POOL_MAXIMUM',
  'BATCH_OUT_OF_BOUNDS',
  'ROOT_UNKNOWN',
  'NULLIFIER_SPENT',
  'WITHDRAWAL_IN_PROGRESS',
  'PROOF_INVALID',
  'SIMULATION_REVERTED',
  'PRICE_UNAVAILABLE',
  ...VERIFIER,
  ...SUBMISSION,
] as const;

/** Codes of the checks of the quote that a proof cites. */
const CITATION = ['QUOTE_UNKNOWN', 'QUOTE_EXPIRED', 'QUOTE_USED', 'QUOTE_MISMATCH'] as const;

/** Codes of a request whose fee cannot be estimated. */
const ESTIMATED = [
  'POOL_NOT_SUPPORTED',
  'POOL_NOT_SWAPPABLE',
  'LEAF_INDEX_REQUIRED',
  'LEAF_INDEX_NOT_APPLICABLE',
  'LEAF_UNKNOWN',
  'OUTPUT_TOKEN_NOT_SUPPORTED',
  'PRIVATE_SWAP_DISABLED',
  'RECIPIENT_GAS_NOT_OFFERED',
] as const;

/**
 * Error codes of each route. These are the codes of its use case and the codes of the other
 * functions that its handler calls. Each use case declares its codes as `throws`, so that readers
 * find them at the class.
 */
export const CODES_OF = {
  submission: ['SUBMISSION_NOT_FOUND', ...STORE],
  lookUp: [
    'POOL_NOT_SUPPORTED',
    'PROOF_LAYOUT_INVALID',
    'PUBLIC_INPUT_OUT_OF_RANGE',
    'PROOF_INVALID',
    'WITHDRAWAL_NOT_FOUND',
    ...VERIFIER,
    ...STORE,
  ],
  /** There are no other codes, because a value that cannot be read is null in the reply. */
  status: SIGNER,
  pools: [],
  poolStatus: ['POOL_NOT_SUPPORTED', 'POOL_WITHOUT_DENOMINATION', ...NODE],
  feeEstimate: [...ESTIMATED, 'PRICE_UNAVAILABLE', ...NODE],
  quote: [
    'TOO_MANY_QUOTES',
    ...ESTIMATED,
    'PRICE_UNAVAILABLE',
    'WITHDRAWAL_UNPROFITABLE',
    ...GUARD,
    ...STORE,
    ...NODE,
    ...SIGNER,
  ],
  withdraw: [
    'LEAF_INDEX_NOT_APPLICABLE',
    'LEAF_INDEX_MISMATCH',
    'LEAF_UNKNOWN',
    'OUTPUT_TOKEN_NOT_SUPPORTED',
    'RECIPIENT_INVALID',
    'RECIPIENT_GAS_NOT_OFFERED',
    'RECIPIENT_GAS_UNAVAILABLE',
    ...CITATION,
    ...PROOF,
    ...WEBHOOK,
  ],
  deposit: [
    ...WEBHOOK,
    'POOL_NOT_SUPPORTED',
    'POOL_WITHOUT_DENOMINATION',
    'COMMITMENT_INVALID',
    'DEPOSIT_EXPIRED',
    'DEPOSIT_EXPIRY_TOO_FAR',
    'DEPOSIT_EXISTS',
    'DEPOSIT_IN_PROGRESS',
    'POOL_NEARLY_FULL',
    'DEPOSITOR_NOT_DEPLOYED',
    'DEPOSIT_BALANCE_TOO_LOW',
    'DEPOSIT_ALLOWANCE_TOO_LOW',
    'DEPOSIT_SIGNATURE_INVALID',
    'DEPOSIT_SIGNATURE_UNCHECKED',
    'DEPOSITOR_TOO_SLOW',
    'DEPOSITS_RATIONED',
    'DEPOSIT_QUEUED',
    ...GUARD,
    'SIMULATION_REVERTED',
    ...SUBMISSION,
  ],
  deployBatch: [
    ...WEBHOOK,
    'POOL_NOT_SUPPORTED',
    'POOL_WITHOUT_DENOMINATION',
    'BATCH_COUNT_INVALID',
    'PARTIAL_BATCH_RESERVED',
    'BATCH_TOO_LARGE',
    'BATCH_TOO_YOUNG',
    'BATCH_SPLITS_CROWD',
    'DEPLOYMENT_IN_PROGRESS',
    ...GUARD,
    'SIMULATION_REVERTED',
    ...SUBMISSION,
  ],
  privateSwap: [
    'PRIVATE_SWAP_DISABLED',
    ...WEBHOOK,
    ...CITATION,
    'POOL_NOT_SWAPPABLE',
    'SLIPPAGE_OUT_OF_RANGE',
    'COMMITMENT_INVALID',
    'COMMITMENT_EXISTS',
    'COMMITMENT_IN_PROGRESS',
    'SWAP_PINNED',
    'SWAP_PINS_INCOMPLETE',
    'STRICTER_THAN_IN_FLIGHT',
    'OUTPUT_TOKEN_NOT_SUPPORTED',
    'RECIPIENT_NOT_SWAP_POOL',
    'NOTE_SWAPS_SUSPENDED',
    ...PROOF,
    'NO_QUOTES_AVAILABLE',
    'QUOTE_EXPIRED_AT_AGGREGATOR',
    'SLIPPAGE_TOO_TIGHT',
    'PRICE_IMPACT_TOO_HIGH',
    'MINIMUM_NOT_MET',
    'SWAP_BELOW_FLOOR',
    'SWAP_BUILD_REJECTED',
    'SWAP_ROUTE_TOO_LONG',
    ...AGGREGATOR,
  ],
  swapQuote: [
    'PRIVATE_SWAP_DISABLED',
    'SLIPPAGE_OUT_OF_RANGE',
    'FEE_ABOVE_POOL_MAXIMUM',
    'POOL_NOT_SUPPORTED',
    'POOL_NOT_SWAPPABLE',
    'OUTPUT_TOKEN_NOT_SUPPORTED',
    'PRICE_UNAVAILABLE',
    ...NODE,
    'NO_QUOTES_AVAILABLE',
    'SLIPPAGE_TOO_TIGHT',
    'PRICE_IMPACT_TOO_HIGH',
    'OVERLOADED',
    ...AGGREGATOR,
  ],
  poolControl: ['POOL_NOT_SUPPORTED', ...STORE],
  laneControl: ['LANE_NOT_FOUND', ...STORE],
  operatorStatus: STORE,
  operatedSubmissions: ['POOL_NOT_SUPPORTED', ...STORE],
  operatedSubmission: ['SUBMISSION_NOT_FOUND', ...STORE],
  retrySubmission: ['SUBMISSION_NOT_FOUND', 'SUBMISSION_ENDED', ...STORE],
  cancelSubmission: [
    'SUBMISSION_NOT_FOUND',
    'SUBMISSION_ENDED',
    'SUBMISSION_SIGNED',
    'LEDGER_BEHIND_CHAIN',
    ...STORE,
  ],
  auditLog: STORE,
  operatorSeries: STORE,
  operatorEvents: ['TOO_MANY_STREAMS'],
  keeperStatus: STORE,
  keeperMayer: ['TASK_DISABLED', 'NODE_BEHIND', ...STORE, ...NODE],
  keeperOrders: ['TASK_DISABLED', 'NODE_BEHIND', ...STORE, ...NODE],
  taskControl: ['TASK_NOT_FOUND', ...STORE],
  leverage: [
    'TASK_DISABLED',
    'VAULT_NOT_FOUND',
    'LEVERAGE_TARGET_INVALID',
    'LEVERAGE_UNREACHABLE',
    ...STORE,
    ...NODE,
  ],
  staking: ['STAKING_DATA_UNAVAILABLE'],
  /** There are no codes, because a value that cannot be read is null in the reply. */
  vaults: [],
  curator: [
    'VAULT_NOT_FOUND',
    'NODE_BEHIND',
    'SIMULATION_REVERTED',
    'DEPLOYMENT_REVERTED',
    'DEPLOYMENT_REFUSED',
    'DEPLOYMENT_EXPIRED',
    'DEPLOYMENT_UNDECIDED',
    'QUEUE_FULL',
    'LEDGER_BEHIND_CHAIN',
    'PREVIOUS_ATTEMPT_NOT_FINAL',
    ...STORE,
    ...NODE,
  ],
  bridgeStatus: ['BRIDGE_DISABLED', 'TRANSFER_NOT_FOUND', 'OVERLOADED', ...BRIDGE, ...STORE],
  bridgeQuote: [
    'BRIDGE_DISABLED',
    'CHAIN_NOT_SUPPORTED',
    'TOKEN_NOT_SUPPORTED',
    'ROUTE_NOT_SUPPORTED',
    'AMOUNT_INVALID',
    'BRIDGE_RECIPIENT_INVALID',
    'BRIDGE_RECIPIENT_UNSPENDABLE',
    'REFUND_ADDRESS_INVALID',
    'NO_BRIDGE_ROUTE',
    'AMOUNT_TOO_LOW',
    'BRIDGE_QUOTE_UNUSABLE',
    'OVERLOADED',
    ...BRIDGE,
    ...STORE,
  ],
  bridgeRoutes: ['BRIDGE_DISABLED'],
} as const satisfies Readonly<Record<string, readonly ErrorCode[]>>;
