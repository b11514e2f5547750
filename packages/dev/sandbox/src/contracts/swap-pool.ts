import {
  Revert,
  type CallContext,
  type ContractModel,
  type Entrypoint,
} from '../engine/contract.js';
import { selectorOf } from '../engine/felt.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { TREE_CAPACITY, insertLeaf, isKnownRoot, lastRoot, nextLeafIndex } from './merkle-tree.js';
import {
  PAUSED,
  VERIFY_L2_GAS,
  isCommitment,
  isKnownCommitment,
  isSpent,
  maxFee,
  question,
  rememberCommitment,
  requireAddresses,
  requireFeeBps,
  spend,
  view,
} from './pool-parts.js';
import { decodeProof } from './proof.js';
import { readRoutes, type Route } from './route.js';
import { swapAtRouter } from './swap.js';
import type { ProofVerifier } from './verifier.js';

export interface SwapPoolOptions {
  /** The only account that may swap. */
  readonly owner: bigint;
  /** Address of the ERC-20 token that the input pools pay. */
  readonly wbtc: bigint;
  /** Address of the aggregator's router. */
  readonly router: bigint;
  /** Maximum fee of a withdrawal in 1/10,000 of its amount; at most 1,000. */
  readonly maxFeeBps: number;
  readonly verifyProof: ProofVerifier;
  /**
   * True if a nullifier can be spent only once.
   * @default true
   */
  readonly enforceNullifier?: boolean;
}

/** Storage keys that genesis and the control interface may set. No entry point sets them. */
export const SWAP_POOL_STORAGE = {
  /** Pause flag. While it is not zero, swaps and withdrawals revert. */
  paused: PAUSED,
  /**
   * If not zero, the pool behaves like a contract that was compiled against the older Route struct,
   * which cannot read `branch` routes.
   */
  olderRoutes: 'older_routes',
} as const;

const ACTIVE = 'active_deposits';
const SWAPS = 'total_swaps';

/**
 * L2 gas of the swap pool's own work in a swap: approval, balances, tree and leaf, about 1 M.
 * Together with the input pool and the router, a swap uses the protocol's 40 M.
 */
const SWAP_L2_GAS = 1_000_000n;
const PAY_OUT_L2_GAS = 600_000n;

const SWAP_DEPOSIT = selectorOf('SwapDeposit');
const SWAP_WITHDRAW = selectorOf('SwapWithdraw');

/**
 * Shielded swap pool. The owner submits a withdrawal proof that pays the pool. The pool swaps
 * exactly the received amount and stores the output as the leaf of a new note. A later proof of
 * this note pays the token and amount of the leaf. The texts `invalid commitment`, `invalid batch
 * size` and `no active deposit` exist only in this model.
 * @throws RangeError if `maxFeeBps` is not an integer from 0 to 1,000.
 */
export function swapPool(options: SwapPoolOptions): ContractModel {
  requireFeeBps(options.maxFeeBps);
  return {
    name: 'SwapPool',
    classHash: modelClassHash('SwapPool'),
    entrypoints: {
      owner: view(() => [options.owner]),
      max_fee_bps: view(() => [BigInt(options.maxFeeBps)]),
      active_deposits: view((context) => [context.get(ACTIVE)]),
      total_swaps: view((context) => [context.get(SWAPS)]),
      get_next_index: view((context) => [BigInt(nextLeafIndex(context))]),
      get_last_root: view((context) => u256Felts(lastRoot(context))),
      is_known_root: question(isKnownRoot),
      is_spent: question(isSpent),
      is_known_commitment: question(isKnownCommitment),
      get_leaf_info: (context, calldata) => {
        const args = new Arguments(calldata);
        const leaf = leafAt(context, BigInt(args.u32()));
        args.end();
        return [leaf.token, ...u256Felts(leaf.amount)];
      },
      private_swap: privateSwap(options),
      withdraw: withdrawFrom(options),
    },
  };
}

interface Swap {
  readonly inputPool: bigint;
  readonly proof: readonly bigint[];
  readonly commitment: bigint;
  readonly outputToken: bigint;
  readonly minimumOut: bigint;
  readonly routes: readonly Route[];
}

