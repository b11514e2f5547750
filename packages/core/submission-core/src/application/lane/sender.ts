import { runIsolated, type Clock, type LogFields, type Logger } from '@sotto/kernel';
import type { LaneSlot, RefusalCause, SubmissionCommand } from '../../domain/events.js';
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

export type Refusal = Extract<SendAnswer, { kind: 'refused' }>;

export interface SendListener {
  /** Writes a command about the lane. */
  readonly apply: (event: SubmissionCommand) => Promise<CommandResult>;
  /** Called when a node answered a send: the chain may show it soon. */
  answered(nonce: bigint, hash: Felt, answer: SendAnswer): void;
  /** Returns true if no refusal is believed. */
  readonly isStrict: () => boolean;
  /**
   * Returns the cause of a rejection that blames the account; null if it can't be determined now,
   * so that nothing is recorded.
   */
  readonly diagnose: (refusal: Refusal) => Promise<RefusalCause | null>;
  /**
   * Called when a conclusive refusal was recorded: the nonce is free, or holds another transaction.
   * `attempt` is the one that was refused.
   */
  refused(attempt: Attempt | null): void;
  /** Called when the node rejected bytes that may still be broadcast. */
  refusedInVain(nonce: bigint, hash: Felt, refusal: Refusal): void;
  /**
   * Called when the node rejected the bytes for their nonce: it may not have the preceding nonce
   * yet.
   */
  nonceRefused(nonce: bigint, hash: Felt): void;
}

/** Nonce of a lane, and the id of the submission that uses it; null for a no-op. */
interface SubmissionSlot extends LaneSlot {
  readonly submission: string | null;
}

const slotFields = ({ lane, nonce }: LaneSlot): LogFields => ({ lane, nonce: String(nonce) });

/** Sends claimed bytes, once per claim, and records conclusive refusals. */
export class Sender {
  readonly #underway = new Set<Promise<unknown>>();

  constructor(
    private readonly deps: SenderDependencies,
    private readonly listener: SendListener,
  ) {}

  /**
   * Returns the node for bytes that were sent to `last` before; `last` is null for the first send.
   */
  nodeFor(last: string | null): string {
    return this.deps.broadcaster.nodeFor(last);
  }

  /** C: claims another send of stored bytes, then sends them. */
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

  /** Sends bytes whose send to this node is claimed, without waiting for the answer. */
  send(slot: SubmissionSlot, node: string, hash: Felt, bytes: Uint8Array): void {
    const { submission, ...claim } = slot;
    const fields = { submission, ...slotFields(claim), transactionHash: hash };
    const underway = runIsolated(this.deps.logger, 'recording an answer', fields, () =>
      this.#send(claim, node, bytes, fields),
    ).finally(() => this.#underway.delete(underway));
    this.#underway.add(underway);
  }

  /** Resolves when the answers of all sends are recorded. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway);
  }

  /**
   * Returns exactly the bytes of the first send, or null: only signed bytes are sent. A no-op whose
   * bytes are redacted is signed again. A reopened nonce may have no other transaction, and nothing
   * outbids it at the ceiling.
   */
  async #storedBytes(
    claim: LaneSlot,
    { hash, kind, bounds }: SendableTransaction,
  ): Promise<Uint8Array | null> {
    const { ledger, signer, logger } = this.deps;
    const parts = await ledger.signedParts(hash);
    const calldata = parts?.calldata ?? null;
    const text = calldata === null ? null : await signer.calldataText(calldata);
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
          because: isWiped ? 'they are wiped' : 'they are not what was signed',
        },
        'stored bytes of an open nonce are not sent',
      );
    }
    return bytes;
  }

  /** A no-op follows from its row and request, so an equal hash shows that it is the same one. */
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
    if (this.listener.isStrict() || !(await this.#recordRefusal(claim, hash, answer)))
      this.listener.refusedInVain(claim.nonce, hash, answer);
  }

  /** K2: records a refusal. Returns false if it proves nothing. */
  async #recordRefusal(claim: LaneSlot, hash: Felt, refusal: Refusal): Promise<boolean> {
    const cause =
      refusal.cause === 'account' ? await this.listener.diagnose(refusal) : refusal.cause;
    if (cause === null) return false;
    const { applied, attempt } = await this.listener.apply({
      type: 'refusal',
      ...claim,
      hash,
      code: refusal.code,
      cause,
    });
    if (!applied) return false;
    this.deps.failpoint('refused');
    this.listener.refused(attempt);
    if (attempt !== null) this.deps.changes.changed(attempt.id);
    return true;
  }
}
