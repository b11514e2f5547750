import type { NodeReader } from '../node/node-reader.js';
import { MerkleTree, type MerklePath } from '../pools/merkle-tree.js';
import type { Batch, Place, PoolView } from '../pools/pool-view.js';
import { FakeAccountNode } from './fake-account-node.js';

/** Transaction of a withdrawal or deposit on the fake chain. */
export interface FakeTransaction {
  readonly hash: string;
  /**
   * True if the transaction reverted because an earlier transaction spent the note or deposited the
   * commitment.
   */
  readonly isReverted: boolean;
  /**
   * Unix time in ms at which the transaction is included in a block. The block may still be rolled
   * back.
   */
  readonly includedAtMs: number;
  /** Unix time in ms from which the transaction is ACCEPTED_ON_L2. */
  readonly acceptedAtMs: number;
  readonly recipient?: bigint;
}

const BLOCK_MS = 4_000;

/**
 * Fake chain with one pool, which uses the process's clock and records spent notes and payments.
 */
export class FakeChain {
  readonly chainId = '0x534e5f5345504f4c4941';
  readonly pool: string = '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33';
  /** All transactions of the chain, in the sequence of their creation. */
  readonly transactions: FakeTransaction[] = [];
  readonly leaves: { readonly commitment: bigint; readonly atMs: number }[] = [];
  readonly batches: { readonly batch: Batch; readonly atMs: number }[] = [];
  readonly #spent = new Map<bigint, FakeTransaction>();
  readonly #deposited = new Map<bigint, FakeTransaction>();
  /** Changes of allowances, in the order in which they were sent. */
  readonly #allowances: {
    readonly account: bigint;
    readonly amount: bigint;
    readonly atMs: number;
  }[] = [];
  /** Transactions that accounts sent themselves. Each of them raises its account's nonce. */
  readonly #sent: { readonly account: bigint; readonly transaction: FakeTransaction }[] = [];
  readonly #taken = new Map<bigint, bigint>();
  /** Amount of each deposit, in the ERC-20 token's smallest unit. */
  readonly denomination = 20_000n;
  /** True if the node responds. */
  isReachable = true;
  /** Returns the time of the newest block, as Unix time in ms. @default the process's clock */
  nowMs: () => number = () => Date.now();
  /** Difference in ms between the times in blocks and the process's clock. */
  clockErrorMs = 0;

  /** Deposits all these commitments immediately, as a batch of their own leaves only. */
  seed(commitments: readonly bigint[]): void {
    const start = this.leaves.length;
    for (const commitment of commitments) this.leaves.push({ commitment, atMs: 0 });
    this.batches.push({ batch: { start, size: commitments.length }, atMs: 0 });
  }

  /** Deploys all waiting leaves as one batch. */
  deployBatch(): void {
    const start = this.batches.reduce((sum, { batch }) => sum + batch.size, 0);
    const batch = { start, size: this.leaves.length - start };
    this.batches.push({ batch, atMs: Date.now() });
  }

  /** Includes a withdrawal in the chain. If the note is already spent, the withdrawal reverts. */
  withdraw(nullifierHash: bigint, recipient: bigint): FakeTransaction {
    const transaction = this.#include(this.#spent.has(nullifierHash), recipient);
    if (!transaction.isReverted) this.#spent.set(nullifierHash, transaction);
    return transaction;
  }

  /**
   * Approves an amount for the pool, which replaces the account's earlier approval.
   * @param waitMs time in ms that the transaction first waits in the mempool
   */
  approve(account: string, amount: bigint, waitMs = 0): FakeTransaction {
    const transaction = this.send(account, { waitMs });
    const atMs = transaction.acceptedAtMs;
    this.#allowances.push({ account: BigInt(account), amount, atMs });
    return transaction;
  }

  /** Includes a transaction that raises the account's nonce and changes no allowance. */
  send(
    account: string,
    {
      isReverted = false,
      waitMs = 0,
    }: { readonly isReverted?: boolean; readonly waitMs?: number } = {},
  ): FakeTransaction {
    const transaction = this.#include(isReverted, undefined, waitMs);
    this.#sent.push({ account: BigInt(account), transaction });
    return transaction;
  }

  /** Returns the account's nonce at ACCEPTED_ON_L2, or in the pre-confirmed state. */
  nonceOf(account: string, isPreConfirmed = false): bigint {
    const nowMs = Date.now();
    const counted = this.#sent.filter(
      ({ account: sender, transaction: { includedAtMs, acceptedAtMs } }) =>
        sender === BigInt(account) && (isPreConfirmed ? includedAtMs : acceptedAtMs) <= nowMs,
    );
    return BigInt(counted.length);
  }

  /** Returns the account's allowance for the pool, at ACCEPTED_ON_L2. */
  allowanceOf(account: string): bigint {
    const nowMs = Date.now();
    const changes = this.#allowances.filter(
      (change) => change.account === BigInt(account) && change.atMs <= nowMs,
    );
    return changes.toSorted((one, other) => one.atMs - other.atMs).at(-1)?.amount ?? 0n;
  }

  /** Returns the amount that the pool has collected from an account. */
  takenOf(account: string): bigint {
    return this.#taken.get(BigInt(account)) ?? 0n;
  }

  /**
   * Includes a deposit in the chain. If an account is given, this account pays the deposit. If the
   * commitment was deposited before, the deposit reverts.
   */
  deposit(commitment: bigint, account?: string): FakeTransaction {
    const allowance = account === undefined ? this.denomination : this.allowanceOf(account);
    const transaction = this.#include(
      this.#deposited.has(commitment) || allowance < this.denomination,
    );
    if (!transaction.isReverted) {
      if (account !== undefined) {
        const amount = allowance - this.denomination;
        this.#allowances.push({ account: BigInt(account), amount, atMs: Date.now() });
        this.#taken.set(BigInt(account), this.takenOf(account) + this.denomination);
      }
      this.#deposited.set(commitment, transaction);
      this.leaves.push({ commitment, atMs: transaction.acceptedAtMs });
    }
    return transaction;
  }

  spending(nullifierHash: bigint): FakeTransaction | undefined {
    return this.#spent.get(nullifierHash);
  }

  depositOf(commitment: bigint): FakeTransaction | undefined {
    return this.#deposited.get(commitment);
  }

  /** Returns the number of payments to a recipient. */
  paymentsTo(recipient: bigint): number {
    return this.transactions.filter(
      (transaction) => !transaction.isReverted && transaction.recipient === recipient,
    ).length;
  }

  #include(isReverted: boolean, recipient?: bigint, waitMs = 0): FakeTransaction {
    const nowMs = Date.now() + waitMs;
    const transaction: FakeTransaction = {
      hash: `0x${(0xace0000 + this.transactions.length).toString(16)}`,
      isReverted,
      includedAtMs: nowMs + BLOCK_MS,
      acceptedAtMs: nowMs + 2 * BLOCK_MS,
      ...(recipient === undefined ? {} : { recipient }),
    };
    this.transactions.push(transaction);
    return transaction;
  }
}

