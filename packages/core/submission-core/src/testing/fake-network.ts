import { createHash } from 'node:crypto';
import { toFelt, type Felt } from '@sotto/kernel';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { BlockRef, ExecutionStatus } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/sighting.js';
import {
  NONCE_REFUSED,
  type AccountProblem,
  type AccountState,
  type AccountTransaction,
  type SendAnswer,
} from '../ports/chain.port.js';
import { FakeBlocks } from './fake-blocks.js';
import type { FakeTransaction } from './fake-transaction.js';

/** How a transaction is executed. */
export interface FakeExecution {
  /** @default 'SUCCEEDED' */
  readonly execution?: ExecutionStatus;
  /** @default null, or 'reverted' for a REVERTED one */
  readonly revertReason?: string | null;
  /** @default 0.001 STRK */
  readonly feeFri?: bigint;
}

export interface FakeChainOptions {
  /** @default 'SN_TEST' as a short string */
  readonly chainId?: Felt;
  /**
   * Chains of one id and another name have another first block, as a development chain that was
   * started again.
   * @default 'fake'
   */
  readonly name?: string;
  /** Timestamp of a block that is built now, in seconds. @default two seconds for each block */
  readonly nowSeconds?: (blockNumber: number) => number;
}

type Stage = 'sent' | 'waiting' | 'pre_confirmed' | 'accepted';

interface Known {
  readonly transaction: FakeTransaction;
  /** `sent`: was on the wire once, and the node does not (or no longer) have it. */
  readonly stage: Stage;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
  /** Null unless accepted. */
  readonly block: BlockRef | null;
}

const DEFAULT_BALANCE_FRI = 10n ** 24n;
const DEFAULT_FEE_FRI = 10n ** 15n;
const TEST_CHAIN_ID = toFelt(`0x${Buffer.from('SN_TEST').toString('hex')}`);
const FIRST_TIMESTAMP = 1_700_000_000;
/** How the node refuses what such an account sends. */
const REFUSAL_OF: Readonly<Record<AccountProblem, string>> = {
  NOT_DEPLOYED: 'VALIDATION_FAILURE',
  NO_ACCOUNT_CLASS: 'NON_ACCOUNT',
  WRONG_KEY: 'VALIDATION_FAILURE',
};

/**
 * The network behind a {@link FakeChain}: blocks, accounts, and the transactions that wait.
 * Everything here happens at once.
 */
