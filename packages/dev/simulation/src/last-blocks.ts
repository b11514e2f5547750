import type { Felt, Felts } from '@sotto/kernel';
import type { Attempt, AttemptRef, ChainHead } from '@sotto/submission-core';
import type { Inclusion } from './chain/chain.js';
import { nameOf } from './chain/network.js';
import { lastBlockIn, type Tx } from './chain/transaction.js';
import type { Judge } from './judge.js';
import type { OsProcess } from './os-process.js';
import type { Situations } from './situations.js';

/** More than this number of blocks must be left when a call is signed. */
const MARGIN_BLOCKS = 5;
/** Time in ms for which a process must consider a height. The machine considers heights longer. */
const SHOWN_MS = 50_000;

interface Shown {
  readonly number: number;
  readonly atMs: number;
}

/** Code with which an attempt ends because of its last block. */
const DEADLINE_BLOCK_PASSED = 'DEADLINE_BLOCK_PASSED';

/**
 * Rules about calls that can succeed only up to a last block. The contract itself reverts a call in
 * a later block. The rules use only heights that the process has received.
 */
export class LastBlocks {
  /** Heights that each process has received for each lane, oldest first. */
  readonly #shown = new WeakMap<OsProcess, Map<Felt, readonly Shown[]>>();
  /** Highest block that was ever on the chain. A rollback does not lower it. */
  #highest = 0;

  constructor(
    private readonly judge: Pick<Judge, 'broken'>,
    private readonly situations: Pick<Situations, 'saw'>,
  ) {}

  /** Records a head that a process has received. */
  received(process: OsProcess, { accounts, blockNumber: number }: ChainHead): void {
    const atMs = process.clock.monotonicMs();
    const lanes = this.#shown.get(process) ?? new Map<Felt, readonly Shown[]>();
    for (const lane of accounts.keys()) {
      const before = (lanes.get(lane) ?? []).filter((shown) => atMs - shown.atMs < SHOWN_MS);
      lanes.set(lane, [...before, { number, atMs }]);
    }
    this.#shown.set(process, lanes);
  }

  closed(number: number): void {
    this.#highest = Math.max(this.#highest, number);
  }

  /** Checks a call whose signature a process requests. */
  signs(process: OsProcess, lane: Felt, call: { readonly calldata: Felts }): void {
    const lastBlock = lastBlockIn(call.calldata);
    const shown = this.#highestShown(process, lane);
    if (lastBlock === null || shown + MARGIN_BLOCKS < lastBlock) return;
    this.judge.broken(
      'a call is signed only if enough blocks are left',
      `${process.name} signs a call of ${lane} until block ${lastBlock}, and was shown ${shown}`,
    );
  }

  /** Checks a call whose stored bytes a process is about to send again. */
  sendsAgain(process: OsProcess, tx: Tx): void {
    const lastBlock = tx.call?.lastBlock ?? null;
    const shown = this.#highestShown(process, tx.account);
    if (lastBlock === null || shown < lastBlock) return;
    this.judge.broken(
      'a call is not sent again after its last block',
      `${process.name} sends ${nameOf(tx)} until block ${lastBlock}, and was shown ${shown}`,
    );
  }

  /**
   * Checks an attempt that has ended while it waited.
   * @param isOpen true if a transaction of the attempt may still land
   */
  ended({ id, key, deadlineBlock, rejectionCode, readmit }: Attempt, isOpen: boolean): void {
    if (rejectionCode !== DEADLINE_BLOCK_PASSED) return;
    this.situations.saw(
      readmit
        ? 'a signed attempt ended by its last block'
        : 'an unsigned attempt ended by its last block',
    );
    const what = `${id} (${key}) until block ${deadlineBlock}`;
    if (deadlineBlock === null || this.#highest + MARGIN_BLOCKS < deadlineBlock)
      this.judge.broken(
        'no attempt ends before its last block is near',
        `${what}, and the highest block was ${this.#highest}`,
      );
    if (isOpen)
      this.judge.broken('no attempt ends by its last block while its call may land', what);
  }

  /** Records how a call with a last block was included. @param number block of the inclusion */
  included({ tx, execution, revertReason }: Inclusion, number: number): void {
    const lastBlock = tx.call?.lastBlock ?? null;
    if (lastBlock === null) return;
    if (number <= lastBlock) this.situations.saw('a call was included up to its last block');
    else if (execution === 'SUCCEEDED')
      this.situations.saw('a late call succeeded because its contract had become lenient');
    else if (revertReason === 'PROOF_EXPIRED')
      this.situations.saw('a late call was included and reverted');
  }

  /** True if the last block of this call was before the highest block that the chain has had. */
  isLate({ call }: Tx): boolean {
    return call !== null && call.lastBlock !== null && call.lastBlock <= this.#highest;
  }

  /**
   * Returns the highest height that the process has received for the lane. The newest height does
   * not count: the process may have received it for another purpose than a poll of the lane.
   */
  #highestShown(process: OsProcess, lane: Felt): number {
    const nowMs = process.clock.monotonicMs();
    const shown = this.#shown.get(process)?.get(lane) ?? [];
    return shown
      .slice(0, -1)
      .filter(({ atMs }) => nowMs - atMs < SHOWN_MS)
      .reduce((highest, { number }) => Math.max(highest, number), 0);
  }
}

/** Returns the name of an attempt in the ledger, which is unique within one ledger. */
export function nameOfAttempt({ key, attempt }: AttemptRef): string {
  return `${key}.${attempt}`;
}
