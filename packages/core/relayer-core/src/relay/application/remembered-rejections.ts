import type { ErrorCode } from '@sotto/facts';
import { settle, type DomainError } from '@sotto/kernel';
import { ProofInvalid } from '../../errors.js';
import { SimulationReverted, type LatestBlock } from '@sotto/submission-core';

/**
 * Codes of errors that depend only on the proof's statement and the chain, and not on the caller.
 * The error for a spent note is not included: this service may have sent the spending
 * transaction itself, so each request searches for it. The error for a cost above a quote is not
 * included either: if the cost falls, the quote can be used again.
 */
const OF_STATEMENT: ReadonlySet<string> = new Set([
  'FEE_ABOVE_POOL_MAXIMUM',
  'BATCH_OUT_OF_BOUNDS',
  'ROOT_UNKNOWN',
  'LEAF_UNKNOWN',
] satisfies readonly ErrorCode[]);

/**
 * Codes of errors that also depend on prices, on the cited quote and on the amount of STRK for the
 * recipient.
 */
const OF_TERMS: ReadonlySet<string> = new Set([
  'FEE_TOO_LOW',
  'WITHDRAWAL_UNPROFITABLE',
] satisfies readonly ErrorCode[]);

const MAX_REJECTIONS = 2_000;

/** Request, identified by the values on which its rejection depends. */
export interface RefusedRequest {
  /** Cache name of the proof's statement. */
  readonly statement: string;
  /** Cache name of the statement, the cited quote and the amount of STRK for the recipient. */
  readonly terms: string;
  /** Cache name of the statement together with the caller. */
  readonly statementOfCaller: string;
  /**
   * Cache name of the whole request. The name depends on hint felts and on parameters other than
   * the proof, which any caller can change.
   */
  readonly content: string;
}

interface Remembered {
  readonly block: number;
  readonly rejection: DomainError;
}

/**
 * Caches rejections until the next block: until then a request with the same statement is rejected
 * for the same reason, without reading the chain.
 *
 * A different proof of the same statement may be valid. Therefore an invalid proof is cached by its
 * felts, and a reverting simulation by its caller. So junk hints cost one simulation per address
 * and block, with any quote and any amount of STRK for the recipient. The block number is read
 * after the rejection, so a rejection may be returned for one block longer.
 */
export class RememberedRejections {
  /** Cached rejections, oldest first. */
  readonly #byName = new Map<string, Remembered>();

  constructor(private readonly latestBlock: Pick<LatestBlock, 'number'>) {}

  /**
   * Returns the cached rejection of this request for the latest block; null if no rejection is
   * cached.
   */
  async find({
    statement,
    terms,
    statementOfCaller,
    content,
  }: RefusedRequest): Promise<DomainError | null> {
    for (const name of [statement, terms, statementOfCaller, content]) {
      const remembered = this.#byName.get(name);
      if (remembered === undefined) continue;
      const block = await settle(this.latestBlock.number());
      if (block.known && block.value === remembered.block) return remembered.rejection;
      this.#byName.delete(name);
    }
    return null;
  }

  async remember(request: RefusedRequest, rejection: DomainError): Promise<void> {
    const name = nameFor(rejection, request);
    if (name === null) return;
    const block = await settle(this.latestBlock.number());
    if (!block.known) return;
    this.#byName.delete(name);
    this.#byName.set(name, { block: block.value, rejection });
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= MAX_REJECTIONS) break;
      this.#byName.delete(oldest);
    }
  }
}

/** Returns the name under which the error is cached; null if this error is never cached. */
function nameFor({ code }: DomainError, request: RefusedRequest): string | null {
  if (OF_STATEMENT.has(code)) return request.statement;
  if (OF_TERMS.has(code)) return request.terms;
  if (code === SimulationReverted.code) return request.statementOfCaller;
  return code === ProofInvalid.code ? request.content : null;
}
