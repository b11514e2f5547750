import { toFelt, type Felt } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { ExecutionStatus } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';
import {
  NONCE_REFUSED,
  type AccountProblem,
  type AccountState,
  type SendAnswer,
} from '../ports/chain.port.js';
import type { FakeReceipt } from './chain-view.js';
import { FakeBlocks } from './fake-blocks.js';
import { FakeMempool, refused, unclear } from './fake-mempool.js';
import { foreignTransaction, type FakeTransaction } from './fake-transaction.js';

/** Execution result that a test sets for a transaction. */
export interface FakeExecution {
  /** @default 'SUCCEEDED' */
  readonly execution?: ExecutionStatus;
  /** @default null, or 'reverted' for a REVERTED transaction */
  readonly revertReason?: string | null;
  /** @default 0.001 STRK */
  readonly feeFri?: bigint;
}

export interface FakeChainOptions {
  /** @default 'SN_TEST' as a short string */
  readonly chainId?: Felt;
  /**
   * Name of the chain. Chains with the same id and different names have different first blocks,
   * like a restarted development chain.
   * @default 'fake'
   */
  readonly name?: string;
  /**
   * Returns the timestamp of a block that is built now, in seconds. @default blocks that are two
   * seconds apart
   */
  readonly nowSeconds?: (blockNumber: number) => number;
}

const DEFAULT_BALANCE_FRI = 10n ** 24n;
const DEFAULT_FEE_FRI = 10n ** 15n;
const TEST_CHAIN_ID = toFelt(`0x${Buffer.from('SN_TEST').toString('hex')}`);
const FIRST_TIMESTAMP = 1_700_000_000;
/** Code with which the node rejects transactions of an account that has this problem. */
const REJECTION_OF: Readonly<Record<AccountProblem, string>> = {
  NOT_DEPLOYED: 'VALIDATION_FAILURE',
  NO_ACCOUNT_CLASS: 'NON_ACCOUNT',
  WRONG_KEY: 'VALIDATION_FAILURE',
};

/**
 * Network behind a {@link FakeChain}: blocks, accounts and waiting transactions. Only a test
 * changes the network, and every change is immediate.
 */
export class FakeNetwork {
  /** Every transaction that has ever reached the network, whether or not it is in the mempool. */
  readonly #met = new Map<Felt, FakeTransaction>();
  readonly #problems = new Map<Felt, AccountProblem>();
  readonly #refusing = new Map<Felt, string>();
  readonly #pool: FakeMempool;
  #reportsL1 = false;
  protected readonly blocks: FakeBlocks;
  protected gasPrices: GasPrices = {
    l2GasFri: 8_000_000_000n,
    l1GasFri: 20_000_000_000_000n,
    l1DataGasFri: 1_000_000n,
  };
  protected chainId: Felt;

