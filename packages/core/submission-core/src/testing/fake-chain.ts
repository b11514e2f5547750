import { DomainError, type Felt } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { BlockRef } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';
import type {
  AccountCheck,
  AccountHistory,
  AccountProblem,
  AccountRange,
  AccountTransaction,
  Broadcaster,
  ChainHead,
  ChainReader,
  NonceHistory,
  SendAnswer,
} from '../ports/chain.port.js';
import { rangeOf, secondsOf } from './chain-view.js';
import { FakeNetwork } from './fake-network.js';
import { decodeFakeTransaction, type FakeTransaction } from './fake-transaction.js';

/** Error of a node that can't answer. */
export class FakeNodeDown extends DomainError {
  readonly code = 'NODE_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** Scripted response to one send. The node may have accepted the bytes with any response. */
export interface ScriptedSend {
  readonly answer: SendAnswer;
  readonly arrives: boolean;
  /**
   * Promise that must resolve before the response arrives. @default the response arrives at once
   */
  readonly after?: Promise<unknown>;
}

/**
 * Chain with a single node in memory, for transactions of {@link FakeSigner}. Accepts one
 * transaction per account and nonce, and applies rules for replacement, price and balance. Includes
 * transactions only when a test requests it. All accounts exist from the start, with nonce 0.
 */
export class FakeChain
  extends FakeNetwork
  implements Broadcaster, ChainReader, NonceHistory, AccountHistory, AccountCheck
{
  /**
   * Names of the nodes to which transactions are sent, the preferred node first. All names belong
   * to the same single node.
   */
  nodes: readonly string[] = ['node-0'];
  readonly #shown = new Map<Felt, TransactionStatus>();
  readonly #script: ScriptedSend[] = [];
  readonly #sent: Felt[] = [];
  readonly #sentTo: string[] = [];
  readonly #mayLand = new Map<Felt, FakeTransaction>();
  #failure: DomainError | null = null;
  #slow: Promise<unknown> | null = null;
  #otherHeads: (accounts: readonly Felt[]) => readonly Promise<ChainHead>[] = () => [];
  readonly #unreadable = new Set<Felt | number>();

  /** Node of every send that reached the network, in order. */
  get sentTo(): readonly string[] {
    return this.#sentTo;
  }

  /** Transaction hash of every send that reached the network, in order. */
  get sent(): readonly Felt[] {
    return this.#sent;
  }

  /**
   * Transactions, by hash, that reached the network and were not conclusively refused. Each of
   * these transactions may be included at any later time.
   */
  get mayLand(): ReadonlyMap<Felt, FakeTransaction> {
    return this.#mayLand;
  }

  nodeFor(last: string | null): string {
    return this.nodes.find((node) => node !== last) ?? 'node-0';
  }

  async send(bytes: Uint8Array, node = 'node-0'): Promise<SendAnswer> {
    const transaction = decodeFakeTransaction(bytes);
    if (transaction === null) return { kind: 'unclear', code: 'INVALID_REQUEST' };
    this.#sent.push(transaction.hash);
    this.#sentTo.push(node);
    this.meet(transaction);
    const scripted = this.#script.shift();
    const answer =
      scripted === undefined || scripted.arrives ? this.take(transaction) : scripted.answer;
    if (answer.kind !== 'refused') this.#mayLand.set(transaction.hash, transaction);
    await scripted?.after;
    return scripted?.answer ?? answer;
  }

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    await this.#answerOrFail();
    const { head } = this.blocks;
    return {
      chainId: this.chainId,
      blockNumber: head.number,
      blockHash: head.hash,
      timestamp: secondsOf(head),
      gasPrices: this.gasPrices,
      l1BlockNumber: this.l1BlockNumber,
      accounts: new Map(
        accounts.filter((one) => !this.#unreadable.has(one)).map((one) => [one, this.account(one)]),
      ),
    };
  }

  async heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]> {
    return [await this.head(accounts), ...(await Promise.all(this.#otherHeads(accounts)))];
  }

  async transactionStatuses(hashes: readonly Felt[]): Promise<readonly TransactionStatus[]> {
    await this.#answerOrFail();
    return hashes.map((hash) =>
      this.#unreadable.has(hash)
        ? { kind: 'unread' }
        : (this.#shown.get(hash) ?? this.reportedStatus(hash)),
    );
  }

  async blockHash(number: number): Promise<Felt | null> {
    await this.#answerOrFail(number);
    return this.blocks.block(number)?.hash ?? null;
  }

  async confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence> {
    await this.#answerOrFail();
    const requested = [...heights, first.number].filter((number) => !this.#unreadable.has(number));
    return this.blocks.evidence(first, requested, this.l1BlockNumber);
  }

  async consumerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    await this.#answerOrFail(account);
    const found = this.blocks.find(({ tx }) => tx.account === account && tx.nonce === nonce);
    return found?.consumer.hash ?? null;
  }

  async transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange> {
    await this.#answerOrFail();
    const blocks = this.blocks.blocks.slice(Math.max(from, 0), to + 1);
    // Blocks above the head are unreadable, like the blocks that the test has made unreadable.
    if (to > this.blocks.head.number || blocks.some(({ number }) => this.#unreadable.has(number))) {
      throw new FakeNodeDown('a block can not be read');
    }
    return rangeOf(blocks, accounts);
  }

  async transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null> {
    await this.#answerOrFail(hash);
    const found = this.blocks.find(({ tx }) => tx.hash === hash);
    if (found === null) throw new FakeNodeDown('the transaction is in no accepted block');
    return accounts.includes(found.sender) ? found : null;
  }

  async blockAt(timestamp: number): Promise<number> {
    await this.#answerOrFail();
    return this.blocks.heightAt(timestamp);
  }

  async problemOf(account: Felt): Promise<AccountProblem | null> {
    await this.#answerOrFail(account);
    return this.problem(account);
  }

  /**
   * Sets responses to the next sends. These responses are returned instead of the responses that
   * the node's rules would give.
   */
  script(...sends: readonly ScriptedSend[]): void {
    this.#script.push(...sends);
  }

  /** Sets additional nodes, each with its own head. */
  addNodes(...nodes: readonly Pick<ChainReader, 'head'>[]): void {
    this.#otherHeads = (accounts) => nodes.map((node) => node.head(accounts));
  }

  /** Overrides the node's status of a transaction hash; null ends the override. */
  show(hash: Felt, reportedStatus: TransactionStatus | null): void {
    if (reportedStatus === null) this.#shown.delete(hash);
    else this.#shown.set(hash, reportedStatus);
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  failReads(failure: DomainError | null = new FakeNodeDown('the node is down')): void {
    this.#failure = failure;
  }

  /**
   * Delays all following reads until `until` has resolved. Null ends the delay. The responses
   * contain the state after the delay.
   */
  slowReads(until: Promise<unknown> | null): void {
    this.#slow = until;
  }

  /**
   * Makes this hash or account, or the block of this height, unreadable. The node still answers for
   * all other hashes, accounts and blocks.
   */
  unreadable(what: Felt | number, isUnreadable = true): void {
    if (isUnreadable) this.#unreadable.add(what);
    else this.#unreadable.delete(what);
  }

  async #answerOrFail(about: Felt | number | null = null): Promise<void> {
    await this.#slow;
    if (this.#failure !== null) throw this.#failure;
    if (about !== null && this.#unreadable.has(about))
      throw new FakeNodeDown('the node can not read this');
  }
}
