import type { ErrorCode } from '@sotto/facts';
import type { DomainError } from '@sotto/kernel';
import type { LatestBlock } from '../ports/latest-block.port.js';
import { settle } from './result.js';

/**
 * Refusals that rest on the proof, on the chain and on prices, and on no caller. A spent note is
 * not one of them: its spending is looked up until it is found, and may be this service's own. Nor
 * is a cost beyond a quote: the quote stays usable as soon as the cost falls.
 */
const OF_CONTENT: ReadonlySet<string> = new Set([
  'FEE_TOO_LOW',
  'FEE_ABOVE_POOL_MAXIMUM',
  'WITHDRAWAL_UNPROFITABLE',
  'BATCH_OUT_OF_BOUNDS',
  'ROOT_UNKNOWN',
  'PROOF_INVALID',
  'SIMULATION_REVERTED',
  'LEAF_UNKNOWN',
] satisfies readonly ErrorCode[]);

const MAX_REFUSALS = 2_000;

interface Remembered {
  readonly block: number;
  readonly refusal: DomainError;
}

/**
 * Remembers refusals until the next block: the same content has the same answer until then, at the
 * cost of no read. The key is of the whole content, since a changed proof may hold. The block is
 * read after the refusal, so a refusal may be returned for one block longer.
 */
export class RememberedRefusals {
  /** Oldest first. */
  readonly #byContent = new Map<string, Remembered>();

  constructor(private readonly latestBlock: Pick<LatestBlock, 'number'>) {}

  /** The refusal of this content in the latest block; null without one. */
  async find(content: string): Promise<DomainError | null> {
    const remembered = this.#byContent.get(content);
    if (remembered === undefined) return null;
    const block = await settle(this.latestBlock.number());
    if (block.known && block.value === remembered.block) return remembered.refusal;
    this.#byContent.delete(content);
    return null;
  }

  async remember(content: string, refusal: DomainError): Promise<void> {
    if (!OF_CONTENT.has(refusal.code)) return;
    const block = await settle(this.latestBlock.number());
    if (!block.known) return;
    this.#byContent.delete(content);
    this.#byContent.set(content, { block: block.value, refusal });
    for (const oldest of this.#byContent.keys()) {
      if (this.#byContent.size <= MAX_REFUSALS) break;
      this.#byContent.delete(oldest);
    }
  }
}
