import type { AdoptOutcome } from '@sotto/relayer-core';
import { LedgerBehindChain, type Attempt, type Revalidator } from '@sotto/submission-core';
import type { NodePorts } from './chain/node-ports.js';
import { NO_LONGER_WANTED } from './taps.js';

/**
 * The domain, as the relayer's withdrawals are: a call is not sent once its key is paid. It ends
 * with that only once the ledger has the payment.
 */
export class Readmission implements Revalidator {
  constructor(
    private readonly node: NodePorts,
    private readonly adoptOutcome: AdoptOutcome,
    private readonly unwanted: ReadonlySet<number>,
  ) {}

  async refusalOf(attempt: Attempt): Promise<string | null> {
    const { key, replayProtected } = attempt;
    const number = Number(key.slice(1));
    if (!replayProtected || !this.node.isSpent(number))
      return this.unwanted.has(number) ? NO_LONGER_WANTED : null;
    const payment = await this.node.paymentOf(number);
    const { isOpen } = await this.adoptOutcome.execute(payment, { key, asked: [attempt] });
    if (isOpen) throw new LedgerBehindChain({ retryAfterSeconds: 10 });
    return 'ALREADY_PAID';
  }
}
