import { domainError, type Felt } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';
import type { CallReader } from '../ports/call-reader.port.js';
import type { AccountHistory, ChainHead, ChainReader } from '../ports/chain.port.js';
import type { Ledger, LedgerState } from '../ports/ledger.port.js';
import type { AuditStore, AuditedNonces, AuditedSubmission } from './audit-store.port.js';
import type { AuditedLane, CarriedTransaction, ChainEvidence, LedgerEvidence } from './findings.js';

export interface EvidenceSources {
  readonly history: AccountHistory;
  readonly reader: Pick<ChainReader, 'head' | 'blockHash' | 'transactionStatuses'>;
  readonly store: AuditStore;
  readonly ledger: Pick<Ledger, 'state'>;
  /**
   * Identifies the submission that a call on chain belongs to. If null, the audit does not compare
   * stored transactions with their calls.
   */
  readonly calls: CallReader | null;
}

/**
 * Thrown if the results of the reads contradict each other. The audit then draws no conclusion from
 * these reads.
 */
class AuditUnreadable extends domainError('AUDIT_UNREADABLE') {}

/** State of the chain and the ledger at the beginning of a read. */
export interface AuditHead {
  readonly head: ChainHead;
  readonly state: LedgerState;
  readonly accounts: readonly Felt[];
  readonly deepBlock: number;
}

/**
 * Scope of one read: blocks `from` to `to`, the nonces that appear in these blocks, and the
 * submissions with the given keys.
 */
export interface AuditPoll {
  readonly blocks: { readonly from: number; readonly to: number } | null;
  readonly keys: readonly string[];
}

export interface Evidence {
  readonly chain: ChainEvidence;
  readonly ledger: LedgerEvidence;
  /** Last block that was read; its hash identifies all lower blocks. */
  readonly end: BlockRef | null;
  /** Keys of the submissions with a transaction that could not be read. */
  readonly unread: readonly string[];
}

const PAGE = 500;
/**
 * Maximum number of rows that are read from an account's next nonce upwards. The next round reads
 * the following rows.
 */
const ABOVE = 100;
/** Number of hashes or keys per read. */
const CHUNK = 100;
const HIGHEST_NONCE = 2n ** 63n - 1n;

/**
 * Reads the chain and the ledger for the comparison. The chain is read first, so that the rows are
 * never older than the chain data.
 */
export class EvidenceReader {
  constructor(
    private readonly sources: EvidenceSources,
    private readonly settings: { readonly accounts: readonly Felt[]; readonly depth: number },
  ) {}

  /**
   * Reads the head of the chain and the state of the ledger.
   * @throws AuditUnreadable if the node is on another chain than the ledger
   */
  async head(): Promise<AuditHead> {
    const { ledger, reader } = this.sources;
    const state = await ledger.state();
    const accounts = [
      ...new Set([...this.settings.accounts, ...state.lanes.map(({ address }) => address)]),
    ];
    const head = await reader.head(accounts);
    if (state.chain === null)
      throw new AuditUnreadable({ message: 'the ledger has not met its chain yet' });
    const isSame =
      state.chain.chainId === head.chainId &&
      (await reader.blockHash(0)) === state.chain.genesisHash;
    if (!isSame)
      throw new AuditUnreadable({ message: 'the node is of another chain than the ledger' });
    return { head, state, accounts, deepBlock: head.blockNumber - this.settings.depth };
  }

