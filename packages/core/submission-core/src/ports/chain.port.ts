import type { Felt, Felts } from '@sotto/kernel';
import type { ChainEvidence } from '../domain/chain-evidence.js';
import type { NonceConsumer } from '../domain/events.js';
import type { GasPrices } from '../domain/resource-bounds.js';
import type { BlockRef, CallTarget } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/sighting.js';

/**
 * How a node answered one send. Only `refused` says that nothing can land, and only for the first
 * and only claimed send.
 */
export type SendAnswer =
  /** Taken, or there already (59). */
  | { readonly kind: 'taken' }
  /**
   * A code of the closed list of conclusive refusals; `account`: 55, 58, 61, which are about the
   * account or its check.
   */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly cause: 'price' | 'funds' | 'call' | 'account';
    }
  /**
   * Anything else: time-out, reset, HTML, 52, 64, unknown codes. `code` is for the log, but for
   * {@link NONCE_REFUSED}, which says when to send again.
   */
  | { readonly kind: 'unclear'; readonly code: string };

/** 52: the nonce is used up, or the one before it has not come to this node yet. */
export const NONCE_REFUSED = 'INVALID_TRANSACTION_NONCE';

/**
 * Puts signed bytes on the wire. One call is at most one request to one node: nothing below may
 * retry, follow redirects, fan out or go on to another node. Never rejects: whatever happens is a
 * {@link SendAnswer}.
 */
export abstract class Broadcaster {
  /**
   * The node that a send is to go to, for its claim.
   * @param last where these bytes have gone before, and nothing came of it; null for a first send
   */
  abstract nodeFor(last: string | null): string;
  abstract send(bytes: Uint8Array, node: string): Promise<SendAnswer>;
}

/** One account at ACCEPTED_ON_L2. */
export interface AccountState {
  /** Nonce that its next transaction must have. */
  readonly nonce: bigint;
  readonly balanceFri: bigint;
}

/** The head of the chain with what lanes need of it. */
export interface ChainHead {
  readonly chainId: Felt;
  readonly blockNumber: number;
  readonly blockHash: Felt;
  /** Seconds since the epoch, by the sequencer's clock. */
  readonly timestamp: number;
  readonly gasPrices: GasPrices;
  /** Height at ACCEPTED_ON_L1; null where the chain has none, or the node does not report it. */
  readonly l1BlockNumber: number | null;
  /** Accounts that could not be read are left out: nothing follows for them. */
  readonly accounts: ReadonlyMap<Felt, AccountState>;
}

/** The block that a head names. */
export function headOf({ blockNumber: number, blockHash: hash }: ChainHead): BlockRef {
  return { number, hash };
}

/**
 * Reads that submissions are followed by. Each method is one batched round trip. Rejects with a
 * `DomainError` when the node can't answer at all.
 */
export abstract class ChainReader {
  abstract head(accounts: readonly Felt[]): Promise<ChainHead>;
  /** Head of every node that answers, each read from that node alone; at least one. */
  abstract heads(accounts: readonly Felt[]): Promise<readonly ChainHead[]>;
  /**
   * Same order as `hashes`. A hash that can't be read alone is `unread`.
   * @param sentTo nodes that hashes were sent to, as far as is known: they are asked too, because
   *   no other knows what one has only received
   */
  abstract transactionStatuses(
    hashes: readonly Felt[],
    sentTo?: ReadonlyMap<Felt, string>,
  ): Promise<readonly TransactionStatus[]>;
  /**
   * Hash of the block at this height on the node's chain; null above its head. No evidence: another
   * replica may have answered everything else.
   */
  abstract blockHash(number: number): Promise<Felt | null>;
  /**
   * The closing read of what was read since `first`, the head before it: one request that one node
   * answers, in which `first` is looked for again beside these heights. The node that a send was
   * claimed for has no part in it.
   * @param heights at most {@link MAX_CONFIRMED} of them
   */
  abstract confirm(first: BlockRef, heights: readonly number[]): Promise<ChainEvidence>;
}

/** Heights in one closing read: with the heads one batch of any provider, which nothing splits. */
export const MAX_CONFIRMED = 40;

/** Finds, by block, the transaction that consumed a nonce. */
export abstract class NonceHistory {
  /**
   * The hash of the transaction with this sender and nonce in a block at ACCEPTED_ON_L2, found in
   * the block in which the nonce passed; null when no such block is found yet. Rejects with a
   * `DomainError` when the node can't answer.
   */
  abstract consumerOf(account: Felt, nonce: bigint): Promise<Felt | null>;
}

/** A transaction that one of our accounts sent, as its block at ACCEPTED_ON_L2 shows it. */
export interface AccountTransaction {
  readonly sender: Felt;
  readonly nonce: bigint;
  readonly consumer: NonceConsumer;
  /**
   * The calls of an invocation, decoded; empty for a no-op, null for a deployment and for whatever
   * is not understood.
   */
  readonly calls: readonly { readonly target: CallTarget; readonly calldata: Felts }[] | null;
}

/** What accounts have sent in a range of blocks, each of which names the one before it. */
export interface AccountRange {
  /** In the order of the chain. */
  readonly sent: readonly AccountTransaction[];
  /** The range's last block: who confirms it has confirmed them all. Null for an empty range. */
  readonly last: BlockRef | null;
}

/**
 * Reads what our accounts have sent, from the chain alone: for a ledger that is behind, and for the
 * auditor.
 */
export abstract class AccountHistory {
  /**
   * Transactions of these accounts in blocks `from` to `to`. Rejects with a `DomainError` when one
   * of the blocks can't be read, or does not name the one before it.
   */
  abstract transactions(accounts: readonly Felt[], from: number, to: number): Promise<AccountRange>;
  /**
   * One transaction by its hash; null when its sender is not one of `accounts`. Rejects with a
   * `DomainError` when the node does not have it at ACCEPTED_ON_L2: another replica may.
   */
  abstract transaction(hash: Felt, accounts: readonly Felt[]): Promise<AccountTransaction | null>;
  /** Height of the first block whose timestamp is not before `timestamp`, at most the head's. */
  abstract blockAt(timestamp: number): Promise<number>;
}

/** Why an account can't sign here. */
export type AccountProblem = 'NOT_DEPLOYED' | 'NO_ACCOUNT_CLASS' | 'WRONG_KEY';

/** A lane's own check: deployment, class, and a signature by the key that is held here. */
export abstract class AccountCheck {
  /** Null when the account works. Rejects with a `DomainError` when the check gets no answer. */
  abstract problemOf(account: Felt): Promise<AccountProblem | null>;
}
