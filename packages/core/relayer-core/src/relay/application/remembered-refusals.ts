import type { ErrorCode } from '@sotto/facts';
import { settle, type DomainError } from '@sotto/kernel';
import { ProofInvalid } from '../../errors.js';
import { SimulationReverted, type LatestBlock } from '@sotto/submission-core';

/**
 * Refusals that rest on what a proof states, on the chain and on prices, and on no caller. A spent
 * note is not one of them: its spending is looked up until it is found, and may be this service's
 * own. Nor is a cost beyond a quote: the quote stays usable as soon as the cost falls.
 */
const OF_STATEMENT: ReadonlySet<string> = new Set([
  'FEE_TOO_LOW',
  'FEE_ABOVE_POOL_MAXIMUM',
  'WITHDRAWAL_UNPROFITABLE',
  'BATCH_OUT_OF_BOUNDS',
  'ROOT_UNKNOWN',
  'LEAF_UNKNOWN',
] satisfies readonly ErrorCode[]);

const MAX_REFUSALS = 2_000;

/** Request as its refusals know it. */
export interface RefusedRequest {
  /** Name of what its proof states, and of the quote that it cites. */
  readonly statement: string;
  /** The same with the name of its caller. */
  readonly statementOfCaller: string;
  /** Name of all of it. Anybody can change the felts of hints, or words beside the proof. */
  readonly content: string;
}

interface Remembered {
  readonly block: number;
  readonly refusal: DomainError;
}

/**
 * Remembers refusals until the next block: the same statement has the same answer until then, at
 * the cost of no read. Another proof of it may hold, so an invalid one is remembered by its felts
 * and a reverting simulation by its caller: junk hints cost one simulation for each address and
 * block. The block is read after the refusal, so a refusal may be returned for one block longer.
 */
export class RememberedRefusals {
  /** Oldest first. */
  readonly #byName = new Map<string, Remembered>();

  constructor(private readonly latestBlock: Pick<LatestBlock, 'number'>) {}

  /** The refusal of this request in the latest block; null without one. */
  async find({
    statement,
    statementOfCaller,
    content,
  }: RefusedRequest): Promise<DomainError | null> {
    for (const name of [statement, statementOfCaller, content]) {
      const remembered = this.#byName.get(name);
      if (remembered === undefined) continue;
      const block = await settle(this.latestBlock.number());
      if (block.known && block.value === remembered.block) return remembered.refusal;
      this.#byName.delete(name);
    }
    return null;
  }

  async remember(request: RefusedRequest, refusal: DomainError): Promise<void> {
    const name = nameFor(refusal, request);
    if (name === null) return;
    const block = await settle(this.latestBlock.number());
    if (!block.known) return;
    this.#byName.delete(name);
    this.#byName.set(name, { block: block.value, refusal });
    for (const oldest of this.#byName.keys()) {
      if (this.#byName.size <= MAX_REFUSALS) break;
      this.#byName.delete(oldest);
    }
  }
}

/** Name under which the refusal is remembered; null if it is not. */
function nameFor({ code }: DomainError, request: RefusedRequest): string | null {
  if (OF_STATEMENT.has(code)) return request.statement;
  if (code === SimulationReverted.code) return request.statementOfCaller;
  return code === ProofInvalid.code ? request.content : null;
}
