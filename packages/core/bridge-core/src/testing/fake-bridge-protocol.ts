import type { DomainError } from '@sotto/kernel';
import type { ChainFamily } from '../domain/catalogue.js';
import type { DepositInstructions, TransferRequest } from '../domain/transfer-quote.js';
import type { StepDetail, TransferStatusReport } from '../domain/status-report.js';
import { STEP_NAMES, type StepName } from '../domain/step-names.js';
import type { BridgeProtocol, QuoteAnswer, QuoteRejection } from '../ports/bridge-protocol.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Deposit addresses that no real account has. The last digits are a counter. */
const DEPOSIT_ADDRESS: Readonly<Record<ChainFamily, (count: number) => string>> = {
  evm: (count) => `0xdeb0${count.toString(16).padStart(36, '0')}`,
  solana: (count) => `So11111111111111111111111111111111111111${String(count % 9)}12`,
  near: (count) => count.toString(16).padStart(64, 'd'),
  starknet: (count) => `0xdeb0${count.toString(16).padStart(56, '0')}`,
};

/** Output of the fake protocol in thousandths of the input: a fee of 0.3 % is subtracted. */
const KEPT_PER_MILLE = 997n;

const NOTHING_SEEN: TransferStatusReport = {
  completedSteps: 0,
  next: 'pending',
  refunded: false,
  details: {},
};

/** Fake protocol whose transfers advance only when a test calls its methods. */
export class FakeBridgeProtocol implements BridgeProtocol {
  readonly #sightings = new Map<string, TransferStatusReport>();
  #rejection: QuoteRejection | null = null;
  #failure: DomainError | null = null;
  #needsRefundAddress = false;
  #deadlineSeconds: number | null = null;
  #count = 0;

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the bridge is down')): void {
    this.#failure = failure;
  }

  /** Makes the protocol refuse every quote for this reason. Null restores normal behaviour. */
  refuse(rejection: QuoteRejection | null): void {
    this.#rejection = rejection;
  }

  /** After this call, the protocol requires a refund address for real transfers. */
  needRefundAddress(): void {
    this.#needsRefundAddress = true;
  }

  /** Sets the deadline of the quotes that follow this call, in Unix seconds. */
  setDeadline(seconds: number | null): void {
    this.#deadlineSeconds = seconds;
  }

  /** Overwrites fields of the reported status of a transfer. */
  show(transactionId: string, reportedStatus: Partial<TransferStatusReport>): void {
    this.#sightings.set(transactionId, { ...this.#seen(transactionId), ...reportedStatus });
  }

  /** Makes the protocol forget the transfer. */
  forget(transactionId: string): void {
    this.#sightings.delete(transactionId);
  }

  /** Makes the quoted funds arrive: the first step is then in progress. */
  deposit(transactionId: string, txHash: string): void {
    this.show(transactionId, { next: 'processing', details: { deposit_detected: { txHash } } });
  }

  /** Completes the step of the transfer that is in progress. */
  finishStep(transactionId: string, detail: StepDetail = {}): void {
    const { completedSteps, details } = this.#seen(transactionId);
    const step: StepName | undefined = STEP_NAMES[completedSteps];
    if (step === undefined) throw new RangeError('every step is done');
    const done = completedSteps + 1;
    this.show(transactionId, {
      ...(done === STEP_NAMES.length ? { output: { tokens: '831.2', symbol: 'STRK' } } : {}),
      completedSteps: done,
      next: done === STEP_NAMES.length ? 'pending' : 'processing',
      details: { ...details, [step]: { ...details[step], ...detail } },
    });
  }

  async quote(request: TransferRequest): Promise<QuoteAnswer> {
    this.#answer();
    if (this.#rejection !== null) return this.#rejection;
    const { amount, from, to, dryRun, refundTo } = request;
    if (!dryRun && this.#needsRefundAddress && refundTo === null)
      return { kind: 'refund_address_needed' };
    const output =
      (amount * 10n ** BigInt(to.decimals) * KEPT_PER_MILLE) /
      (10n ** BigInt(from.decimals) * 1_000n);
    return {
      kind: 'quoted',
      quote: {
        estimatedOutput: output,
        route: [
          {
            step: 'bridge',
            from: `${from.symbol} on ${from.chain}`,
            to: `${to.symbol} on ${to.chain}`,
            dex: null,
          },
        ],
        fees: { bridgeFee: '0.3%', gasEstimate: null, swapFees: null },
        durationSeconds: 60,
        deposit: dryRun ? null : this.#open(from.family),
      },
    };
  }

  async status(transactionId: string): Promise<TransferStatusReport | null> {
    this.#answer();
    return this.#sightings.get(transactionId) ?? null;
  }

  #open(family: ChainFamily): DepositInstructions {
    this.#count += 1;
    const transactionId = `fake-transfer-${this.#count}`;
    this.#sightings.set(transactionId, NOTHING_SEEN);
    return {
      transactionId,
      address: DEPOSIT_ADDRESS[family](this.#count),
      memo: null,
      deadlineSeconds: this.#deadlineSeconds,
    };
  }

  #seen(transactionId: string): TransferStatusReport {
    return this.#sightings.get(transactionId) ?? NOTHING_SEEN;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