export class FakeNetwork {
  readonly #known = new Map<Felt, Known>();
  readonly #accounts = new Map<Felt, AccountState>();
  readonly #problems = new Map<Felt, AccountProblem>();
  readonly #refusing = new Map<Felt, string>();
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
    this.blocks = new FakeBlocks(name, nowSeconds);
  }

  /** Hash of everything that is included and not undone, in order. */
  get included(): readonly Felt[] {
    return this.blocks
      .between(0, this.blocks.head.number)
      .flatMap(({ transaction }) => transaction ?? []);
  }

  /**
   * Takers of the account's nonces from 0 on, in order, up to the first nonce that nothing has
   * taken; those of the pre-confirmed block come last.
   */
  consumers(account: Felt): readonly {
    readonly hash: Felt;
    readonly execution: ExecutionStatus;
    readonly accepted: boolean;
  }[] {
    return [...this.#known.values()]
      .filter(
        ({ stage, transaction }) =>
          transaction.account === account && (stage === 'accepted' || stage === 'pre_confirmed'),
      )
      .toSorted((a, b) => Number(a.transaction.nonce - b.transaction.nonce))
      .filter(({ transaction }, index) => transaction.nonce === BigInt(index))
      .map(({ transaction, execution, stage }) => ({
        hash: transaction.hash,
        execution,
        accepted: stage === 'accepted',
      }));
  }

  /** The network is another one from now on; blocks and accounts stay. */
  setChainId(chainId: Felt): void {
    this.chainId = chainId;
  }

  /** What the account's own check says; what the account sends is refused while it is not null. */
  accountProblem(account: Felt, problem: AccountProblem | null): void {
    if (problem === null) this.#problems.delete(account);
    else this.#problems.set(account, problem);
    this.refuse(account, problem === null ? null : REFUSAL_OF[problem]);
  }

  /**
   * Whatever new the account sends is refused with this code and the cause `account`, until null is
   * given. Its own check is not touched.
   */
  refuse(account: Felt, code: string | null): void {
    if (code === null) this.#refusing.delete(account);
    else this.#refusing.set(account, code);
  }

  setGasPrices(prices: Partial<GasPrices>): void {
    this.gasPrices = { ...this.gasPrices, ...prices };
  }

  setBalance(account: Felt, balanceFri: bigint): void {
    this.#accounts.set(account, { ...this.account(account), balanceFri });
  }

  /**
   * The account's nonce without the transactions that led there: a node that has the state and not
   * yet the blocks.
   */
  setNonce(account: Felt, nonce: bigint): void {
    this.#accounts.set(account, { ...this.account(account), nonce });
  }

  /**
   * The account's nonce moves by so much without any transaction; a negative number takes a jump
   * back.
   */
  jump(account: Felt, by: bigint): void {
    this.setNonce(account, this.account(account).nonce + by);
  }

  /** Builds empty blocks. */
  mine(count = 1): void {
    for (let built = 0; built < count; built += 1) this.blocks.add(null);
  }

  /**
   * This block and all below are at ACCEPTED_ON_L1. Null: the node does not report it, the initial
   * state.
   */
  acceptOnL1(blockNumber: number | null): void {
    this.blocks.acceptOnL1(blockNumber);
  }

  /**
   * Undoes every block above this one, and the pre-confirmed one: nonces are what they were, fees
   * are back. What was included there is forgotten by the node (`sent`, until `deliver`) or waits
   * again.
   */
  rollback(toBlock: number, become: 'sent' | 'waiting' = 'sent'): void {
    for (const { transaction: hash } of this.blocks.undoTo(toBlock)) {
      if (hash === null) continue;
      const { transaction, feeFri } = this.#get(hash);
      const { balanceFri } = this.account(transaction.account);
      this.#accounts.set(transaction.account, {
        nonce: transaction.nonce,
        balanceFri: balanceFri + feeFri,
      });
      this.#put(transaction, become);
    }
    for (const { stage, transaction } of this.#known.values())
      if (stage === 'pre_confirmed') this.#put(transaction, become);
  }

  /** Bytes that were on the wire before reach the node only now. */
  deliver(hash: Felt): SendAnswer {
    return this.take(this.#get(hash).transaction);
  }

  preConfirm(hash: Felt, how: FakeExecution = {}): void {
    const { account } = this.#get(hash).transaction;
    const ahead = [...this.#known.values()].filter(
      ({ stage, transaction }) => stage === 'pre_confirmed' && transaction.account === account,
    );
    this.#assertTurn(hash, ['waiting'], this.account(account).nonce + BigInt(ahead.length));
    this.#execute(hash, 'pre_confirmed', how);
  }

  /**
   * A reorg of the pre-confirmed block, a replacement elsewhere or a life that ran out: the node
   * forgets the transaction.
   */
  drop(hash: Felt): void {
    const { transaction, stage } = this.#get(hash);
    if (stage === 'accepted') throw new Error('an accepted transaction stays');
    this.#put(transaction, 'sent');
  }

  /** Includes a transaction that the node has, in a block of its own at ACCEPTED_ON_L2. */
  include(hash: Felt, how: FakeExecution = {}): void {
    const { account } = this.#get(hash).transaction;
    this.#assertTurn(hash, ['waiting', 'pre_confirmed'], this.account(account).nonce);
    this.#execute(hash, 'accepted', how);
    this.#settle(account, hash, this.#get(hash).feeFri);
  }

  /** Includes everything that the node has and whose turn it is, lowest nonce first. */
  includeAll(how: FakeExecution = {}): void {
    const pending = [...this.#known.values()].filter(
      ({ stage }) => stage === 'waiting' || stage === 'pre_confirmed',
    );
    for (const { transaction } of pending.toSorted((a, b) =>
      Number(a.transaction.nonce - b.transaction.nonce),
    )) {
      if (transaction.nonce === this.account(transaction.account).nonce)
        this.include(transaction.hash, how);
    }
  }

  /**
   * Something else with the same key consumes the account's next nonce. What a block shows of its
   * calls is given, or not understood.
   */
  includeForeign(
    account: Felt,
    { calls = null, ...how }: FakeExecution & Partial<Pick<FakeTransaction, 'calls'>> = {},
  ): Felt {
    const { nonce } = this.account(account);
    const digest = createHash('sha256').update(`foreign|${account}|${nonce}`).digest('hex');
    const hash = toFelt(`0x${digest.slice(2)}`);
    this.#put(
      { hash, account, nonce, l2MaxPriceFri: 0n, tipFri: 0n, worstCaseFri: 0n, calls },
      'waiting',
    );
    this.include(hash, how);
    return hash;
  }

  /** Makes the transaction known, as one that was on the wire and is not in the pool. */
  protected meet(transaction: FakeTransaction): void {
    if (!this.#known.has(transaction.hash)) this.#put(transaction, 'sent');
  }

  protected problem(account: Felt): AccountProblem | null {
    return this.#problems.get(account) ?? null;
  }

  protected take(transaction: FakeTransaction): SendAnswer {
    const { hash, account, nonce } = transaction;
    const { nonce: next, balanceFri } = this.account(account);
    if (nonce < next) return unclear(NONCE_REFUSED);
    if (this.#get(hash).stage !== 'sent') return { kind: 'taken' };
    const refusal = this.#refusing.get(account);
    if (refusal !== undefined) return refused(refusal, 'account');
    if (transaction.l2MaxPriceFri < this.gasPrices.l2GasFri)
      return refused('INSUFFICIENT_RESOURCES_FOR_VALIDATE', 'price');
    if (transaction.worstCaseFri > balanceFri)
      return refused('INSUFFICIENT_ACCOUNT_BALANCE', 'funds');
    const rival = [...this.#known.values()].find(
      (other) =>
        other.stage !== 'sent' &&
        other.transaction.account === account &&
        other.transaction.nonce === nonce,
    );
    if (rival !== undefined) {
      if (rival.stage !== 'waiting') return unclear(NONCE_REFUSED);
      if (!outbids(transaction, rival.transaction))
        return unclear('REPLACEMENT_TRANSACTION_UNDERPRICED');
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

  #execute(
    hash: Felt,
    stage: Stage,
    { execution = 'SUCCEEDED', revertReason, feeFri = DEFAULT_FEE_FRI }: FakeExecution,
  ): void {
    const { transaction } = this.#get(hash);
    const block = stage === 'accepted' ? this.blocks.add(hash) : null;
    this.#known.set(hash, {
      transaction,
      stage,
      execution,
      revertReason: execution === 'SUCCEEDED' ? null : (revertReason ?? 'reverted'),
      feeFri,
      block: block === null ? null : { number: block.number, hash: block.hash },
    });
  }

  #settle(account: Felt, hash: Felt, feeFri: bigint): void {
    const { nonce, balanceFri } = this.account(account);
    this.#accounts.set(account, { nonce: nonce + 1n, balanceFri: balanceFri - feeFri });
    for (const { transaction } of this.#known.values()) {
      if (
        transaction.account === account &&
        transaction.nonce === nonce &&
        transaction.hash !== hash
      )
        this.#put(transaction, 'sent');
    }
  }

  protected sighting(hash: Felt): TransactionStatus {
    const known = this.#known.get(hash);
    if (known === undefined || known.stage === 'sent') return { kind: 'unknown' };
    if (known.stage === 'waiting') return { kind: 'waiting' };
    const { execution, revertReason, feeFri, block } = known;
    if (block === null) return { kind: 'pre_confirmed', execution, revertReason };
    return { kind: 'accepted', execution, revertReason, feeFri, block };
  }

  protected shownBy(hash: Felt, accounts: readonly Felt[]): AccountTransaction | null {
    const known = this.#known.get(hash);
    if (
      known === undefined ||
      known.block === null ||
      !accounts.includes(known.transaction.account)
    )
      return null;
    const { transaction, execution, revertReason, feeFri, block } = known;
    const { account: sender, nonce, calls } = transaction;
    return { sender, nonce, consumer: { hash, execution, revertReason, feeFri, block }, calls };
  }

  protected consumer(account: Felt, nonce: bigint): Known | undefined {
    return [...this.#known.values()].find(
      ({ block, transaction }) =>
        block !== null && transaction.account === account && transaction.nonce === nonce,
    );
  }

  protected account(account: Felt): AccountState {
    return this.#accounts.get(account) ?? { nonce: 0n, balanceFri: DEFAULT_BALANCE_FRI };
  }

  #get(hash: Felt): Known {
    const known = this.#known.get(hash);
    if (known === undefined) throw new Error('this transaction was never sent');
    return known;
  }

  #put(transaction: FakeTransaction, stage: 'sent' | 'waiting'): void {
    this.#known.set(transaction.hash, {
      transaction,
      stage,
      execution: 'SUCCEEDED',
      revertReason: null,
      feeFri: 0n,
      block: null,
    });
  }
}

function unclear(code: string): SendAnswer {
  return { kind: 'unclear', code };
}

function refused(code: string, cause: 'price' | 'funds' | 'account'): SendAnswer {
  return { kind: 'refused', code, cause };
}

/** Both the L2 price and the tip must be a tenth higher, but a tip of 0 may stay. */
function outbids(by: FakeTransaction, rival: FakeTransaction): boolean {
  return (
    by.l2MaxPriceFri * 10n >= rival.l2MaxPriceFri * 11n && by.tipFri * 10n >= rival.tipFri * 11n
  );
}
