import { DomainError, type Clock, type Felts, type Logger } from '@sotto/kernel';
import type { Ledger, Submissions } from '@sotto/submission-core';
import type { SwapVerdict, SwapVerdicts } from '../ports/swap-verdicts.port.js';
import type { ExecutePrivateSwap } from './execute-private-swap.js';
import { isPriceRevert, type SwapTries } from './swap-tries.js';

export interface RetrySwapsPorts {
  readonly ledger: Pick<Ledger, 'calldata'>;
  /** As the machine answers, knowing nothing of tries. */
  readonly submissions: Pick<Submissions, 'find'>;
  readonly verdicts: SwapVerdicts;
  readonly tries: Pick<SwapTries, 'isSpent'>;
  readonly swaps: Pick<ExecutePrivateSwap, 'repeat'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Swaps looked at in one round. */
const PAGE = 20;

/**
 * Tries swaps again that reverted because their price had moved, once the revert is at
 * ACCEPTED_ON_L2: on the terms and above the floor that the note is pinned to. Where node, prices
 * or aggregator do not answer it is tried again in the next round, until the attempt's deadline.
 */
export class RetrySwaps {
  /** Attempts whose waiting was logged. */
  #waiting: ReadonlySet<string> = new Set();

  /** @param deadlineMs of attempts, from their acceptance: what has ended longer ago is over */
  constructor(
    private readonly deps: RetrySwapsPorts,
    private readonly deadlineMs: number,
  ) {}

  /** One round. Rejects with the error of the store. */
  async execute(): Promise<void> {
    const { verdicts, clock } = this.deps;
    const undecided = await verdicts.undecided(clock.nowMs() - this.deadlineMs, PAGE);
    this.#waiting = new Set(undecided.filter((id) => this.#waiting.has(id)));
    for (const id of undecided) await this.#retry(id);
  }

  async #retry(id: string): Promise<void> {
    const { submissions, tries, ledger, logger } = this.deps;
    const answer = await submissions.find(id);
    // A rollback has taken the revert back.
    if (answer?.kind !== 'executed') return;
    const calldata =
      isPriceRevert(answer) && !(await tries.isSpent(answer.attempt))
        ? await ledger.calldata(id)
        : null;
    if (calldata === null) return this.#decide(id, 'over');
    try {
      await this.#repeat(id, calldata);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (PASSING.has(error.kind)) return this.#logOnce(id, error);
      logger.info({ error }, 'a swap is not tried again');
      await this.#decide(id, 'over');
    }
  }

  /** Once for each attempt: it is looked at in every round. */
  #logOnce(id: string, error: DomainError): void {
    if (this.#waiting.has(id)) return;
    this.#waiting = new Set([...this.#waiting, id]);
    this.deps.logger.warn({ error }, 'a swap could not be tried again yet');
  }

  /** Only who has decided on it sends the try. */
  async #repeat(id: string, calldata: Felts): Promise<void> {
    await this.deps.swaps.repeat(calldata, async () => {
      const { isOurs } = await this.deps.verdicts.decide(id, this.#verdict('again'));
      return isOurs;
    });
  }

  async #decide(id: string, kind: SwapVerdict['kind']): Promise<void> {
    await this.deps.verdicts.decide(id, this.#verdict(kind));
  }

  #verdict(kind: SwapVerdict['kind']): SwapVerdict {
    return { kind, decidedAtMs: this.deps.clock.nowMs() };
  }
}

/** What may be otherwise in a moment. */
const PASSING: ReadonlySet<DomainError['kind']> = new Set(['unavailable', 'upstream_failed']);
