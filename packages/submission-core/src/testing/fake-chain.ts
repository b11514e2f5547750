import { createHash } from 'node:crypto';
import { Fault, toFelt, type Felt } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { ExecutionStatus } from '../domain/rows.js';
import type { AccountState, Broadcaster, ChainHead, ChainReader, NonceHistory, SendAnswer } from '../ports/chain.port.js';
import type { TransactionSighting } from '../domain/sighting.js';
import { decodeFakeTransaction, type FakeTransaction } from './fake-transaction.js';

/** A node that can't answer. */
export class FakeNodeDown extends Fault {
  readonly code = 'NODE_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** What one send is answered with, and whether the node took the bytes whatever it answered. */
export interface ScriptedSend {
  readonly answer: SendAnswer;
  readonly arrives: boolean;
  /** The answer comes when this has resolved. @default at once */
  readonly after?: Promise<unknown>;
}

/** How a transaction is executed. */
export interface FakeExecution {
  /** @default 'SUCCEEDED' */
  readonly execution?: ExecutionStatus;
  /** @default null, or 'reverted' for a REVERTED one */
  readonly revertReason?: string | null;
  /** @default 0.001 STRK */
  readonly feeFri?: bigint;
}

type Stage = 'sent' | 'waiting' | 'pre_confirmed' | 'accepted';

interface Known {
  readonly transaction: FakeTransaction;
  /** `sent`: was on the wire once, and the node does not (or no longer) have it. */
  readonly stage: Stage;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
  readonly blockNumber: number;
}

const DEFAULT_BALANCE_FRI = 10n ** 24n;
const DEFAULT_FEE_FRI = 10n ** 15n;
const UNPROVEN_NONCE: SendAnswer = { kind: 'unclear', code: 'INVALID_TRANSACTION_NONCE' };

/**
 * One chain and its only node in memory, for transactions of {@link FakeSigner}: takes one transaction per account and nonce,
 * knows replacement, price and balance rules, and includes only what it is told to. Accounts exist from the start with nonce 0.
 */
export class FakeChain implements Broadcaster, ChainReader, NonceHistory {
  readonly #known = new Map<Felt, Known>();
  readonly #accounts = new Map<Felt, AccountState>();
  readonly #takers = new Map<string, Felt>();
  readonly #shown = new Map<Felt, TransactionSighting>();
  readonly #script: ScriptedSend[] = [];
  readonly #sent: Felt[] = [];
  readonly #included: Felt[] = [];
  readonly #mayLand = new Map<Felt, FakeTransaction>();
  #gasPrices: GasPrices = { l2GasFri: 8_000_000_000n, l1GasFri: 20_000_000_000_000n, l1DataGasFri: 1_000_000n };
  #blockNumber = 0;
  #fault: Fault | null = null;
  #slow: Promise<unknown> | null = null;

  /** Hash of every request on the wire, in order. */
  get sent(): readonly Felt[] {
    return this.#sent;
  }

  /** Hash of everything included, in order. */
  get included(): readonly Felt[] {
    return this.#included;
  }

  /** Everything that was on the wire and was not truly refused, by hash: it may reach the chain at any later time. */
  get mayLand(): ReadonlyMap<Felt, FakeTransaction> {
    return this.#mayLand;
  }