function privateSwap(options: SwapPoolOptions): Entrypoint {
  return (context, calldata) => {
    const swap = readSwap(calldata, context.get(SWAP_POOL_STORAGE.olderRoutes) === 0n);
    context.useL2Gas(SWAP_L2_GAS);
    if (context.caller !== options.owner) throw new Revert('Not owner');
    requireRunning(context);
    if (!isCommitment(swap.commitment)) throw rejection('invalid commitment');
    if (isKnownCommitment(context, swap.commitment)) throw rejection('commitment exists');
    if (nextLeafIndex(context) >= TREE_CAPACITY) throw rejection('tree full');

    const received = gained(context, options.wbtc, () => {
      context.call(swap.inputPool, 'withdraw', [BigInt(swap.proof.length), ...swap.proof]);
    });
    if (received <= 0n) throw rejection('no WBTC received');
    const output = gained(context, swap.outputToken, () => {
      swapAtRouter(context, {
        ...swap,
        router: options.router,
        sellToken: options.wbtc,
        amount: received,
        buyToken: swap.outputToken,
      });
    });
    if (output <= 0n) throw rejection('no output received');
    keep(context, swap, output);
    return [];
  };
}

function readSwap(calldata: readonly bigint[], knowsBranches: boolean): Swap {
  const args = new Arguments(calldata);
  const swap = {
    inputPool: args.address(),
    proof: args.span(),
    commitment: args.u256(),
    outputToken: args.address(),
    minimumOut: args.u256(),
    routes: readRoutes(args, knowsBranches),
  };
  args.end();
  return swap;
}

/** Runs an action and returns the amount by which the action increased the pool's token balance. */
function gained(context: CallContext, token: bigint, action: () => void): bigint {
  const before = tokenBalance(context, token, context.self);
  action();
  return tokenBalance(context, token, context.self) - before;
}

/** Stores the output of a swap as a leaf. */
function keep(context: CallContext, { commitment, outputToken }: Swap, amount: bigint): void {
  const leafIndex = BigInt(insertLeaf(context, commitment));
  const keys = leafKeys(leafIndex);
  rememberCommitment(context, commitment);
  context.set(keys.token, outputToken);
  context.set(keys.amount, amount);
  context.set(ACTIVE, context.get(ACTIVE) + 1n);
  context.set(SWAPS, context.get(SWAPS) + 1n);
  context.emit(
    [SWAP_DEPOSIT, ...u256Felts(commitment)],
    [leafIndex, outputToken, ...u256Felts(amount), BigInt(context.block.timestampSeconds)],
  );
}

function withdrawFrom({
  verifyProof,
  maxFeeBps,
  enforceNullifier = true,
}: SwapPoolOptions): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const proofWithHints = args.span();
    args.end();
    requireRunning(context);
    context.useL2Gas(VERIFY_L2_GAS);
    const proof = decodeProof(proofWithHints);
    if (proof === undefined || !verifyProof(proof)) throw rejection('invalid proof');
    context.useL2Gas(PAY_OUT_L2_GAS);

    const [root, nullifierHash, recipient, relayer, fee, batchStart, batchSize] =
      proof.publicInputs;
    if (!isKnownRoot(context, root)) throw rejection('unknown root');
    if (enforceNullifier && isSpent(context, nullifierHash)) throw rejection('already withdrawn');
    // A batch of one leaf identifies the leaf, and thereby the token and amount.
    if (batchSize !== 1n) throw rejection('invalid batch size');
    if (batchStart >= BigInt(nextLeafIndex(context))) throw rejection('empty leaf');
    const { token, amount } = leafAt(context, batchStart);
    if (fee > maxFee(amount, maxFeeBps)) throw rejection('fee too high');
    requireAddresses(recipient, relayer);

    const active = context.get(ACTIVE);
    // This can happen only in a pool that pays spent notes again.
    if (active === 0n) throw rejection('no active deposit');
    const payout = amount - fee;
    spend(context, nullifierHash);
    context.set(ACTIVE, active - 1n);
    context.call(token, 'transfer', [recipient, ...u256Felts(payout)]);
    if (fee > 0n) context.call(token, 'transfer', [relayer, ...u256Felts(fee)]);
    context.emit(
      [SWAP_WITHDRAW, ...u256Felts(nullifierHash)],
      [recipient, token, ...u256Felts(payout), ...u256Felts(fee)],
    );
    return [];
  };
}

function requireRunning(context: CallContext): void {
  if (context.get(SWAP_POOL_STORAGE.paused) !== 0n) throw rejection('paused');
}

function rejection(text: string): Revert {
  return new Revert(`SwapPool: ${text}`);
}

function leafAt(
  context: CallContext,
  leafIndex: bigint,
): { readonly token: bigint; readonly amount: bigint } {
  const keys = leafKeys(leafIndex);
  return { token: context.get(keys.token), amount: context.get(keys.amount) };
}

function leafKeys(leafIndex: bigint): Record<'token' | 'amount', string> {
  return { token: `leaf_token:${leafIndex}`, amount: `leaf_amount:${leafIndex}` };
}
