import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { noteOf } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { Felts, u256ToHalves } from '@sotto/kernel';
import type { Deposits } from './chain-stack.js';
import type { ChainWorld } from './chain-world.js';

const FEE_SATS = 400n;
const notes = [noteOf(101n, 201n), noteOf(102n, 202n), noteOf(103n, 203n)] as const;

/**
 * Deposits of a withdrawal from the input pool to the swap pool, whose amount is swapped directly
 * into ETH.
 */
export const privateSwap = {
  deposits: {
    pool: 'swap_input_1',
    leaves: notes.map(({ commitment }) => commitment),
  } satisfies Deposits,
  commitment: noteOf(111n, 211n).commitment,
  /**
   * Amount of ETH that the swap pool receives for 19,600 sats at the initial rate of the stack, in
   * the smallest unit of ETH.
   */
  outputAmount: 5_600_000_000_000_000n,
  /** Sold amount in sats: the denomination minus the fee. */
  sold: 19_600n,
};

/**
 * Builds the calldata of the swap with the given minimum output. The calldata contains a real proof
 * for this chain; proving needs some seconds.
 */
export async function proveSwap({
  accounts,
  exchanges,
  pools,
  swapPool,
  tokens,
}: ChainWorld): Promise<(minimumOut: bigint) => Felts> {
  const {
    commitment,
    deposits: { leaves },
  } = privateSwap;
  const keys = await loadDevelopmentKeys();
  const terms = {
    recipient: swapPool.address,
    relayer: accounts.feeCollector.address,
    feeAmount: FEE_SATS,
    batchStart: 0,
    batchSize: 3,
  };
  const proof = await withdrawalCalldata(
    await proveWithdrawal({ note: notes[0], leaves, ...terms }, keys),
    keys.verificationKey,
  );
  const everything = 10n ** 12n;
  const routes = [
    1n,
    tokens.WBTC.address,
    tokens.ETH.address,
    exchanges.first.address,
    everything,
    0n,
  ];
  return (minimumOut) =>
    Felts.of([
      pools.swap_input_1.address,
      ...proof.map(BigInt),
      ...u256ToHalves(commitment),
      tokens.ETH.address,
      ...u256ToHalves(minimumOut),
      ...routes,
    ]);
}
