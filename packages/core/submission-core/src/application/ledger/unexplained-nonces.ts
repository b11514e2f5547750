import type { Felt } from '@sotto/kernel';
import { isFree, type Lane, type OpenNonce } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';

interface Shown {
  readonly nonce: bigint;
  /** Last time that a node showed it, by the store's clock. */
  readonly atMs: number;
}

/**
 * Nonces of accounts that some node has shown and the ledger cannot explain: it has not assigned
 * them, or no transaction of ours could land under one of them. A lost ledger may have consumed one
 * with the call that is to be sent.
 *
 * Another node may not show it yet, and a rollback may undo it. So it is remembered until it is
 * explained or no transaction of that time can be in a mempool. An imported row without
 * transactions counts as shown.
 */
export class UnexplainedNonces {
  readonly #shown = new Map<Felt, Shown>();

  constructor(
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly mempoolLifetimeMs: number,
  ) {}

  /**
   * Returns the first lane whose account is ahead of the ledger.
   * @param lanes read after `nonces`
   * @param nonces highest nonce of each account that any node shows; undefined if none could be
   *   read
   */
  async firstAhead(
    lanes: readonly Lane[],
    nonces: ReadonlyMap<Felt, bigint> | undefined,
    nowMs: number,
  ): Promise<Lane | undefined> {
    const open = await Promise.all(lanes.map(({ address }) => this.ledger.openNonces(address)));
    // Check each lane, because the call remembers the nonces that were shown.
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

/** Nonces that follow imported ones, which a node showed as consumed. */
function importedBelow(open: readonly OpenNonce[]): readonly bigint[] {
  return open
    .filter(({ transactions }) => transactions.length === 0)
    .map(({ row }) => row.nonce + 1n);
}

const highest = (nonces: readonly bigint[]): bigint =>
  nonces.reduce((one, other) => (other > one ? other : one), 0n);
