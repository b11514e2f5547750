import type { Felt } from '@sotto/kernel';
import type { ChainEvidence, ChainHead, TransactionStatus } from '../../src/index.js';
import type { FakeChain } from '../../src/testing/index.js';

/**
 * Kinds of requests to the single address of two replicas. Each kind may be answered by either
 * replica.
 */
type Question = 'head' | 'statuses' | 'blocks';
export type Answers = Readonly<Record<Question, 'live' | 'old'>>;

export const LIVE: Answers = { head: 'live', statuses: 'live', blocks: 'live' };

/** All combinations of the two replicas for the three requests of one poll. */
export const MIXES: readonly Answers[] = (['live', 'old'] as const).flatMap((head) =>
  (['live', 'old'] as const).flatMap((statuses) =>
    (['live', 'old'] as const).map((blocks) => ({ head, statuses, blocks })),
  ),
);

interface View {
  readonly head: ChainHead;
  readonly statuses: ReadonlyMap<Felt, TransactionStatus>;
  readonly blocks: ReadonlyMap<number, Felt>;
}

/**
 * Two replicas behind the address of a chain: the chain itself, and a replica that remains at the
 * chain's state at creation. A test selects the replica that answers each kind of request.
 */
export class Replicas {
  answers: Answers = LIVE;

  private constructor(private readonly old: View) {}

  static async behind(chain: FakeChain, accounts: readonly Felt[]): Promise<Replicas> {
    const head = await chain.head(accounts);
    const heights = Array.from({ length: head.blockNumber + 1 }, (_, height) => height);
    const statuses = await chain.transactionStatuses(chain.sent);
    const hashes = await Promise.all(heights.map((height) => chain.blockHash(height)));
    const replicas = new Replicas({
      head,
      statuses: new Map(chain.sent.map((hash, index) => [hash, statuses[index] ?? UNKNOWN])),
      blocks: new Map(hashes.flatMap((hash, height) => (hash === null ? [] : [[height, hash]]))),
    });
    replicas.#answerFor(chain);
    return replicas;
  }

  #answerFor(chain: FakeChain): void {
    const { old } = this;
    const live = {
      head: chain.head.bind(chain),
      statuses: chain.transactionStatuses.bind(chain),
      blockHash: chain.blockHash.bind(chain),
      confirm: chain.confirm.bind(chain),
    };
    chain.head = async (accounts) => (this.answers.head === 'old' ? old.head : live.head(accounts));
    chain.transactionStatuses = async (hashes) =>
      this.answers.statuses === 'old'
        ? hashes.map((hash) => old.statuses.get(hash) ?? UNKNOWN)
        : live.statuses(hashes);
    chain.blockHash = async (number) =>
      this.answers.blocks === 'old' ? (old.blocks.get(number) ?? null) : live.blockHash(number);
    chain.confirm = async (first, heights): Promise<ChainEvidence> => {
      if (this.answers.blocks === 'live') return live.confirm(first, heights);
      const { blockNumber: number, blockHash: hash, l1BlockNumber } = old.head;
      const shown = [...heights, first.number].flatMap((height): [number, Felt][] => {
        const known = old.blocks.get(height);
        return known === undefined ? [] : [[height, known]];
      });
      return { first, last: { number, hash }, blocks: new Map(shown), l1BlockNumber };
    };
  }
}

const UNKNOWN: TransactionStatus = { kind: 'unknown' };
