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
  /** A node answered a send: the chain may show it soon. */
  answered(nonce: bigint, hash: Felt, answer: SendAnswer): void;
  /** True: no refusal is believed. */
  readonly isStrict: () => boolean;
  /**
   * The cause of a refusal that concerns the account; null when it can't be determined now: then
   * nothing is recorded.
   */
  readonly diagnose: (refusal: Refusal) => Promise<RefusalCause | null>;
  /**
   * A conclusive refusal was recorded: the nonce is free, or something else stands under it.
   * `attempt` is whose it was.
   */
  refused(attempt: Attempt | null): void;
  /** The node refused bytes that may be out all the same. */
  refusedInVain(nonce: bigint, hash: Felt, refusal: Refusal): void;
  /** The node did not take the bytes for their nonce: that of another send may not be there yet. */
  nonceRefused(nonce: bigint, hash: Felt): void;
}

/** A nonce of a lane, and the id of the submission that it is used for; null for a no-op. */
interface SubmissionSlot extends LaneSlot {
  readonly submission: string | null;
}

const slotFields = ({ lane, nonce }: LaneSlot): LogFields => ({ lane, nonce: String(nonce) });

/** Sends claimed bytes, once per claim, and records what a refusal proves. */
export class Sender {
  readonly #underway = new Set<Promise<unknown>>();

  constructor(
    private readonly deps: SenderDependencies,
    private readonly listener: SendListener,
  ) {}

  /** The node that bytes go to which have gone to `last`; null where they have not been sent. */
  nodeFor(last: string | null): string {
    return this.deps.broadcaster.nodeFor(last);
  }

  /** C: claims one more send of stored bytes, then sends them. */
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

  /** Sends bytes whose send to this node is claimed; does not wait for the answer. */
  send(slot: SubmissionSlot, node: string, hash: Felt, bytes: Uint8Array): void {
    const { submission, ...claim } = slot;
    const fields = { submission, ...slotFields(claim), transactionHash: hash };
    const underway = runIsolated(this.deps.logger, 'recording an answer', fields, () =>
      this.#send(claim, node, bytes, fields),
    ).finally(() => this.#underway.delete(underway));
    this.#underway.add(underway);
  }

  /** Resolves when every send has its answer recorded. */
  async idle(): Promise<void> {
    while (this.#underway.size > 0) await Promise.allSettled(this.#underway);
  }

  /**
   * The bytes of the first send, byte for byte, or none: what was not signed is never sent. A no-op
   * whose bytes are wiped is signed again: a nonce that is open again may have nothing else, and at
   * the ceiling nothing outbids it.
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

  /** Row and request make the whole no-op, so the stored hash shows that it is the same one. */
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

  /** K2. False when it proves nothing. */
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
