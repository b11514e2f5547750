import { runIsolated, type Clock, type LogFields, type Logger } from '@sotto/kernel';
import type { LaneSlot, RejectionCause, SubmissionCommand } from '../../domain/events.js';
import type { ResourceBounds } from '../../domain/resource-bounds.js';
import type { Attempt, SendableTransaction } from '../../domain/rows.js';
import { signedBytesOf } from '../../domain/signed-envelope.js';
import type { Felt } from '@sotto/kernel';
import { NONCE_REFUSED, type Broadcaster, type SendAnswer } from '../../ports/chain.port.js';
import type { Ledger, CommandResult } from '../../ports/ledger.port.js';
import type { TransactionSigner } from '../../ports/transaction-signer.port.js';
import type { SubmissionNotifier } from '../submission-notifier.js';
import type { FailpointHook } from '../settings.js';

export interface SenderDependencies {
  readonly ledger: Pick<Ledger, 'signedParts'>;
  readonly signer: Pick<TransactionSigner, 'calldataText' | 'signNoop'>;
  readonly broadcaster: Broadcaster;
  readonly changes: SubmissionNotifier;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: FailpointHook;
}

export type Rejection = Extract<SendAnswer, { kind: 'refused' }>;

export interface SendListener {
  /** Writes a command about the lane. */
  readonly apply: (event: SubmissionCommand) => Promise<CommandResult>;
  /** Called when a node responded to a send: the chain may soon show the transaction. */
  answered(nonce: bigint, hash: Felt, answer: SendAnswer): void;
  /** Returns true if refusals are never accepted as proof. */
  readonly isStrict: () => boolean;
  /**
   * Returns the verified cause of a rejection that may be due to the account. If the cause can't be
   * determined now, returns null, and no refusal is recorded.
   */
  readonly diagnose: (rejection: Rejection) => Promise<RejectionCause | null>;
  /**
   * Called after a conclusive refusal was recorded: the nonce is free, or another transaction uses
   * the nonce. `attempt` is the refused attempt.
   */
  refused(attempt: Attempt | null): void;
  /**
   * Called when a node rejected bytes that may still be broadcast: this rejection proves nothing.
   */
  refusedInVain(nonce: bigint, hash: Felt, rejection: Rejection): void;
  /**
   * Called when a node rejected the bytes because of their nonce: the node may not know the
   * preceding nonce yet.
   */
  nonceRefused(nonce: bigint, hash: Felt): void;
}

/** Nonce of a lane with the id of the submission that uses it. The id is null for a no-op. */
interface SubmissionSlot extends LaneSlot {
  readonly submission: string | null;
}

const slotFields = ({ lane, nonce }: LaneSlot): LogFields => ({ lane, nonce: String(nonce) });

/** Sends stored bytes once per claim, and records conclusive refusals. */
export class Sender {
  readonly #underway = new Set<Promise<unknown>>();

  constructor(
    private readonly deps: SenderDependencies,
    private readonly listener: SendListener,
  ) {}

  /**
   * Returns the node that bytes are sent to. `last` is the node of their previous send, or null for
   * the first send.
   */
  nodeFor(last: string | null): string {
    return this.deps.broadcaster.nodeFor(last);
  }

  /**
   * Writes a claim for a repeated send of stored bytes, then sends the bytes (row C of the
   * transition table).
   */
  async claimAndSend(
    claim: LaneSlot,
    transaction: SendableTransaction,
    submission: string | null,
  ): Promise<CommandResult> {
    const { hash, claimNode } = transaction;
    const node = this.nodeFor(claimNode);
    const recorded = await this.listener.apply({ type: 'claim', ...claim, hash, node });
    if (recorded.applied) {
      this.deps.failpoint('claimed');
      const bytes = await this.#storedBytes(claim, transaction);
      if (bytes !== null) this.send({ ...claim, submission }, node, hash, bytes);
    }
    return recorded;
  }

