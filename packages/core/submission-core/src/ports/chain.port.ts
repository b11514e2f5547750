import type { Felt, Felts } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { NonceConsumer } from '../domain/events.js';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { BlockRef, CallTarget } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';

/**
 * Response of a node to one send. Only the response `refused` can prove that the bytes can't land,
 * and only if the bytes were claimed and sent a single time.
 */
export type SendAnswer =
  /** The node accepted the transaction, or knew it already (error 59). */
  | { readonly kind: 'taken' }
  /**
   * Code of the closed list of conclusive refusals. `account`: 55, 58, 61, which are about the
   * account or its check.
   */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly cause: 'price' | 'funds' | 'call' | 'account';
    }
  /**
   * Any other answer: time-out, reset, HTML, 52, 64, unknown codes. `code` is for the log only,
   * except {@link NONCE_REFUSED}, which decides when to send again.
   */
  | { readonly kind: 'unclear'; readonly code: string };

/** Error 52: the nonce is consumed already, or this node does not have the preceding nonce yet. */
export const NONCE_REFUSED = 'INVALID_TRANSACTION_NONCE';

/**
 * Sends signed bytes to a node. One call makes at most one request to one node: lower layers must
 * not retry, follow redirects, fan out or try another node. Never rejects: every result is a {@link
 * SendAnswer}.
 */
export abstract class Broadcaster {
  /**
   * Returns the node for the next send of these bytes. The caller writes this node into the claim.
   * @param last node to which these bytes were sent before without effect; null for a first send
   */
  abstract nodeFor(last: string | null): string;
  abstract send(bytes: Uint8Array, node: string): Promise<SendAnswer>;
}

/** State of one account at ACCEPTED_ON_L2. */
export interface AccountState {
  /** Nonce that the account's next transaction must have. */
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

/** Head of the chain with the data that lanes need. */
export interface ChainHead {
  readonly chainId: Felt;
  readonly blockNumber: number;
  readonly blockHash: Felt;
  /** Seconds since the epoch, by the sequencer's clock. */
  readonly timestamp: number;
  readonly gasPrices: GasPrices;
  /**
   * Height at ACCEPTED_ON_L1; null if the chain has no such block or the node does not report this
   * height.
   */
  readonly l1BlockNumber: number | null;
  /**
   * State of the accounts by address. Unreadable accounts are omitted; their absence proves
   * nothing.
   */
  readonly accounts: ReadonlyMap<Felt, AccountState>;
}

/** Returns the reference to the head's block. */
export function headOf({ blockNumber: number, blockHash: hash }: ChainHead): BlockRef {
  return { number, hash };
}

/**
 * Reads of the chain that the machine needs to follow submissions. Each method is one batched round
 * trip. Rejects with a `DomainError` if the node can't answer at all.
 */
export abstract class ChainReader {
  abstract head(accounts: readonly Felt[]): Promise<ChainHead>;
  /**
   * Returns the heads of all nodes that answer, at least one. Each head is read from one node
   * alone.
   */
  abstract heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]>;
  /**
   * Returns statuses in the order of `hashes`. A hash whose status can't be read gets the status
   * `unread`.
   * @param sentTo nodes that the hashes were sent to, if known. These nodes are queried too,
   *   because no other node knows a transaction that was just sent.
   */
  abstract transactionStatuses(
    hashes: readonly Felt[],
    sentTo?: ReadonlyMap<Felt, string>,
  ): Promise<readonly TransactionStatus[]>;
  /**
   * Returns the hash of the block at this height on the node's chain; null for a height above its
   * head. The result is no evidence, because another replica may have answered the other reads.
   */
  abstract blockHash(number: number): Promise<Felt | null>;
  /**
   * Makes the closing read of a poll, after all reads since the head `first`. The closing read is
   * one request to the node that serves reads, and not to the nodes that got sends. The request
   * contains `first` in addition to these heights.
   * @param heights limited to {@link MAX_CONFIRMED} heights
   */
  abstract confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence>;
}

/**
 * Maximum number of heights in one closing read. These heights and the heads fit into one batch of
 * any provider. The batch is never split.
 */
export const MAX_CONFIRMED = 40;

/** Finds the transaction that consumed a nonce by searching the blocks. */
export abstract class NonceHistory {
  /**
   * Returns the hash of the transaction with this sender and nonce. The transaction is read from
   * the first block at ACCEPTED_ON_L2 in which the account's nonce is above this nonce. Null if no
   * such block is found yet.
   * @throws DomainError if the node can't answer
   */
  abstract consumerOf(account: Felt, nonce: bigint): Promise<Felt | null>;
}

/** Transaction that one of our accounts sent, as read from its block at ACCEPTED_ON_L2. */
export interface AccountTransaction {
  readonly sender: Felt;
  readonly nonce: bigint;
  readonly consumer: NonceConsumer;
  /**
   * Decoded calls of an invoke transaction. An empty list for a no-op; null for a deployment and
   * for undecodable calldata.
   */
  readonly calls: readonly { readonly target: CallTarget; readonly calldata: Felts }[] | null;
}

/**
 * Transactions of accounts in a range of blocks. Each block of the range refers to its parent, so
 * the range is one chain.
 */
export interface AccountRange {
  /** Transactions in their order on the chain. */
  readonly sent: readonly AccountTransaction[];
  /**
   * Last block of the range; null for an empty range. A read that confirms this block confirms the
   * whole range.
   */
  readonly last: BlockRef | null;
}

/**
 * Reads the transactions of our accounts from the chain, without the ledger. Used to recover a
 * ledger that is behind its chain, and by the auditor.
 */
export abstract class AccountHistory {
  /**
   * Returns transactions of these accounts in blocks `from` to `to`.
   * @throws DomainError if one of the blocks can't be read, or does not refer to its parent
   */
  abstract transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange>;
  /**
   * Returns a transaction by its hash; null if its sender is not one of `accounts`.
   * @throws DomainError if the node does not have the transaction at ACCEPTED_ON_L2 (another
   *   replica may have it)
   */
  abstract transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null>;
  /**
   * Returns the height of the first block whose timestamp is not before `timestamp`, but at most
   * the height of the head.
   */
  abstract blockAt(timestamp: number): Promise<number>;
}

/** Reason why the service can't sign for an account. */
export type AccountProblem = 'NOT_DEPLOYED' | 'NO_ACCOUNT_CLASS' | 'WRONG_KEY';

/**
 * Checks a lane's account: its deployment, its class, and a signature with the key of this service.
 */
export abstract class AccountCheck {
  /**
   * Returns the problem of the account; null if the account works.
   * @throws DomainError if the check gets no response
   */
  abstract problemOf(account: Felt): Promise<AccountProblem | null>;
}