  constructor({
    chainId = TEST_CHAIN_ID,
    name = 'fake',
    nowSeconds = (number) => FIRST_TIMESTAMP + 2 * number,
  }: FakeChainOptions = {}) {
    this.chainId = chainId;
    this.blocks = new FakeBlocks({
      name,
      balanceFri: DEFAULT_BALANCE_FRI,
      l2PriceFri: this.gasPrices.l2GasFri,
      nowMs: (number) => nowSeconds(number) * 1_000,
    });
    this.#pool = new FakeMempool(this.blocks, {
      nowMs: () => 0,
      rejectionOf: ({ account }) => {
        const code = this.#refusing.get(account);
        return code === undefined ? null : refused(code, 'account');
      },
    });
  }

  /** Hashes of all included transactions that no rollback has undone, in order. */
  get included(): readonly Felt[] {
    return this.blocks.blocks.flatMap(({ inclusions }) => inclusions).map(({ tx }) => tx.hash);
  }

  /**
   * Returns the transactions that used the account's nonces, in order from nonce 0 up to the first
   * unused nonce. Transactions of the pre-confirmed block come last.
   */
  consumers(account: Felt): readonly {
    readonly hash: Felt;
    readonly execution: ExecutionStatus;
    readonly accepted: boolean;
  }[] {
    const accepted = this.blocks.blocks.flatMap(({ inclusions }) => inclusions);
    return [...accepted, ...this.blocks.preConfirmed]
      .filter(({ tx }) => tx.account === account)
      .toSorted((a, b) => Number(a.tx.nonce - b.tx.nonce))
      .filter(({ tx }, index) => tx.nonce === BigInt(index))
      .map((inclusion) => ({
        hash: inclusion.tx.hash,
        execution: inclusion.execution,
        accepted: accepted.includes(inclusion),
      }));
  }

  /** Changes the chain id. Blocks and accounts do not change. */
  setChainId(chainId: Felt): void {
    this.chainId = chainId;
  }

  /**
   * Sets the result of the account check. While the account has a problem, its transactions are
   * rejected. Null removes the problem.
   */
  accountProblem(account: Felt, problem: AccountProblem | null): void {
    if (problem === null) this.#problems.delete(account);
    else this.#problems.set(account, problem);
    this.refuse(account, problem === null ? null : REJECTION_OF[problem]);
  }

  /**
   * Rejects each new transaction of the account with this code and the cause `account`, although
   * the account check still passes. Null ends these rejections.
   */
  refuse(account: Felt, code: string | null): void {
    if (code === null) this.#refusing.delete(account);
    else this.#refusing.set(account, code);
  }

  setGasPrices(prices: Partial<GasPrices>): void {
    this.gasPrices = { ...this.gasPrices, ...prices };
    this.blocks.l2PriceFri = this.gasPrices.l2GasFri;
  }

  setBalance(account: Felt, balanceFri: bigint): void {
    this.#set(account, { ...this.account(account), balanceFri });
  }

  /**
   * Sets the account's nonce without transactions. A real node returns such a nonce if it has the
   * state but not the blocks.
   */
  setNonce(account: Felt, nonce: bigint): void {
    this.#set(account, { ...this.account(account), nonce });
  }

  /**
   * Adds `by` to the account's nonce without a transaction. A negative number undoes an earlier
   * jump.
   */
  jump(account: Felt, by: bigint): void {
    this.setNonce(account, this.account(account).nonce + by);
  }

  /** Adds this many empty blocks. */
  mine(count = 1): void {
    for (let built = 0; built < count; built += 1) this.#beneath(() => this.blocks.close());
  }

  /**
   * Moves blocks up to this height to ACCEPTED_ON_L1. Null makes the node report no L1 height, as
   * it does at first.
   */
  acceptOnL1(blockNumber: number | null): void {
    const height = blockNumber ?? 0;
    if (this.blocks.block(height) === undefined) throw new Error(`there is no block ${height}`);
    if (blockNumber !== null) this.#assertAboveL1(height);
    this.blocks.l1Height = height;
    this.#reportsL1 = blockNumber !== null;
  }

  /**
   * Undoes the pre-confirmed block and every block above `toBlock`, including nonces and fees. With
   * `sent`, the node forgets their transactions until `deliver` is called. With `waiting`, their
   * transactions return to the mempool.
   */
  rollback(toBlock: number, become: 'sent' | 'waiting' = 'sent'): void {
    if (this.blocks.block(toBlock) === undefined) throw new Error(`there is no block ${toBlock}`);
    this.#assertAboveL1(toBlock);
    const depth = this.blocks.head.number - toBlock;
    const undone = this.blocks.rollBack(depth) ?? this.blocks.dropPreConfirmed();
    if (become === 'waiting') for (const { tx } of undone) this.#pool.put(tx);
  }

  /** Sends a transaction to the node again that had been sent before. */
  deliver(hash: Felt): SendAnswer {
    return this.take(this.#get(hash));
  }

  preConfirm(hash: Felt, how: FakeExecution = {}): void {
    const tx = this.#get(hash);
    this.#assertTurn(tx, ['waiting'], this.blocks.account(tx.account).nonce);
    this.#pool.drop(tx);
    this.blocks.include(tx, receiptOf(how));
  }

  /**
   * Makes the node forget the transaction. This happens after a reorg of the pre-confirmed block, a
   * replacement at another node, or an expiry.
   */
  drop(hash: Felt): void {
    const tx = this.#get(hash);
    if (this.reportedStatus(hash).kind === 'accepted')
      throw new Error('an accepted transaction stays');
    this.#pool.drop(tx);
    this.#beneath(() => undefined, tx);
  }

  /** Includes a transaction that the node has, in a new block at ACCEPTED_ON_L2. */
  include(hash: Felt, how: FakeExecution = {}): void {
    const tx = this.#get(hash);
    this.#assertTurn(tx, ['waiting', 'pre_confirmed'], this.account(tx.account).nonce);
    this.#accept(tx, how);
  }

  /** Includes every waiting transaction that has the account's next nonce, lowest nonce first. */
  includeAll(how: FakeExecution = {}): void {
    const shown = this.blocks.preConfirmed.map(({ tx }) => tx);
    const pending = [...this.#pool.all(), ...shown].toSorted((a, b) => Number(a.nonce - b.nonce));
    for (const tx of pending)
      if (tx.nonce === this.account(tx.account).nonce) this.include(tx.hash, how);
  }

  /**
   * Includes a transaction that a third party signs with the account's key.
   * @param calls decoded calls of the transaction. @default undecodable
   */
  includeForeign(
    account: Felt,
    { calls = null, ...how }: FakeExecution & Partial<Pick<FakeTransaction, 'calls'>> = {},
  ): Felt {
    const tx = { ...foreignTransaction(account, this.account(account).nonce, 'fake'), calls };
    this.#met.set(tx.hash, tx);
    this.#accept(tx, how);
    return tx.hash;
  }

  /** Makes the network know the transaction without adding it to the mempool. */
  protected meet(transaction: FakeTransaction): void {
    if (!this.#met.has(transaction.hash)) this.#met.set(transaction.hash, transaction);
  }

  protected problem(account: Felt): AccountProblem | null {
    return this.#problems.get(account) ?? null;
  }

  protected take(tx: FakeTransaction): SendAnswer {
    if (tx.nonce < this.account(tx.account).nonce) return unclear(NONCE_REFUSED);
    return this.reportedStatus(tx.hash).kind === 'unknown' ? this.#pool.add(tx) : { kind: 'taken' };
  }

  protected get l1BlockNumber(): number | null {
    return this.#reportsL1 ? this.blocks.l1Height : null;
  }

  protected reportedStatus(hash: Felt): TransactionStatus {
    const tx = this.#met.get(hash);
    const isWaiting = (): boolean => tx !== undefined && this.#pool.has(tx);
    return this.blocks.status(hash, this.blocks.preConfirmed, isWaiting);
  }

  /** Returns the state of the account at ACCEPTED_ON_L2. */
  protected account(account: Felt): AccountState {
    return this.blocks.accepted(account);
  }

  #assertTurn(
    { hash, nonce }: FakeTransaction,
    stages: readonly TransactionStatus['kind'][],
    next: bigint,
  ): void {
    const { kind } = this.reportedStatus(hash);
    if (!stages.includes(kind)) throw new Error(`the transaction is ${kind}`);
    if (nonce !== next) throw new Error(`the next nonce is ${next}`);
  }

  #assertAboveL1(height: number): void {
    const { l1Height } = this.blocks;
    if (height < l1Height) throw new Error(`block ${l1Height} is at ACCEPTED_ON_L1`);
  }

  #accept(tx: FakeTransaction, how: FakeExecution): void {
    const rivals = this.#pool
      .all()
      .filter(({ account, nonce }) => account === tx.account && nonce === tx.nonce);
    for (const rival of rivals) this.#pool.drop(rival);
    this.#beneath(() => {
      this.blocks.include(tx, receiptOf(how));
      this.blocks.close();
    }, tx);
  }

  #set(account: Felt, state: AccountState): void {
    this.#beneath(() => this.blocks.head.accounts.set(account, state));
  }

  /**
   * Changes the accepted blocks below the pre-confirmed block. The pre-confirmed block keeps its
   * transactions, except `without` and transactions whose nonce is no longer the account's next
   * nonce.
   */
  #beneath(change: () => unknown, without?: FakeTransaction): void {
    const shown = this.blocks.dropPreConfirmed();
    change();
    for (const { tx, ...receipt } of shown) {
      const isNext = tx.nonce === this.blocks.account(tx.account).nonce;
      if (isNext && tx.hash !== without?.hash) this.blocks.include(tx, receipt);
    }
  }

  #get(hash: Felt): FakeTransaction {
    const tx = this.#met.get(hash);
    if (tx === undefined) throw new Error('this transaction was never sent');
    return tx;
  }
}

function receiptOf({
  execution = 'SUCCEEDED',
  revertReason,
  feeFri = DEFAULT_FEE_FRI,
}: FakeExecution): FakeReceipt {
  return {
    execution,
    revertReason: execution === 'SUCCEEDED' ? null : (revertReason ?? 'reverted'),
    feeFri,
  };
}
