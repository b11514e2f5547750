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

/** So many failures of single calls in a row mean that the node as a whole does not work. */
const FAILURES_TO_DOWN = 5;
/** So many looks in a row bring a node back that was down: one that comes and goes stays out. */
const LOOKS_TO_UP = 2;
/** How much one answer or failure counts in the share of answers. */
const SHARE_WEIGHT = 0.1;
/** A node that takes so long to answer a look has half the score of one that takes no time. */
const HALF_SCORE_MS = 1_000;
const BEHIND_FACTOR = 0.2;
const CONTRADICTED_FACTOR = 0.5;

/** Whether another node may answer what this one did not: it gave no answer of the chain's. */
export function isOfTheNode(error: unknown): boolean {
  return (
    error instanceof UpstreamTimedOut ||
    error instanceof NodeMalformedAnswer ||
    (error instanceof NodeUnavailable && !isBlockNotFound(error))
  );
}

/** How well one node has answered of late. */
export class NodeHealth {
  /** Null before the node has said which chain it serves. */
  chainOk: boolean | null = null;
  head: NodeHead | null = null;
  lastErrorCode: string | null = null;
  /** As the last comparison with the others showed it. */
  isBehind = false;
  /** Another one is confirmed by more nodes. */
  isContradicted = false;
  disagreements: readonly NodeDisagreement[] = [];
  #headSinceMs = 0;
  #isUp = false;
  #wasUp = false;
  #failures = 0;
  #goodLooks = 0;
  #answerShare = 1;
  #lookMs: number | null = null;

  constructor(
    private readonly chainId: Felt,
    private readonly nowMs: () => number,
  ) {}

  get isUp(): boolean {
    return this.#isUp && this.chainOk !== false;
  }

  /** How long the node has shown no other head. */
  get headAgeMs(): number | null {
    return this.head === null ? null : this.nowMs() - this.#headSinceMs;
  }

  /** From 0, not to be used, to 1. */
  get score(): number {
    if (!this.isUp) return 0;
    const speed = HALF_SCORE_MS / (HALF_SCORE_MS + (this.#lookMs ?? 0));
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

  /** Looks ask every node the same, so that their times can be compared. */
  answeredLook(tookMs: number): void {
    this.#lookMs = tookMs;
    this.#goodLooks += 1;
    if (!this.#wasUp || this.#goodLooks >= LOOKS_TO_UP) this.revive();
  }

  revive(): void {
    this.#isUp = true;
    this.#wasUp = true;
  }

  /** A node that can't be reached is down at once; one that fails single calls, when it goes on. */
  failed(error: unknown): void {
    this.lastErrorCode = codeOf(error);
    this.#goodLooks = 0;
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

/** The cause's own code where there is one: `ECONNREFUSED` says more than "unavailable". */
function codeOf(error: unknown): string {
  if (!(error instanceof DomainError)) return 'UNEXPECTED_ERROR';
  const { cause } = error;
  const reason = cause instanceof DomainError ? cause.details['reason'] : undefined;
  const rpcCode = error.details['rpcCode'];
  if (typeof reason === 'string') return reason;
  return typeof rpcCode === 'number' ? `RPC_${rpcCode}` : error.code;
}
