import type { Overlay, StateReader } from './state.js';
import type { BoundsMapping, InvokeFields } from './transaction.js';

/** Prices of a block, in fri per unit of gas. */
export interface GasPrices {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** Gas used by a transaction. */
export interface GasUsed {
  readonly l1Gas: bigint;
  readonly l1DataGas: bigint;
  readonly l2Gas: bigint;
}

/** L2 gas per felt of calldata. */
const CALLDATA_FELT_L2_GAS = 5120n;

/** L2 gas that the network charges for a proof. Source: starknet-devnet 0.8.1. */
const PROOF_L2_GAS = 75_000_000n;

/** L2 gas per proof fact. Source: starknet-devnet 0.8.1. */
const PROOF_FACT_L2_GAS = 5120n;

/** Modelled L2 gas that every transaction uses: validation, nonce and fee transfer. */
const TRANSACTION_L2_GAS = 300_000n;

/** L1 data gas of the three slots that every transaction changes: the nonce and two balances. */
const TRANSACTION_L1_DATA_GAS = 128n;

/** L1 data gas of one changed storage slot: its key and its value. */
const SLOT_L1_DATA_GAS = 64n;

/**
 * Returns the L2 gas that a transaction uses before its first call runs. A transaction with proof
 * facts also pays for its proof, even if its calls revert.
 */
export function intrinsicL2Gas({
  calldata,
  proofFacts,
}: Pick<InvokeFields, 'calldata' | 'proofFacts'>): bigint {
  const proof =
    proofFacts.length === 0 ? 0n : PROOF_L2_GAS + PROOF_FACT_L2_GAS * BigInt(proofFacts.length);
  return TRANSACTION_L2_GAS + CALLDATA_FELT_L2_GAS * BigInt(calldata.length) + proof;
}

/** Returns the L1 data gas of a transaction that changes this many slots. */
export function dataGasOf(changedSlots: number): bigint {
  return TRANSACTION_L1_DATA_GAS + SLOT_L1_DATA_GAS * BigInt(changedSlots);
}

/** Returns the fee in fri: the gas at the block's prices, plus the tip for every unit of L2 gas. */
export function feeOf(used: GasUsed, prices: GasPrices, tip: bigint): bigint {
  return (
    used.l1Gas * prices.l1Gas +
    used.l1DataGas * prices.l1DataGas +
    used.l2Gas * (prices.l2Gas + tip)
  );
}

/**
 * Returns true if each maximum price of the sender is at least the block's price for the resource.
 */
export function coversPrices(bounds: BoundsMapping, prices: GasPrices): boolean {
  return (
    bounds.l1Gas.maxPricePerUnit >= prices.l1Gas &&
    bounds.l1DataGas.maxPricePerUnit >= prices.l1DataGas &&
    bounds.l2Gas.maxPricePerUnit >= prices.l2Gas
  );
}

/** Storage key of the total supply in the token model. */
export const TOTAL_SUPPLY_KEY = 'total_supply';

/** Storage key of an owner's balance in the token model. */
export function balanceKey(owner: bigint): string {
  return `balance:${owner.toString(16)}`;
}

export function balanceOf(state: StateReader, token: bigint, owner: bigint): bigint {
  return state.storage(token, balanceKey(owner));
}

/**
 * Transfers `amount` of a token without running the token's model, as the sequencer does for fees.
 */
export function transfer(
  state: Overlay,
  token: bigint,
  from: bigint,
  to: bigint,
  amount: bigint,
): void {
  state.setStorage(token, balanceKey(from), balanceOf(state, token, from) - amount);
  state.setStorage(token, balanceKey(to), balanceOf(state, token, to) + amount);
}
