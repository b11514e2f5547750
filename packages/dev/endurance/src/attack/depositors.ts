import { shortStringFelt, signDepositConsent } from '@sotto/adapter-starknet';
import { systemClock, toFelt } from '@sotto/kernel';
import { extraLane, sandboxWorld, type SandboxAccount, type SandboxPool } from '@sotto/sandbox';
import type { Chain } from '../stack/chain.js';

/** Range of accounts on the sandbox's chain, among the accounts that are added for a test. */
export interface AccountRange {
  readonly first: number;
  readonly count: number;
}

/**
 * Number of the first added account. The sandbox continues its lane numbers 1 to 3 for added
 * accounts.
 */
const FIRST_NUMBER = 4;
const FIRST_COMMITMENT = 0xde_0000n;
const CONSENT_SECONDS = 600;

let begun = 0;

/** Accounts that can pay for deposits into one pool. */
export class Depositors {
  private constructor(
    private readonly chain: Chain,
    private readonly pool: SandboxPool,
    private readonly accounts: readonly SandboxAccount[],
    private readonly amount: bigint,
  ) {}

  /** @param depositsEach number of deposits for which each account gets funds */
  static async fund(
    chain: Chain,
    pool: SandboxPool,
    depositsEach: bigint,
    { first, count }: AccountRange,
  ): Promise<Depositors> {
    const accounts = Array.from({ length: count }, (_, index) =>
      extraLane(FIRST_NUMBER + first + index),
    );
    const amount = depositsEach * pool.denomination;
    const depositors = new Depositors(chain, pool, accounts, amount);
    for (const [index, { address }] of accounts.entries()) {
      await chain.control('mint', {
        owner: toFelt(address),
        amount: String(amount),
        token: toFelt(pool.token),
      });
      await depositors.allow(index, true);
    }
    return depositors;
  }

  /** Sets an account's allowance to the amount of all its deposits, or to zero. */
  async allow(index: number, isAllowed: boolean): Promise<void> {
    const { address } = this.#account(index);
    await this.chain.control('setStorage', {
      address: toFelt(this.pool.token),
      key: `allowance:${address.toString(16)}:${this.pool.address.toString(16)}`,
      value: isAllowed ? String(this.amount) : '0',
    });
  }

  /** Addresses of all accounts. */
  get addresses(): readonly string[] {
    return this.accounts.map(({ address }) => toFelt(address));
  }

  /** Returns the body of `POST /api/relayer/deposit` for a new note, signed by the depositor. */
  bodyFor(index: number): DepositRequest {
    const { address, privateKey } = this.#account(index);
    const commitment = FIRST_COMMITMENT + BigInt(begun++);
    const expiresAt = Math.floor(systemClock.nowMs() / 1_000) + CONSENT_SECONDS;
    const consent = {
      chainId: shortStringFelt(sandboxWorld.chainId),
      pool: toFelt(this.pool.address),
      token: toFelt(this.pool.token),
      denomination: this.pool.denomination,
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

  #account(index: number): SandboxAccount {
    return this.accounts[index % this.accounts.length] ?? extraLane(FIRST_NUMBER);
  }
}

export interface DepositRequest {
  readonly poolAddress: string;
  readonly commitment: string;
  readonly depositor: string;
  readonly expiresAt: number;
  readonly signature: readonly string[];
}
