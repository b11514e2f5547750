import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import { askAccount } from './account-answer.js';
import type { Approvals, Standing } from './approvals.js';
import { approval, sentHash, type DepositAccount } from './deposit-account.js';
import type { DepositEntry } from './deposit-entry.js';
import type { DepositEvent } from './deposit-events.js';

/** Result of one step towards an approval. */
export type ApprovalProgress =
  | { readonly kind: 'approved'; readonly approval: NonNullable<DepositEntry['approval']> }
  /** The step must be repeated after a pause. */
  | {
      readonly kind: 'wait';
      readonly event: Extract<DepositEvent, { type: 'waiting' | 'unknown' }>;
    }
  | { readonly kind: 'failed'; readonly error: JourneyError };

/** Maximum number of approvals that a run requests. */
const MOST_REQUESTS = 2;

/**
 * Obtains the approval of one deposit in one run. Requests an approval only if the chain shows a
 * too low allowance and no earlier approval can land.
 */
export class ApprovalStep {
  readonly #account: DepositAccount;
  readonly #approvals: Approvals;
  readonly #signal: AbortSignal;
  #requests = 0;
  /** Failure of this run's last request, until the chain shows its outcome. */
  #failure: JourneyError | undefined;

  constructor(account: DepositAccount, approvals: Approvals, signal: AbortSignal) {
    this.#account = account;
    this.#approvals = approvals;
    this.#signal = signal;
  }

  /** True if this run may request another approval. */
  get hasRequestLeft(): boolean {
    return this.#requests < MOST_REQUESTS;
  }

  /** @param onRequest runs before an approval is requested, and must store that it is requested */
  async take(
    { token, pool, amount }: Pick<DepositEntry, 'token' | 'pool' | 'amount'>,
    onRequest: () => Promise<void>,
  ): Promise<ApprovalProgress> {
    const standing = await this.#approvals.check(BigInt(amount), this.#signal);
    if (standing.kind === 'none' && this.#failure === undefined) {
      this.#requests += 1;
      // Write the records before the request: a later run must not request a second approval while
      // this approval may be sent.
      await this.#approvals.requested(BigInt(amount));
      await onRequest();
      return this.#request(approval(token, pool, BigInt(amount)));
    }
    return this.#progress(standing);
  }

  #progress(standing: Standing): ApprovalProgress {
    const failure = this.#failure;
    switch (standing.kind) {
      case 'sufficient':
        this.#failure = undefined;
        return { kind: 'approved', approval: { askedAtMs: Date.now(), transactionHash: null } };
      case 'unreadable':
        return { kind: 'wait', event: { type: 'waiting', error: standing.error } };
      case 'pending': {
        // The owner may still answer the request, at any time.
        if (failure?.code === 'ACCOUNT_SILENT') return { kind: 'failed', error: failure };
        const error = failure ?? ownError('APPROVAL_UNKNOWN');
        return { kind: 'wait', event: { type: 'unknown', error } };
      }
      case 'none':
        // The request failed, and the chain shows that no approval was sent.
        return { kind: 'failed', error: ownError('APPROVAL_REFUSED', { cause: failure?.cause }) };
    }
  }

  async #request(call: ReturnType<typeof approval>): Promise<ApprovalProgress> {
    const answer = await askAccount(this.#signal, async () =>
      sentHash(await this.#account.execute([call])),
    );
    switch (answer.kind) {
      case 'answered':
        await this.#approvals.ended(answer.value);
        return {
          kind: 'approved',
          approval: { askedAtMs: Date.now(), transactionHash: answer.value },
        };
      case 'refused':
        await this.#approvals.refused();
        return { kind: 'failed', error: ownError('APPROVAL_REFUSED', { cause: answer.cause }) };
      case 'failed':
        await this.#approvals.ended(null);
        this.#failure = ownError('APPROVAL_UNKNOWN', { cause: answer.cause });
        break;
      case 'silent':
        this.#failure = ownError('ACCOUNT_SILENT');
    }
    // Without a node, nothing shows if the approval was sent.
    return this.#approvals.isReadable
      ? { kind: 'wait', event: { type: 'unknown', error: this.#failure } }
      : { kind: 'failed', error: this.#failure };
  }
}
