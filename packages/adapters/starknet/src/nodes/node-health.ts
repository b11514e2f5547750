import { DomainError, type Felt } from '@sotto/kernel';
import { UpstreamTimedOut } from '@sotto/http-client';
import type { NodeDisagreement } from '@sotto/facts';
import {
  isBlockNotFound,
  isOfOneCall,
  NodeMalformedAnswer,
  NodeUnavailable,
} from '../rpc/errors.js';
import type { NodeHead, NodeShown } from '../rpc/starknet-node.js';

/** Number of consecutive failures of single calls after which a node is considered down. */
const FAILURES_TO_DOWN = 5;
/**
 * Number of consecutive successful polls after which a node that was down is used again. More than
 * one is required, so that an unstable node remains unused.
 */
const LOOKS_TO_UP = 2;
/** Weight of one response or failure in the moving average of successful responses. */
const SHARE_WEIGHT = 0.1;
/** Poll duration at which the score is halved, in milliseconds. */
const HALF_SCORE_MS = 1_000;
const BEHIND_FACTOR = 0.2;
const CONTRADICTED_FACTOR = 0.5;

/** Returns true if the node caused the failure, so another node may be able to respond. */
export function isOfTheNode(error: unknown): boolean {
  return (
    error instanceof UpstreamTimedOut ||
    error instanceof NodeMalformedAnswer ||
    (error instanceof NodeUnavailable && !isBlockNotFound(error))
  );
}

/** Health of one node, derived from its recent responses. */
export class NodeHealth {
  /** True if the node serves the configured chain; null until it has reported its chain. */
  chainOk: boolean | null = null;
  head: NodeHead | null = null;
  lastErrorCode: string | null = null;
  /** True if the last comparison found the node's head too far below the highest head. */
  isBehind = false;
  /** True if the majority of the nodes reports a different value. */
  isContradicted = false;
  disagreements: readonly NodeDisagreement[] = [];
  #headSinceMs = 0;
  #isUp = false;
  #wasUp = false;
  #failures = 0;
  #goodPolls = 0;
  #answerShare = 1;
  #pollMs: number | null = null;

  constructor(
    private readonly chainId: Felt,
    private readonly nowMs: () => number,
  ) {}

  get isUp(): boolean {
    return this.#isUp && this.chainOk !== false;
  }

  /** Time since the node's head last changed, in milliseconds; null if no head is known. */
  get headAgeMs(): number | null {
    return this.head === null ? null : this.nowMs() - this.#headSinceMs;
  }

  /** Score of the node, from 0 (unusable) to 1. */
  get score(): number {
    if (!this.isUp) return 0;
    const speed = HALF_SCORE_MS / (HALF_SCORE_MS + (this.#pollMs ?? 0));
    return (
      this.#answerShare *
      speed *
      (this.isBehind ? BEHIND_FACTOR : 1) *
      (this.isContradicted ? CONTRADICTED_FACTOR : 1)
    );
  }

  answered(): void {
    this.#failures = 0;
    this.#answerShare += SHARE_WEIGHT * (1 - this.#answerShare);
  }

  /**
   * Records the duration of a successful poll. A poll sends equal requests to every node, so
   * durations of different nodes are comparable.
   */
  answeredPoll(tookMs: number): void {
    this.#pollMs = tookMs;
    this.#goodPolls += 1;
    if (!this.#wasUp || this.#goodPolls >= LOOKS_TO_UP) this.revive();
  }

  revive(): void {
    this.#isUp = true;
    this.#wasUp = true;
  }

  /**
   * Records a failure. If the node is unreachable, it is considered down immediately. If a single
   * call failed, the failure is counted; after {@link FAILURES_TO_DOWN} consecutive failures the
   * node is considered down.
   */
  failed(error: unknown): void {
    this.lastErrorCode = codeOf(error);
    this.#goodPolls = 0;
    this.#failures += 1;
    this.#answerShare -= SHARE_WEIGHT * this.#answerShare;
    if (!isOfOneCall(error) || this.#failures >= FAILURES_TO_DOWN) this.#isUp = false;
  }

  note({ chainId, head }: NodeShown): void {
    if (chainId !== undefined) this.chainOk = chainId === this.chainId;
    if (head === undefined || head.hash === this.head?.hash) return;
    this.head = head;
    this.#headSinceMs = this.nowMs();
  }
}

/**
 * Returns the code of the error's cause if there is a cause: `ECONNREFUSED` is more specific than
 * "unavailable".
 */
function codeOf(error: unknown): string {
  if (!(error instanceof DomainError)) return 'UNEXPECTED_ERROR';
  const { cause } = error;
  const reason = cause instanceof DomainError ? cause.details['reason'] : undefined;
  const rpcCode = error.details['rpcCode'];
  if (typeof reason === 'string') return reason;
  return typeof rpcCode === 'number' ? `RPC_${rpcCode}` : error.code;
}
