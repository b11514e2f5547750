import type { DepositAccount, AccountCall } from '../deposits/deposit-account.js';
import type { DepositTypedData } from '../deposits/deposit-consent.js';
import type { FakeChain } from './fake-chain.js';

/** Account on {@link FakeChain} whose owner approves and signs everything by default. */
export class FakeAccount implements DepositAccount {
  readonly address: string;
  /** Calls that were passed to `execute`. */
  readonly calls: AccountCall[] = [];
  readonly signed: DepositTypedData[] = [];
  /** True if the owner declines every request. */
  refuses = false;
  readonly #chain: FakeChain;

  constructor(chain: FakeChain, address = '0xacc') {
    this.#chain = chain;
    this.address = address;
  }

  async execute(calls: AccountCall[]): Promise<{ transaction_hash: string }> {
    if (this.refuses) throw new Error('the owner declines');
    this.calls.push(...calls);
    const [, low = '0x0', high = '0x0'] = calls[0]?.calldata ?? [];
    const amount = BigInt(low) + (BigInt(high) << 128n);
    return { transaction_hash: this.#chain.approve(this.address, amount).hash };
  }

  async signMessage(typedData: DepositTypedData): Promise<string[]> {
    if (this.refuses) throw new Error('the owner declines');
    this.signed.push(typedData);
    return ['0x1', '0x2'];
  }
}