  /**
   * Sends bytes to `node` without waiting for the response. The claim to this send must be written
   * before.
   */
  send(slot: SubmissionSlot, node: string, hash: Felt, bytes: Uint8Array): void {
    const { submission, ...claim } = slot;
    const fields = { submission, ...slotFields(claim), transactionHash: hash };
    const underway = runIsolated(this.deps.logger, 'recording an answer', fields, () =>
      this.#send(claim, node, bytes, fields),
    ).finally(() => this.#underway.delete(underway));
    this.#underway.add(underway);
  }

  /** Resolves when the responses to all sends are recorded. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway);
  }

  /**
   * Returns exactly the signed bytes of the first send, or null if these bytes are not available.
   *
   * A no-op whose bytes are redacted is signed again. Otherwise a reopened nonce could remain
   * without any transaction to send, because nothing can outbid a no-op at the ceiling price.
   */
  async #storedBytes(
    claim: LaneSlot,
    { hash, kind, bounds }: SendableTransaction,
  ): Promise<Uint8Array | null> {
    const { ledger, signer, logger } = this.deps;
    const parts = await ledger.signedParts(hash);
    const { target = null, calldata = null } = parts ?? {};
    const text =
      target === null || calldata === null ? null : await signer.calldataText(target, calldata);
    const bytes =
      parts === null
        ? kind === 'noop'
          ? await this.#noopAgain(claim, hash, bounds)
          : null
        : signedBytesOf(parts.envelope, text);
    if (bytes === null) {
      const isWiped = parts === null || (parts.envelope.calldataAt !== null && text === null);
      logger.error(
        {
          ...slotFields(claim),
          transactionHash: hash,
          because: isWiped ? 'they are wiped' : 'they differ from the signed bytes',
        },
        'stored bytes of an open nonce are not sent',
      );
    }
    return bytes;
  }

  /**
   * Signs a no-op again. The row and the request determine a no-op, so an equal hash proves that
   * the transaction is identical.
   */
  async #noopAgain(
    { lane: account, nonce }: LaneSlot,
    hash: Felt,
    bounds: ResourceBounds,
  ): Promise<Uint8Array | null> {
    const again = await this.deps.signer.signNoop({ account, nonce, bounds });
    return again.hash === hash ? again.bytes : null;
  }

  async #send(
    claim: LaneSlot,
    node: string,
    bytes: Uint8Array,
    about: LogFields & { readonly transactionHash: Felt },
  ): Promise<void> {
    const { transactionHash: hash } = about;
    const answer = await this.deps.broadcaster.send(bytes, node);
    this.deps.failpoint('sent');
    this.listener.answered(claim.nonce, hash, answer);
    const fields = { ...about, node, answer: answer.kind };
    if (answer.kind === 'taken') {
      this.deps.logger.info(fields, 'transaction sent');
      return;
    }
    this.deps.logger.warn(
      { ...fields, code: answer.code },
      'transaction not confirmed by the node',
    );
    if (answer.kind === 'unclear') {
      if (answer.code === NONCE_REFUSED) this.listener.nonceRefused(claim.nonce, hash);
      return;
    }
    if (this.listener.isStrict() || !(await this.#recordRejection(claim, hash, answer)))
      this.listener.refusedInVain(claim.nonce, hash, answer);
  }

  /**
   * Records a refusal (row K2 of the transition table). Returns false if the refusal proves
   * nothing.
   */
  async #recordRejection(claim: LaneSlot, hash: Felt, rejection: Rejection): Promise<boolean> {
    const cause =
      rejection.cause === 'account' ? await this.listener.diagnose(rejection) : rejection.cause;
    if (cause === null) return false;
    const { applied, attempt } = await this.listener.apply({
      type: 'refusal',
      ...claim,
      hash,
      code: rejection.code,
      cause,
    });
    if (!applied) return false;
    this.deps.failpoint('refused');
    this.listener.refused(attempt);
    if (attempt !== null) this.deps.changes.changed(attempt.id);
    return true;
  }
}
