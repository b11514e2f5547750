import type { Felt, Felts } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { NonceConsumer } from '../domain/events.js';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { BlockRef, CallTarget } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/sighting.js';

/**
 * Answer of a node to one send. Only `refused` proves that the bytes can't land, and only for the
 * first and only claimed send.
 */
export type SendAnswer =
  /** Accepted, or known already (59). */
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

/** Error 52: the nonce is consumed, or the preceding one has not reached this node yet. */
export const NONCE_REFUSED = 'INVALID_TRANSACTION_NONCE';

/**
 * Puts signed bytes on the wire. One call is at most one request to one node: lower layers must not
 * retry, follow redirects, fan out or try another node. Never rejects: every result is a {@link
 * SendAnswer}.
 */
export abstract class Broadcaster {
  /**
   * Returns the node for a send, so that the send can be claimed.
   * @param last node that these bytes were sent to before without effect; null for a first send
   */
  abstract nodeFor(last: string | null): string;
  abstract send(bytes: Uint8Array, node: string): Promise<SendAnswer>;
}

/** State of one account at ACCEPTED_ON_L2. */
export interface AccountState {
  /** Nonce that its next transaction must have. */
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
  /** Height at ACCEPTED_ON_L1; null if the chain has none, or the node does not report it. */
  readonly l1BlockNumber: number | null;
  /** Unreadable accounts are left out; nothing follows for them. */
  readonly accounts: ReadonlyMap<Felt, AccountState>;
}

/** Returns the block that a head names. */
export function headOf({ blockNumber: number, blockHash: hash }: ChainHead): BlockRef {
  return { number, hash };
}

/**
 * Reads by which submissions are followed. Each method is one batched round trip. Rejects with a
 * `DomainError` if the node can't answer at all.
 */
export abstract class ChainReader {
  abstract head(accounts: readonly Felt[]): Promise<ChainHead>;
  /** Returns the head of every node that answers, each read from that node alone; at least one. */
  abstract heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]>;
  /**
   * Returns statuses in the order of `hashes`. A single unreadable hash is `unread`.
   * @param sentTo known nodes that hashes were sent to; queried too, because no other node knows a
   *   transaction that one has just received
   */
  abstract transactionStatuses(
    hashes: readonly Felt[],
    sentTo?: ReadonlyMap<Felt, string>,
  ): Promise<readonly TransactionStatus[]>;
  /**
   * Returns the hash of the block at this height on the node's chain; null above its head. The
   * result is no evidence: another replica may have answered the other reads.
   */
  abstract blockHash(number: number): Promise<Felt | null>;
  /**
   * Makes the closing read after the reads since `first`, the head before them. This is one request
   * that a single node answers, and contains `first` in addition to these heights. The node of a
   * claimed send is not used.
   * @param heights limited to {@link MAX_CONFIRMED}
   */
  abstract confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence>;
}

/**
 * Heights in one closing read. Together with the heads they fit into one batch of any provider,
 * which is never split.
 */
export const MAX_CONFIRMED = 40;

/** Finds, by block, the transaction that consumed a nonce. */
export abstract class NonceHistory {
  /**
   * Returns the hash of the transaction with this sender and nonce in the block at ACCEPTED_ON_L2
   * in which the nonce passed; null if no such block is found yet.
   * @throws DomainError if the node can't answer
   */
  abstract consumerOf(account: Felt, nonce: bigint): Promise<Felt | null>;
}

/** Transaction that one of our accounts sent, as its block at ACCEPTED_ON_L2 shows it. */
export interface AccountTransaction {
  readonly sender: Felt;
  readonly nonce: bigint;
  readonly consumer: NonceConsumer;
  /**
   * Decoded calls of an invocation. Empty for a no-op; null for a deployment and for anything that
   * can't be decoded.
   */
  readonly calls: readonly { readonly target: CallTarget; readonly calldata: Felts }[] | null;
}

/** Transactions of accounts in a range of blocks, each of which names its parent. */
export interface AccountRange {
  /** Sorted by position on the chain. */
  readonly sent: readonly AccountTransaction[];
  /**
   * Last block of the range. A read that confirms it confirms the whole range. Null for an empty
   * range.
   */
  readonly last: BlockRef | null;
}

/**
 * Reads the transactions of our accounts from the chain alone, for a ledger that is behind and for
 * the auditor.
 */
export abstract class AccountHistory {
  /**
   * Returns transactions of these accounts in blocks `from` to `to`.
   * @throws DomainError if one of the blocks can't be read, or does not name its parent
   */
  abstract transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange>;
  /**
   * Returns a transaction by its hash; null if its sender is not one of `accounts`.
   * @throws DomainError if the node does not have it at ACCEPTED_ON_L2: another replica may
   */
  abstract transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null>;
  /**
   * Returns the height of the first block whose timestamp is not before `timestamp`, at most the
   * head's.
   */
  abstract blockAt(timestamp: number): Promise<number>;
}

/** Reason why an account can't sign here. */
export type AccountProblem = 'NOT_DEPLOYED' | 'NO_ACCOUNT_CLASS' | 'WRONG_KEY';

/** Checks a lane's account: deployment, class, and a signature by the key that is held here. */
export abstract class AccountCheck {
  /**
   * Returns null if the account works.
   * @throws DomainError if the check gets no answer
   */
  abstract problemOf(account: Felt): Promise<AccountProblem | null>;
}