  /** Takers of the account's nonces from 0 on, in order, up to the first nonce that nothing has taken; those of the pre-confirmed block come last. */
  takers(account: Felt): readonly { readonly hash: Felt; readonly execution: ExecutionStatus; readonly accepted: boolean }[] {
    return [...this.#known.values()]
      .filter(({ stage, transaction }) => transaction.account === account && (stage === 'accepted' || stage === 'pre_confirmed'))
      .toSorted((a, b) => Number(a.transaction.nonce - b.transaction.nonce))
      .filter(({ transaction }, index) => transaction.nonce === BigInt(index))
      .map(({ transaction, execution, stage }) => ({ hash: transaction.hash, execution, accepted: stage === 'accepted' }));
  }

  async send(bytes: Uint8Array): Promise<SendAnswer> {
    const transaction = decodeFakeTransaction(bytes);
    if (transaction === null) return { kind: 'unclear', code: 'INVALID_REQUEST' };
    this.#sent.push(transaction.hash);
    if (!this.#known.has(transaction.hash)) this.#put(transaction, 'sent');
    const scripted = this.#script.shift();
    const answer = scripted === undefined || scripted.arrives ? this.#take(transaction) : scripted.answer;
    if (answer.kind !== 'refused') this.#mayLand.set(transaction.hash, transaction);
    await scripted?.after;
    return scripted?.answer ?? answer;
  }

  async head(accounts: readonly Felt[]): Promise<ChainHead> {
    await this.#answerOrFail();
    return {
      blockNumber: this.#blockNumber,
      gasPrices: this.#gasPrices,
      accounts: new Map(accounts.map((account) => [account, this.#account(account)])),
    };
  }

  async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    await this.#answerOrFail();
    return hashes.map((hash) => this.#shown.get(hash) ?? this.#sighting(hash));
  }

  async takerOf(account: Felt, nonce: bigint): Promise<Felt | null> {
    await this.#answerOrFail();
    return this.#takers.get(`${account}:${nonce}`) ?? null;
  }

  /** The next sends are answered with these instead of by the node's rules. */
  script(...sends: readonly ScriptedSend[]): void {
    this.#script.push(...sends);
  }

  /** Overrides what the node says of a hash; null ends it. */
  show(hash: Felt, sighting: TransactionSighting | null): void {
    if (sighting === null) this.#shown.delete(hash);
    else this.#shown.set(hash, sighting);
  }

  /** Every read rejects with it until null is given. */
  failReads(fault: Fault | null = new FakeNodeDown('the node is down')): void {
    this.#fault = fault;
  }

  /** Reads that begin before null is given are answered when `until` has resolved, with what is true then. */
  slowReads(until: Promise<unknown> | null): void {
    this.#slow = until;
  }

  setGasPrices(prices: Partial<GasPrices>): void {
    this.#gasPrices = { ...this.#gasPrices, ...prices };
  }

  setBalance(account: Felt, balanceFri: bigint): void {
    this.#accounts.set(account, { ...this.#account(account), balanceFri });
  }

  /** The account's nonce without the transactions that led there: a node that has the state and not yet the blocks. */
  setNonce(account: Felt, nonce: bigint): void {
    this.#accounts.set(account, { ...this.#account(account), nonce });
  }

  /** Bytes that were on the wire before reach the node only now. */
  deliver(hash: Felt): SendAnswer {
    return this.#take(this.#get(hash).transaction);
  }

  preConfirm(hash: Felt, how: FakeExecution = {}): void {
    const { account } = this.#get(hash).transaction;
    const ahead = [...this.#known.values()].filter(
      ({ stage, transaction }) => stage === 'pre_confirmed' && transaction.account === account,
    );
    this.#assertTurn(hash, ['waiting'], this.#account(account).nonce + BigInt(ahead.length));
    this.#execute(hash, 'pre_confirmed', how);
  }

  /** A reorg of the pre-confirmed block, a replacement elsewhere or a life that ran out: the node forgets the transaction. */
  drop(hash: Felt): void {
    const { transaction, stage } = this.#get(hash);
    if (stage === 'accepted') throw new Error('an accepted transaction stays');
    this.#put(transaction, 'sent');
  }

  /** Includes a transaction that the node has, in a block of its own at ACCEPTED_ON_L2. */
  include(hash: Felt, how: FakeExecution = {}): void {
    const { account } = this.#get(hash).transaction;
    this.#assertTurn(hash, ['waiting', 'pre_confirmed'], this.#account(account).nonce);
    this.#execute(hash, 'accepted', how);
    this.#settle(account, hash, this.#get(hash).feeFri);
  }

  /** Includes everything that the node has and whose turn it is, lowest nonce first. */
  includeAll(how: FakeExecution = {}): void {
    const pending = [...this.#known.values()].filter(({ stage }) => stage === 'waiting' || stage === 'pre_confirmed');
    for (const { transaction } of pending.toSorted((a, b) => Number(a.transaction.nonce - b.transaction.nonce))) {
      if (transaction.nonce === this.#account(transaction.account).nonce) this.include(transaction.hash, how);
    }
  }

  /** Somebody with the same key takes the account's next nonce. */
  includeStranger(account: Felt): Felt {
    const { nonce } = this.#account(account);
    const digest = createHash('sha256').update(`stranger|${account}|${nonce}`).digest('hex');
    const hash = toFelt(`0x${digest.slice(2)}`);
    this.#put({ hash, account, nonce, l2MaxPriceFri: 0n, tipFri: 0n, worstCaseFri: 0n }, 'sent');
    this.#execute(hash, 'accepted', {});
    this.#settle(account, hash, DEFAULT_FEE_FRI);
    return hash;
  }

  #take(transaction: FakeTransaction): SendAnswer {
    const { hash, account, nonce } = transaction;
    const { nonce: next, balanceFri } = this.#account(account);
    if (nonce < next) return UNPROVEN_NONCE;
    if (this.#get(hash).stage !== 'sent') return { kind: 'taken' };
    if (transaction.l2MaxPriceFri < this.#gasPrices.l2GasFri) return refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price');
    if (transaction.worstCaseFri > balanceFri) return refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds');
    const rival = [...this.#known.values()].find(
      (other) => other.stage !== 'sent' && other.transaction.account === account && other.transaction.nonce === nonce,
    );
    if (rival !== undefined) {
      if (rival.stage !== 'waiting' || !outbids(transaction, rival.transaction)) return UNPROVEN_NONCE;
      this.#put(rival.transaction, 'sent');
    }
    this.#put(transaction, 'waiting');
    return { kind: 'taken' };
  }

  #assertTurn(hash: Felt, stages: readonly Stage[], nonce: bigint): void {
    const { transaction, stage } = this.#get(hash);
    if (!stages.includes(stage)) throw new Error(`the transaction is ${stage}`);
    if (transaction.nonce !== nonce) throw new Error(`the next nonce is ${nonce}`);
  }

  #execute(hash: Felt, stage: Stage, { execution = 'SUCCEEDED', revertReason, feeFri = DEFAULT_FEE_FRI }: FakeExecution): void {
    const { transaction } = this.#get(hash);
    if (stage === 'accepted') this.#blockNumber += 1;
    this.#known.set(hash, {
      transaction,
      stage,
      execution,
      revertReason: execution === 'SUCCEEDED' ? null : (revertReason ?? 'reverted'),
      feeFri,
      blockNumber: this.#blockNumber,
    });
  }

  #settle(account: Felt, hash: Felt, feeFri: bigint): void {
    const { nonce, balanceFri } = this.#account(account);
    this.#takers.set(`${account}:${nonce}`, hash);
    this.#included.push(hash);
    this.#accounts.set(account, { nonce: nonce + 1n, balanceFri: balanceFri - feeFri });
    for (const { transaction } of this.#known.values()) {
      if (transaction.account === account && transaction.nonce === nonce && transaction.hash !== hash) this.#put(transaction, 'sent');
    }
  }

  #sighting(hash: Felt): TransactionSighting {
    const known = this.#known.get(hash);
    if (known === undefined || known.stage === 'sent') return { kind: 'unknown' };
    if (known.stage === 'waiting') return { kind: 'waiting' };
    const { execution, revertReason, feeFri, blockNumber } = known;
    if (known.stage === 'pre_confirmed') return { kind: 'pre_confirmed', execution, revertReason };
    return { kind: 'accepted', execution, revertReason, feeFri, blockNumber };
  }

  #account(account: Felt): AccountState {
    return this.#accounts.get(account) ?? { nonce: 0n, balanceFri: DEFAULT_BALANCE_FRI };
  }

  #get(hash: Felt): Known {
    const known = this.#known.get(hash);
    if (known === undefined) throw new Error('this transaction was never sent');
    return known;
  }

  #put(transaction: FakeTransaction, stage: 'sent' | 'waiting'): void {
    this.#known.set(transaction.hash, { transaction, stage, execution: 'SUCCEEDED', revertReason: null, feeFri: 0n, blockNumber: 0 });
  }

  async #answerOrFail(): Promise<void> {
    await this.#slow;
    if (this.#fault !== null) throw this.#fault;
  }
}

function refused(code: string, cause: 'price' | 'funds'): SendAnswer {
  return { kind: 'refused', code, cause };
}

/** Both the L2 price and the tip must be a tenth higher, but a tip of 0 may stay. */
function outbids(by: FakeTransaction, rival: FakeTransaction): boolean {
  return by.l2MaxPriceFri * 10n >= rival.l2MaxPriceFri * 11n && by.tipFri * 10n >= rival.tipFri * 11n;
}
