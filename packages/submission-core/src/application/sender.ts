import type { Clock, Felt, Logger } from '@sotto/kernel';
import type { LaneClaim } from '../domain/events.js';
import type { Broadcaster } from '../ports/chain.port.js';
import type { Ledger, Recorded } from '../ports/ledger.port.js';
import type { Changes } from './changes.js';
import type { CheckpointHook } from './settings.js';

export interface SenderDependencies {
  readonly ledger: Ledger;
  readonly broadcaster: Broadcaster;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reached: CheckpointHook;
}

/** Sends claimed bytes, once per claim, and records what a refusal proves. */
export class Sender {
  readonly #underway = new Set<Promise<void>>();

  constructor(
    private readonly on: SenderDependencies,
    private readonly settings: { readonly strict: boolean },
    /** An attempt went back to waiting because the node refused its price or the lane's funds. */
    private readonly refusedForNow: (attemptId: string) => void,
  ) {}

  /** C: claims one more send of stored bytes, then sends them. False when the machine stood back. */
  async claimAndSend(claim: LaneClaim, hash: Felt): Promise<Recorded> {
    const recorded = await this.on.ledger.record({ type: 'claim', ...claim, hash, atMs: this.on.clock.nowMs() });
    if (recorded.written) {
      const bytes = await this.on.ledger.signedBytes(hash);
      if (bytes === null) this.on.logger.error({ transactionHash: hash }, 'signed bytes of an open nonce are missing');
      else this.send(claim, hash, bytes);
    }
    return recorded;
  }

  /** Sends bytes whose send is claimed; does not wait for the answer. */
  send(claim: LaneClaim, hash: Felt, bytes: Uint8Array): void {
    const underway = this.#send(claim, hash, bytes)
      .catch((error: unknown) => this.on.logger.error({ transactionHash: hash, error: asError(error) }, 'recording an answer failed'))
      .finally(() => this.#underway.delete(underway));
    this.#underway.add(underway);
  }

  /** Resolves when every send has its answer recorded. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway);
  }

  async #send(claim: LaneClaim, hash: Felt, bytes: Uint8Array): Promise<void> {
    const answer = await this.on.broadcaster.send(bytes);
    this.on.reached('sent');
    const fields = { transactionHash: hash, nonce: String(claim.nonce), answer: answer.kind };
    if (answer.kind === 'taken') {
      this.on.logger.info(fields, 'transaction sent');
      return;
    }
    this.on.logger.warn({ ...fields, code: answer.code }, 'transaction not confirmed by the node');
    if (answer.kind === 'unclear' || this.settings.strict) return;
    const { code, cause } = answer;
    const { written, attempt } = await this.on.ledger.record({
      type: 'refusal',
      ...claim,
      hash,
      code,
      cause,
      atMs: this.on.clock.nowMs(),
    });
    if (!written || attempt === null) return;
    if (attempt.state === 'accepted') this.refusedForNow(attempt.id);
    this.on.changes.changed(attempt.id);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a value that is no error was thrown');
}
