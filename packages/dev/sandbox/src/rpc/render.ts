import type { BlockStatus, Inclusion } from '../engine/block.js';
import { SEQUENCER_ADDRESS, type ExecutionResult } from '../engine/execute.js';
import type { GasPrices, GasUsed } from '../engine/fee.js';
import { toHex } from '../engine/felt.js';
import type { InvokeTransaction, ResourceBounds } from '../engine/transaction.js';
import type { BlockView } from '../engine/view.js';
import type { JsonObject } from '../json.js';

/** Functions that render engine values in the specification's format. */

/** Number of fri per wei, a modelled exchange rate. */
const FRI_PER_WEI = 10_000n;

const STARKNET_VERSION = '0.14.2';

/** Value of commitments and roots. The sandbox has no tries, so it does not compute real values. */
const NOT_COMPUTED = '0x0';

/** Flag of a request that adds a member to its reply. */
export type ResponseFlag = 'INCLUDE_PROOF_FACTS';

/** Renders an INVOKE v3 transaction without its hash. A reply never contains the proof. */
export function renderTransaction(
  { fields }: InvokeTransaction,
  flags: readonly ResponseFlag[],
): JsonObject {
  return {
    type: 'INVOKE',
    version: fields.version,
    sender_address: toHex(fields.sender),
    calldata: fields.calldata.map(toHex),
    signature: fields.signature.map(toHex),
    nonce: toHex(fields.nonce),
    resource_bounds: {
      l1_gas: renderBounds(fields.bounds.l1Gas),
      l1_data_gas: renderBounds(fields.bounds.l1DataGas),
      l2_gas: renderBounds(fields.bounds.l2Gas),
    },
    tip: toHex(fields.tip),
    paymaster_data: fields.paymasterData.map(toHex),
    account_deployment_data: fields.accountDeploymentData.map(toHex),
    nonce_data_availability_mode: fields.nonceDataAvailabilityMode,
    fee_data_availability_mode: fields.feeDataAvailabilityMode,
    ...(flags.includes('INCLUDE_PROOF_FACTS') && { proof_facts: fields.proofFacts.map(toHex) }),
  };
}

/** Renders an INVOKE v3 transaction with its hash. */
export function renderTransactionWithHash(
  transaction: InvokeTransaction,
  flags: readonly ResponseFlag[],
): JsonObject {
  return { transaction_hash: toHex(transaction.hash), ...renderTransaction(transaction, flags) };
}

/** Renders a receipt without block information. */
export function renderReceipt(
  { transaction, revertReason, feeFri, used, events }: Inclusion,
  finality: BlockStatus,
): JsonObject {
  return {
    type: 'INVOKE',
    transaction_hash: toHex(transaction.hash),
    actual_fee: { amount: toHex(feeFri), unit: 'FRI' },
    finality_status: finality,
    messages_sent: [],
    events: events.map(({ from, keys, data }) => ({
      from_address: toHex(from),
      keys: keys.map(toHex),
      data: data.map(toHex),
    })),
    execution_resources: {
      l1_gas: Number(used.l1Gas),
      l1_data_gas: Number(used.l1DataGas),
      l2_gas: Number(used.l2Gas),
    },
    ...(revertReason === undefined
      ? { execution_status: 'SUCCEEDED' }
      : { execution_status: 'REVERTED', revert_reason: revertReason }),
  };
}

/**
 * Renders a receipt with its block. @param block block of the receipt; the hash is undefined while
 * the block is pre-confirmed
 */
export function renderIncluded(
  inclusion: Inclusion,
  finality: BlockStatus,
  block: { readonly number: number; readonly hash: bigint | undefined },
): JsonObject {
  return {
    ...renderReceipt(inclusion, finality),
    ...(block.hash !== undefined && { block_hash: toHex(block.hash) }),
    block_number: block.number,
  };
}

/**
 * Renders the header of a block. A pre-confirmed block has only the fields that are known before
 * the block is closed.
 */
export function renderHeader({
  header,
  status,
  hash,
  parentHash,
  inclusions,
}: BlockView): JsonObject {
  const common = {
    block_number: header.number,
    timestamp: header.timestampSeconds,
    sequencer_address: toHex(SEQUENCER_ADDRESS),
    l1_gas_price: renderPrice(header.prices.l1Gas),
    l1_data_gas_price: renderPrice(header.prices.l1DataGas),
    l2_gas_price: renderPrice(header.prices.l2Gas),
    l1_da_mode: 'BLOB',
    starknet_version: STARKNET_VERSION,
  };
  if (hash === undefined) return common;
  return {
    ...common,
    status,
    block_hash: toHex(hash),
    parent_hash: toHex(parentHash),
    new_root: NOT_COMPUTED,
    event_commitment: NOT_COMPUTED,
    transaction_commitment: NOT_COMPUTED,
    receipt_commitment: NOT_COMPUTED,
    state_diff_commitment: NOT_COMPUTED,
    event_count: inclusions.reduce((count, { events }) => count + events.length, 0),
    transaction_count: inclusions.length,
    state_diff_length: 0,
  };
}

/** Renders the estimated cost of an execution at the given prices. */
export function renderFeeEstimate(used: GasUsed, prices: GasPrices, fee: bigint): JsonObject {
  return {
    l1_gas_consumed: toHex(used.l1Gas),
    l1_gas_price: toHex(prices.l1Gas),
    l2_gas_consumed: toHex(used.l2Gas),
    l2_gas_price: toHex(prices.l2Gas),
    l1_data_gas_consumed: toHex(used.l1DataGas),
    l1_data_gas_price: toHex(prices.l1DataGas),
    overall_fee: toHex(fee),
    unit: 'FRI',
  };
}

/** Renders the gas of a whole transaction for a trace. */
export function renderResources({ used }: ExecutionResult): JsonObject {
  return {
    l1_gas: Number(used.l1Gas),
    l1_data_gas: Number(used.l1DataGas),
    l2_gas: Number(used.l2Gas),
  };
}

function renderBounds({ maxAmount, maxPricePerUnit }: ResourceBounds): JsonObject {
  return { max_amount: toHex(maxAmount), max_price_per_unit: toHex(maxPricePerUnit) };
}

function renderPrice(fri: bigint): JsonObject {
  return { price_in_fri: toHex(fri), price_in_wei: toHex(fri / FRI_PER_WEI) };
}
