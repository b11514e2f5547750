import { toFelt } from '@sotto/kernel';
import type { WithdrawalBody } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { calldataOf, FEE_SATS, loadPool, withdrawalBody } from '../stack/withdrawals.js';

/** Number of the first note of attackers, above the numbers of the notes of honest withdrawals. */
const FIRST_NOTE = 1_000_000;
const FIRST_COMMITMENT = 0xc0_0000n;
/** Smallest slippage tolerance that the service accepts, as a fraction. */
const LEAST_SLIPPAGE = 0.001;
/** Index of the first felt of the nullifier hash in a proof's calldata. */
const NULLIFIER_AT = 1 + 32 + 1 + 2;

let begun = 0;

/** Returns the number of a note that no other request uses. */
export const nextNote = (): number => FIRST_NOTE + begun++;

/** Returns the body of a valid withdrawal of a new note. */
export function ownWithdrawal(
  root: bigint,
  fee = FEE_SATS,
): WithdrawalBody & { readonly note: number } {
  const note = nextNote();
  return { ...withdrawalBody(note, { root, fee }), note };
}

/** Returns the body of a valid private swap of a new note. */
export function ownSwap(root: bigint, { slippage = LEAST_SLIPPAGE, fee = FEE_SATS } = {}): object {
  const note = nextNote();
  return {
    wbtcPool: toFelt(loadPool.address),
    proofCalldata: calldataOf(note, { recipient: sandboxWorld.swapPool.address, root, fee }),
    newCommitment: `0x${(FIRST_COMMITMENT + BigInt(note)).toString(16)}`,
    outputToken: toFelt(sandboxWorld.tokens.ETH.address),
    slippage,
  };
}

/**
 * Returns a withdrawal with a well-formed but invalid proof: its nullifier hash differs from the
 * proven nullifier hash.
 */
export function falseWithdrawal(): WithdrawalBody {
  const { poolAddress, calldata } = withdrawalBody(nextNote());
  return {
    poolAddress,
    calldata: calldata.with(
      NULLIFIER_AT,
      `0x${(BigInt(calldata[NULLIFIER_AT] ?? '0x0') ^ 1n).toString(16)}`,
    ),
  };
}

/**
 * Returns an address in the form in which a trusted proxy reports it. The address is one of
 * `addresses` addresses in a network. Each attack uses its own network number, because budgets
 * apply per network.
 */
export function attackerAddress(network: number, index: number, addresses = 1): string {
  const host = index % addresses;
  return `10.${network}.${(host >> 8) & 255}.${host & 255}`;
}