export interface FakePoolOptions {
  /** True if the events contain the recipient of a withdrawal. @default true */
  readonly showsRecipients?: boolean;
  /** Node for reads of accounts; null for a view without a node. @default the chain's node */
  readonly node?: NodeReader | null;
}

/** Fake chain's pool as a wallet reads it: the pool's state at ACCEPTED_ON_L2 at the last read. */
export class FakePool implements PoolView {
  readonly kind: PoolView['kind'] = 'shielded';
  readonly chainId: string;
  readonly address: string;
  readonly node?: NodeReader;
  readonly recipientOf?: (nullifierHash: bigint) => bigint | undefined;
  readonly #chain: FakeChain;
  #readAtMs = 0;
  #blockTimeMs: number | undefined;

  constructor(
    chain: FakeChain,
    { showsRecipients = true, node = new FakeAccountNode(chain) }: FakePoolOptions = {},
  ) {
    this.#chain = chain;
    this.chainId = chain.chainId;
    this.address = chain.pool;
    if (node !== null) this.node = node;
    if (showsRecipients)
      this.recipientOf = (nullifierHash) =>
        this.spentBy(nullifierHash) === undefined
          ? undefined
          : chain.spending(nullifierHash)?.recipient;
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#chain.isReachable) throw new Error('the node does not answer');
    this.#readAtMs = Date.now();
    this.#blockTimeMs = this.#chain.nowMs() + this.#chain.clockErrorMs;
  }

  get blockTimeMs(): number | undefined {
    return this.#blockTimeMs;
  }

  placeOf(commitment: bigint): Place | undefined {
    const leafIndex = this.#leaves().findIndex((leaf) => leaf.commitment === commitment);
    if (leafIndex === -1) return undefined;
    const found = this.#chain.batches.find(
      ({ batch: { start, size }, atMs }) =>
        atMs <= this.#readAtMs && leafIndex >= start && leafIndex < start + size,
    );
    const atMs = this.#leaves()[leafIndex]?.atMs ?? 0;
    const depositedAtMs = atMs + this.#chain.clockErrorMs;
    return { leafIndex, batch: found?.batch, depositedAtMs };
  }

  path(leafIndex: number): MerklePath {
    return MerkleTree.of(this.#leaves().map(({ commitment }) => commitment)).path(leafIndex);
  }

  spentBy(nullifierHash: bigint): string | undefined {
    const spending = this.#chain.spending(nullifierHash);
    return spending === undefined || spending.acceptedAtMs > this.#readAtMs
      ? undefined
      : spending.hash;
  }

  #leaves(): FakeChain['leaves'] {
    return this.#chain.leaves.filter(({ atMs }) => atMs <= this.#readAtMs);
  }
}
