import { noteOf, proveWithdrawal, withdrawalCalldata } from '@sotto/circuits';
import { loadDevelopmentKeys } from '@sotto/circuits/node';
import { Felts, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import { sandboxWorld } from '@sotto/sandbox';

const { accounts, exchanges, pools, tokens, swapPool } = sandboxWorld;
const FEE_SATS = 400n;
/** What the swap pool receives, at the rate that the sandbox starts with. */
const ETH_FOR_19_600_SATS = 5_600_000_000_000_000n;

const notes = [noteOf(101n, 201n), noteOf(102n, 202n), noteOf(103n, 203n)] as const;

/** One withdrawal of the input pool that pays the swap pool, swapped directly into ETH. */
export const privateSwap = {
  inputPool: toFelt(pools.swap_input_1.address),
  swapPool: toFelt(swapPool.address),
  owner: toFelt(accounts.swapOwner.address),
  leaves: notes.map(({ commitment }) => commitment),
  commitment: noteOf(111n, 211n).commitment,
  outputToken: toFelt(tokens.ETH.address),
  outputAmount: ETH_FOR_19_600_SATS,
} satisfies Readonly<Record<string, Felt | bigint | readonly bigint[]>>;

/** Calldata of the swap with any least output, with a real proof: that takes some seconds. */
export async function proveSwap(): Promise<(minimumOut: bigint) => Felts> {
  const { leaves, commitment } = privateSwap;
  const keys = await loadDevelopmentKeys();
  const terms = { recipient: swapPool.address, relayer: accounts.feeCollector.address, feeSats: FEE_SATS, batchStart: 0, batchSize: 3 };
  const proof = await withdrawalCalldata(await proveWithdrawal({ note: notes[0], leaves, ...terms }, keys), keys.verificationKey);
  const everything = 10n ** 12n;
  const routes = [1n, tokens.WBTC.address, tokens.ETH.address, exchanges.first.address, everything, 0n];
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
