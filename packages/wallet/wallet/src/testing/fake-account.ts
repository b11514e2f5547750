import type { DepositAccount, AccountCall } from '../deposits/deposit-account.js';
import type { DepositTypedData } from '../deposits/deposit-consent.js';
import type { FakeChain } from './fake-chain.js';

/** Fault of an account. */
export type FakeAccountFault =
  /** The request is not carried out, and rejects for a reason other than the owner's refusal. */
  | 'rejects'
  /** The request is not carried out, and is never answered. */
  | 'hangs'
  /** The transaction is sent or the message is signed, and the request rejects. */
  | 'done-and-rejects'
  /** The transaction is sent or the message is signed, and the request is never answered. */
  | 'done-and-hangs'
  /**
   * Another process of the account sends the same transaction with the same nonce, and the node
   * rejects this process's transaction as a duplicate (error 59).
   */
  | 'duplicate'
  /** The transaction is sent, and reverts on chain. */
  | 'reverts'
  /** The request is carried out, and the answer is not of the promised form. */
  | 'malformed';

/** Account on {@link FakeChain} whose owner approves and signs everything by default. */
export class FakeAccount implements DepositAccount {
  readonly address: string;
  /** Calls that were passed to `execute` and sent. */
  readonly calls: AccountCall[] = [];
  readonly signed: DepositTypedData[] = [];
  /** Number of times that `execute` was called. */
  requests = 0;
  /** True if the owner declines every request, as the wallet API reports it (code 113). */
  refuses = false;
  /** Fault of `execute`. @default no fault */
  fault: FakeAccountFault | undefined;
  /** Fault of `signMessage`. @default no fault */
  signingFault: FakeAccountFault | undefined;
  /** Time in ms that a sent transaction waits in the mempool. */
  waitMs = 0;
  readonly #chain: FakeChain;

  constructor(chain: FakeChain, address = '0xacc') {
    this.#chain = chain;
    this.address = address;
  }

  async execute(calls: AccountCall[]): Promise<{ transaction_hash: string }> {
    this.requests += 1;
    return this.#carryOut(this.fault, () => {
      const [, low = '0x0', high = '0x0'] = calls[0]?.calldata ?? [];
      const amount = BigInt(low) + (BigInt(high) << 128n);
      this.calls.push(...calls);
      const { hash } =
        this.fault === 'reverts'
          ? this.#chain.send(this.address, { isReverted: true, waitMs: this.waitMs })
          : this.#chain.approve(this.address, amount, this.waitMs);
      return { transaction_hash: hash };
    });
  }

  async signMessage(typedData: DepositTypedData): Promise<string[]> {
    return this.#carryOut(this.signingFault, () => {
      this.signed.push(typedData);
      return ['0x1', '0x2'];
    });
  }

  async #carryOut<T>(fault: FakeAccountFault | undefined, act: () => T): Promise<T> {
    if (this.refuses)
      throw Object.assign(new Error('An error occurred (USER_REFUSED_OP)'), { code: 113 });
    if (fault === 'rejects') throw new Error('fetch failed');
    if (fault === 'hangs') return forEver();
    const answer = act();
    if (fault === 'done-and-hangs') return forEver();
    if (fault === 'done-and-rejects') throw new Error('fetch failed');
    if (fault === 'duplicate')
      throw Object.assign(new Error('RPC: 59: A transaction with the same hash already exists'), {
        code: 59,
      });
    return fault === 'malformed' ? JSON.parse('null') : answer;
  }
}

function forEver(): Promise<never> {
  return new Promise(() => undefined);
}
