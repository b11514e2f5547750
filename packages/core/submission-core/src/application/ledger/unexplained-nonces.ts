import type { Felt } from '@sotto/kernel';
import { isFree, type Lane, type OpenNonce } from '../../domain/rows.js';
import type { Ledger } from '../../ports/ledger.port.js';

interface Shown {
  readonly nonce: bigint;
  /** Last time that a node showed the nonce, in ms of the store's clock. */
  readonly atMs: number;
}

/**
 * Account nonces that a node has shown and that the ledger cannot explain. First case: the ledger
 * has not assigned the nonces below. Second case: one of the nonces below is free, so no
 * transaction of this ledger could have consumed that nonce. The service may then have sent the
 * call that it is about to send before, under that nonce and with a lost ledger.
 *
 * Another node may not show the nonce yet, and a rollback may undo the nonce. The nonce is
 * therefore stored until it is explained, or until no transaction of that time can remain in a
 * mempool. An imported row without transactions is treated like a nonce that a node has shown.
 */
export class UnexplainedNonces {
  readonly #shown = new Map<Felt, Shown>();

  constructor(
    private readonly ledger: Pick<Ledger, 'openNonces'>,
    private readonly mempoolLifetimeMs: number,
  ) {}

  /**
   * Returns the first lane whose account is ahead of the ledger.
   * @param lanes lane rows that were read after `nonces`
   * @param nonces highest nonce of each account among all nodes; undefined if no node could be read
   */
  async firstAhead(
    lanes: readonly Lane[],
    nonces: ReadonlyMap<Felt, bigint> | undefined,
    nowMs: number,
  ): Promise<Lane | undefined> {
    const open = await Promise.all(lanes.map(({ address }) => this.ledger.openNonces(address)));
    // Do not stop at the first lane that is ahead: the check also stores the nonces that nodes have
    // shown.
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

/**
 * Returns, for each imported row, the nonce that follows it: a node has shown the imported nonce as
 * consumed.
 */
function importedBelow(open: readonly OpenNonce[]): readonly bigint[] {
  return open
    .filter(({ transactions }) => transactions.length === 0)
    .map(({ row }) => row.nonce + 1n);
}

const highest = (nonces: readonly bigint[]): bigint =>
  nonces.reduce((one, other) => (other > one ? other : one), 0n);
