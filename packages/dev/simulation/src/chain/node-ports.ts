import { toFelt, type Felt } from '@sotto/kernel';
import type {
  AccountCheck,
  AccountHistory,
  AccountProblem,
  AccountRange,
  AccountState,
  AccountTransaction,
  BlockRef,
  ChainEvidence,
  ChainHead,
  ChainReader,
  NonceHistory,
  TransactionStatus,
} from '@sotto/submission-core';
import { FakeNodeDown, rangeOf, secondsOf } from '@sotto/submission-core/testing';
import type { Random } from '../random.js';
import { pays, type Block } from './chain.js';
import type { Network } from './network.js';
import type { Replica } from './replica.js';

export const CHAIN_ID = toFelt('0x534e5f53494d');

/** Kinds of transaction status, sorted from least to most information. */
const KNOWN: readonly TransactionStatus['kind'][] = [
  'unread',
  'unknown',
  'waiting',
  'pre_confirmed',
  'accepted',
];

export interface NodeFaults {
  /** Probability that an item of a batch read is unreadable. */
  unread: number;
  /** False if nodes do not report which blocks L1 has accepted. */
  readonly reportsL1: boolean;
  /** True if all replicas share one URL; false if each is a separate node. */
  readonly isOneUrl: boolean;
}

/** Ports that read the simulated chain. A randomly chosen replica answers each call. */
export class NodePorts implements ChainReader, NonceHistory, AccountHistory, AccountCheck {
  constructor(
    private readonly network: Network,
    private readonly random: Random,
    private readonly faults: NodeFaults,
  ) {}

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    return this.#headOf(this.#replica(), accounts);
  }

  /**
   * Returns the heads of all working nodes. If all replicas share one URL, only one of them
   * answers, because a client cannot query each replica.
   */
  async heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]> {
    const requested = this.faults.isOneUrl ? [this.#replica()] : this.#working();
    return requested.map((replica) => this.#headOf(replica, accounts));
  }

  #headOf(replica: Replica, accounts: readonly Felt[]): ChainHead {
    const { head } = replica;
    const read = accounts.flatMap((address): [Felt, AccountState][] => {
      const account = head.accounts.get(address);
      return account === undefined || this.random.chance(this.faults.unread)
        ? []
        : [[address, account]];
    });
    return {
      chainId: CHAIN_ID,
      blockNumber: head.number,
      blockHash: head.hash,
      timestamp: timestampOf(replica),
      gasPrices: { l2GasFri: head.l2PriceFri, l1GasFri: 1_000n, l1DataGasFri: 1_000n },
      l1BlockNumber: this.#l1HeightOf(replica),
      accounts: new Map(read),
    };
  }

  async transactionStatuses(
    hashes: readonly Felt[],
    sentTo: ReadonlyMap<Felt, string> = new Map(),
  ): Promise<readonly TransactionStatus[]> {
    const replica = this.#replica();
    return hashes.map((hash) => {
      const name = sentTo.get(hash);
      const node = name === undefined ? replica : this.network.named(name);
      const first = this.#reportedStatus(replica, hash);
      if (node === replica || node.isDown) return first;
      const own = this.#reportedStatus(node, hash);
      return KNOWN.indexOf(own.kind) > KNOWN.indexOf(first.kind) ? own : first;
    });
  }

  async blockHash(number: number): Promise<Felt | null> {
    return this.#replica().block(number)?.hash ?? null;
  }

  async confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence> {
    const replica = this.#replica();
    return replica.evidence(first, [...heights, first.number], this.#l1HeightOf(replica));
  }

  async consumerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    const found = this.#replica().find(({ tx }) => tx.account === account && tx.nonce === nonce);
    return found?.consumer.hash ?? null;
  }

  /**
   * Reads each block with a separate request. Each request may be answered by a different replica.
   */
  async transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange> {
    const blocks: Block[] = [];
    for (let number = from; number <= to; number += 1) {
      const replica = this.#replica();
      const block = replica.block(number);
      const before = blocks.at(-1);
      if (block === undefined) throw new FakeNodeDown(`block ${number} can't be read`);
      if (before !== undefined && replica.block(number - 1)?.hash !== before.hash)
        throw new FakeNodeDown(`block ${number} does not name the one before it`);
      blocks.push(block);
    }
    return rangeOf(blocks, accounts);
  }

  async transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null> {
    const found = this.#replica().find(({ tx }) => tx.hash === hash);
    if (found === null) throw new FakeNodeDown('the transaction is in no accepted block');
    return accounts.includes(found.sender) ? found : null;
  }

  async blockAt(timestamp: number): Promise<number> {
    return this.#replica().heightAt(timestamp);
  }

  async problemOf(account: Felt): Promise<AccountProblem | null> {
    return this.network.chain.broken.get(account) ?? null;
  }

  /**
   * Returns true if, in the accepted chain of some replica, the contract with nullifiers has paid
   * this key.
   */
  isSpent(key: number): boolean {
    return this.#replica().find((inclusion) => pays(inclusion, key)) !== null;
  }

  /** Returns the transaction with which the contract with nullifiers paid this key. */
  async paymentOf(key: number): Promise<AccountTransaction> {
    const found = this.#replica().find((inclusion) => pays(inclusion, key));
    if (found === null) throw new FakeNodeDown('the payment is in no accepted block');
    return found;
  }

  #l1HeightOf({ head, nonsense, l1Height }: Replica): number | null {
    if (!this.faults.reportsL1) return null;
    return nonsense === 'an L1 height above its head' ? head.number + 1_000 : l1Height;
  }

  #reportedStatus(node: Replica, hash: Felt): TransactionStatus {
    const { chain, pool } = this.network;
    return this.random.chance(this.faults.unread)
      ? { kind: 'unread' }
      : node.reportedStatus(hash, chain, pool);
  }

  #replica(): Replica {
    return this.random.pick(this.#working());
  }

  #working(): readonly Replica[] {
    const working = this.network.replicas.filter(({ isDown }) => !isDown);
    if (working.length === 0) throw new FakeNodeDown('every node is down');
    return working;
  }
}

/** Error of the clock of a broken node, in seconds. */
const OFF_BY_S = 86_400 * 365;

function timestampOf({ head, nonsense }: Replica): number {
  const timestamp = secondsOf(head);
  if (nonsense === 'a time in the future') return timestamp + OFF_BY_S;
  return nonsense === 'a time in the past' ? 0 : timestamp;
}
