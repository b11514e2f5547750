import { shortStringFelt, signDepositConsent } from '@sotto/adapter-starknet';
import { systemClock, toFelt } from '@sotto/kernel';
import { extraLane, sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import type { Chain } from '../stack/chain.js';

/** Accounts that the chain is started with beside the world's own. */
export const DEPOSITORS = 40;
/** The sandbox numbers further accounts after its lanes, which are three. */
const FIRST_NUMBER = 4;
const FIRST_COMMITMENT = 0xde_0000n;
const CONSENT_SECONDS = 600;

let begun = 0;

/** Accounts of one anonymous depositor, with all that their deposits cost. */
export class Depositors {
  private constructor(private readonly accounts: readonly SandboxAccount[]) {}

  /** @param depositsEach that each can pay for */
  static async fund(chain: Chain, pool: SandboxPool, depositsEach: bigint): Promise<Depositors> {
    const accounts = Array.from({ length: DEPOSITORS }, (_, index) =>
      extraLane(FIRST_NUMBER + index),
    );
    for (const { address } of accounts) {
      const amount = depositsEach * pool.denomination;
      await chain.control('mint', {
        owner: toFelt(address),
        amount: String(amount),
        token: toFelt(pool.token),
      });
      const key = `allowance:${address.toString(16)}:${pool.address.toString(16)}`;
      await chain.control('setStorage', {
        address: toFelt(pool.token),
        key,
        value: String(amount),
      });
    }
    return new Depositors(accounts);
  }

  /**
   * Body of `POST /api/relayer/deposit` for a note of its own, which the depositor has signed for.
   */
  bodyFor(index: number, pool: SandboxPool): object {
    const { address, privateKey } =
      this.accounts[index % this.accounts.length] ?? extraLane(FIRST_NUMBER);
    const commitment = FIRST_COMMITMENT + BigInt(begun++);
    const expiresAt = Math.floor(systemClock.nowMs() / 1_000) + CONSENT_SECONDS;
    const consent = {
      chainId: shortStringFelt(sandboxWorld.chainId),
      pool: toFelt(pool.address),
      token: toFelt(pool.token),
      denomination: pool.denomination,
      commitment,
      expiresAtMs: expiresAt * 1_000,
    };
    return {
      poolAddress: consent.pool,
      commitment: `0x${commitment.toString(16)}`,
      depositor: toFelt(address),
      expiresAt,
      signature: signDepositConsent(
        { address: toFelt(address), privateKey: toFelt(privateKey) },
        consent,
      ),
    };
  }
}