  /**
   * Reads the chain and the ledger for one scope.
   * @throws AuditUnreadable if the chain was rolled back during the read
   */
  async gather(
    { head, accounts, deepBlock }: AuditHead,
    { blocks, keys }: AuditPoll,
  ): Promise<Evidence> {
    const end = blocks === null ? null : await this.#block(blocks.to);
    const transactions =
      blocks === null ? [] : await this.#transactions(accounts, blocks.from, blocks.to);
    const accountNonces = new Map(
      [...head.accounts].map(([account, { nonce }]) => [account, nonce]),
    );

    const { lanes } = await this.sources.ledger.state();
    const pages: AuditedNonces[] = [];
    const known = new Set(lanes.map(({ address }) => address));
    const unknown = this.settings.accounts.filter((account) => !known.has(account));
    const audited: AuditedLane[] = unknown.map((address) => ({
      address,
      firstNonce: 0n,
      isQuarantined: false,
    }));
    for (const { address, nextNonce, quarantine } of lanes) {
      const firstNonce =
        nextNonce === null ? null : ((await this.sources.store.firstNonce(address)) ?? nextNonce);
      audited.push({ address, firstNonce, isQuarantined: quarantine !== null });
      if (firstNonce === null) continue;
      pages.push(...(await this.#rows(address, transactions, accountNonces.get(address))));
    }
    const submissions = await this.#submissions([
      ...new Set([...keys, ...pages.flatMap((page) => page.keys)]),
    ]);
    const sightings = await this.#sightings(submissions, transactions);
    const endAfter = blocks === null ? null : await this.#block(blocks.to);
    if (end?.hash !== endAfter?.hash)
      throw new AuditUnreadable({ message: 'the chain was rolled back while it was read' });
    return {
      chain: { transactions, sightings, accountNonces, deepBlock },
      ledger: {
        lanes: audited,
        rows: unique(
          pages.flatMap((page) => page.rows),
          ({ lane, nonce }) => `${lane}|${nonce}`,
        ),
        transactions: unique(
          pages.flatMap((page) => page.transactions),
          ({ hash }) => hash,
        ),
        submissions,
      },
      end,
      unread: submissions
        .filter((submission) =>
          hashesOf(submission).some((hash) => sightings.get(hash)?.kind === 'unread'),
        )
        .map(({ key }) => key),
    };
  }

  async #block(number: number): Promise<BlockRef> {
    const hash = await this.sources.reader.blockHash(number);
    if (hash === null) throw new AuditUnreadable({ message: 'the node does not have the block' });
    return { number, hash };
  }

  async #transactions(
    accounts: readonly Felt[],
    from: number,
    to: number,
  ): Promise<readonly CarriedTransaction[]> {
    const { calls: reader, history } = this.sources;
    const { sent } = await history.transactions(accounts, from, to);
    return sent.map((transaction) => {
      const [call, ...others] = transaction.calls ?? [];
      const isOne = reader !== null && call !== undefined && others.length === 0;
      return {
        ...transaction,
        carries: isOne ? (reader.submissionOf(call.target, call.calldata)?.key ?? null) : null,
      };
    });
  }

  /**
   * Reads the rows of the nonces that appear in the blocks, and of the nonces from the account's
   * next nonce upwards.
   */
  async #rows(
    lane: Felt,
    transactions: readonly CarriedTransaction[],
    accountNonce: bigint | undefined,
  ): Promise<readonly AuditedNonces[]> {
    const { store } = this.sources;
    const pages: AuditedNonces[] = [];
    const nonces = transactions.filter(({ sender }) => sender === lane).map(({ nonce }) => nonce);
    const [lowest] = nonces;
    if (lowest !== undefined) {
      const highest = nonces.reduce((high, nonce) => (nonce > high ? nonce : high), lowest);
      let from: bigint | null = nonces.reduce((low, nonce) => (nonce < low ? nonce : low), lowest);
      while (from !== null) {
        const page: AuditedNonces = await store.nonces(lane, from, highest, PAGE);
        pages.push(page);
        from = page.next;
      }
    }
    if (accountNonce === undefined) return pages;
    // Their transactions are in flight. The audit only checks that these rows are not settled.
    const { rows } = await store.nonces(lane, accountNonce, HIGHEST_NONCE, ABOVE);
    return [...pages, { rows, transactions: [], keys: [], next: null }];
  }

  async #submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]> {
    const found: AuditedSubmission[] = [];
    for (const chunk of chunksOf(keys))
      found.push(...(await this.sources.store.submissions(chunk)));
    return found;
  }

  async #sightings(
    submissions: readonly AuditedSubmission[],
    transactions: readonly CarriedTransaction[],
  ): Promise<ReadonlyMap<Felt, TransactionStatus>> {
    const shown = new Set(transactions.map(({ consumer }) => consumer.hash));
    const hashes = [...new Set(submissions.flatMap(hashesOf))].filter((hash) => !shown.has(hash));
    const sightings = new Map<Felt, TransactionStatus>();
    for (const chunk of chunksOf(hashes)) {
      const answers = await this.sources.reader.transactionStatuses(chunk);
      for (const [index, hash] of chunk.entries())
        sightings.set(hash, answers[index] ?? { kind: 'unread' });
    }
    return sightings;
  }
}

function hashesOf({ attempts, transactions }: AuditedSubmission): Felt[] {
  const ends = attempts.flatMap(({ transactionHash }) =>
    transactionHash === null ? [] : [transactionHash],
  );
  return [...new Set([...transactions.map(({ hash }) => hash), ...ends])];
}

function chunksOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, index) =>
    all.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}

function unique<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  return [...new Map(all.map((one) => [nameOf(one), one])).values()];
}
