import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { balanceKey } from '../engine/fee.js';
import { selectorOf } from '../engine/felt.js';
import {
  Arguments,
  modelClassHash,
  noArguments,
  shortStringFelt,
  u256Felts,
  u256Result,
} from './calldata.js';
import type { ContractStorage } from './storage.js';

export interface Erc20Options {
  /**
   * Name with at most 31 ASCII characters. The contract returns name and symbol as short strings.
   */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Allowance that transfers do not reduce, as in OpenZeppelin's ERC-20 token. */
export const UNLIMITED_ALLOWANCE = 2n ** 256n - 1n;

/** L2 gas of an entry point that changes a token's state: the price of a few storage slots. */
const WRITE_L2_GAS = 100_000n;
const READ_L2_GAS = 20_000n;
const TOTAL_SUPPLY = 'total_supply';
const TRANSFER = selectorOf('Transfer');
const APPROVAL = selectorOf('Approval');

/**
 * Returns the storage key of an allowance: the amount of `owner`'s tokens that `spender` may
 * transfer. The value is the whole u256.
 */
export function allowanceKey(owner: bigint, spender: bigint): string {
  return `allowance:${owner.toString(16)}:${spender.toString(16)}`;
}

/**
 * Mints tokens and increases the total supply. Only genesis and the control interface can mint,
 * because no entry point does.
 */
export function mintTokens(storage: ContractStorage, to: bigint, amount: bigint): void {
  storage.set(balanceKey(to), storage.get(balanceKey(to)) + amount);
  storage.set(TOTAL_SUPPLY, storage.get(TOTAL_SUPPLY) + amount);
}

/** Returns a token balance, read through a contract call. */
export function tokenBalance(context: CallContext, token: bigint, owner: bigint): bigint {
  return u256Result(context.call(token, 'balanceOf', [owner]));
}

/** Returns an allowance, read through a contract call. */
export function allowanceOf(
  context: CallContext,
  token: bigint,
  { owner, spender }: { readonly owner: bigint; readonly spender: bigint },
): bigint {
  return u256Result(context.call(token, 'allowance', [owner, spender]));
}

/**
 * ERC-20 token with OpenZeppelin's rules, revert texts and event layout: indexed addresses in the
 * keys, the amount in the data. Entry points have snake_case and camelCase names.
 */
export function erc20({ name, symbol, decimals }: Erc20Options): ContractModel {
  const nameFelt = shortStringFelt(name);
  const symbolFelt = shortStringFelt(symbol);
  return {
    name: `ERC20 ${symbol}`,
    classHash: modelClassHash('ERC20'),
    entrypoints: {
      name: constant([nameFelt]),
      symbol: constant([symbolFelt]),
      decimals: constant([BigInt(decimals)]),
      total_supply: totalSupply,
      totalSupply,
      balance_of: balanceOf,
      balanceOf,
      allowance,
      approve,
      transfer,
      transfer_from: transferFrom,
      transferFrom,
    },
  };
}

function constant(result: readonly bigint[]): Entrypoint {
  return (context, calldata) => {
    noArguments(calldata);
    context.useL2Gas(READ_L2_GAS);
    return [...result];
  };
}

const totalSupply: Entrypoint = (context, calldata) => {
  noArguments(calldata);
  context.useL2Gas(READ_L2_GAS);
  return u256Felts(context.get(TOTAL_SUPPLY));
};

const balanceOf: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const account = args.address();
  args.end();
  context.useL2Gas(READ_L2_GAS);
  return u256Felts(context.get(balanceKey(account)));
};

const allowance: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const owner = args.address();
  const spender = args.address();
  args.end();
  context.useL2Gas(READ_L2_GAS);
  return u256Felts(context.get(allowanceKey(owner, spender)));
};

const approve: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const spender = args.address();
  const amount = args.u256();
  args.end();
  context.useL2Gas(WRITE_L2_GAS);
  if (context.caller === 0n) throw new Revert('ERC20: approve from 0');
  if (spender === 0n) throw new Revert('ERC20: approve to 0');
  context.set(allowanceKey(context.caller, spender), amount);
  context.emit([APPROVAL, context.caller, spender], u256Felts(amount));
  return [1n];
};

const transfer: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const recipient = args.address();
  const amount = args.u256();
  args.end();
  context.useL2Gas(WRITE_L2_GAS);
  move(context, context.caller, recipient, amount);
  return [1n];
};

const transferFrom: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const sender = args.address();
  const recipient = args.address();
  const amount = args.u256();
  args.end();
  context.useL2Gas(WRITE_L2_GAS);
  spendAllowance(context, sender, amount);
  move(context, sender, recipient, amount);
  return [1n];
};

function spendAllowance(context: CallContext, owner: bigint, amount: bigint): void {
  const key = allowanceKey(owner, context.caller);
  const allowed = context.get(key);
  if (allowed === UNLIMITED_ALLOWANCE) return;
  if (allowed < amount) throw new Revert('ERC20: insufficient allowance');
  context.set(key, allowed - amount);
}

function move(context: CallContext, from: bigint, to: bigint, amount: bigint): void {
  if (from === 0n) throw new Revert('ERC20: transfer from 0');
  if (to === 0n) throw new Revert('ERC20: transfer to 0');
  const balance = context.get(balanceKey(from));
  if (balance < amount) throw new Revert('ERC20: insufficient balance');
  context.set(balanceKey(from), balance - amount);
  context.set(balanceKey(to), context.get(balanceKey(to)) + amount);
  context.emit([TRANSFER, from, to], u256Felts(amount));
}
