import type { Felt } from '@sotto/kernel';
import { isFree, type Lane, type OpenNonce } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';

interface Shown {
  readonly nonce: bigint;
  /** By the store's clock, when a node showed it last. */
  readonly atMs: number;
}

/**
 * Nonces of accounts that some node has shown, and that the ledger does not account for: it has
 * not given them away, or nothing of ours could land under one of them. What consumed it may be
 * what is to be sent, by a ledger that is lost. Another node may not show it yet, and a rollback
 * may take it back, so it is remembered until it is explained or nothing of that time can be in a
 * mempool. An imported row without transactions counts as shown.
 */
export class UnexplainedNonces {
  readonly #shown = new Map<Felt, Shown>();

  constructor(
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly mempoolLifetimeMs: number,
  ) {}

  /**
   * The first lane whose account is ahead of the ledger.
   * @param lanes read after `nonces`
   * @param nonces of accounts, the highest that any node shows; undefined where none could be read
   */
  async firstAhead(
    lanes: readonly Lane[],
    nonces: ReadonlyMap<Felt, bigint> | undefined,
    nowMs: number,
  ): Promise<Lane | undefined> {
    const open = await Promise.all(lanes.map(({ address }) => this.ledger.openNonces(address)));
    // Each is asked, because what it shows is remembered.
    const [ahead] = lanes.filter((lane, place) =>
      this.#isAhead(lane, nonces?.get(lane.address) ?? 0n, open[place] ?? [], nowMs),
    );
    return ahead;
  }

  #isAhead(
    { address, nextNonce }: Lane,
    nonce: bigint,
    open: readonly OpenNonce[],
    nowMs: number,
  ): boolean {
    const before = this.#shown.get(address);
    const isOld = before !== undefined && nowMs - before.atMs >= this.mempoolLifetimeMs;
    const now = { nonce: highest([nonce, ...importedBelow(open)]), atMs: nowMs };
    const shown = before !== undefined && !isOld && before.nonce > now.nonce ? before : now;
    const isExplained =
      nextNonce !== null &&
      shown.nonce <= nextNonce &&
      !open.some((one) => isFree(one) && one.row.nonce < shown.nonce);
    if (isExplained) this.#shown.delete(address);
    else this.#shown.set(address, shown);
    return !isExplained;
  }
}

/** Nonces after those that were imported because a node showed them as consumed. */
function importedBelow(open: readonly OpenNonce[]): readonly bigint[] {
  return open
    .filter(({ transactions }) => transactions.length === 0)
    .map(({ row }) => row.nonce + 1n);
}

const highest = (nonces: readonly bigint[]): bigint =>
  nonces.reduce((one, other) => (other > one ? other : one), 0n);
