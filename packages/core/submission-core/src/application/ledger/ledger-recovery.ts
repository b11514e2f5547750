import type { Felt } from '@sotto/kernel';
import { confirms } from '../../domain/chain-evidence.js';
import type { Lane } from '../../domain/rows.js';
import { headOf } from '../../ports/chain.port.js';
import type { LedgerState } from '../../ports/ledger.port.js';
import { adopt } from './adopt-call.js';
import { bounded } from '../bounded.js';
import type { MachineDependencies } from '../dependencies.js';
import { CHUNK, firstUnknownBlock } from './read-back.js';
import type { SubmissionSettings } from '../settings.js';

/** Timeout of a read of many blocks, as a multiple of the poll timeout. */
const READ_POLLS = 4;
/** Interval at which the chain's height is stored and a wrong time is logged, in ms. */
const NOTE_EVERY_MS = 60_000;

export type RecoveryParts = Pick<
  MachineDependencies,
  'ledger' | 'clock' | 'logger' | 'failpoint' | 'reader' | 'accountHistory' | 'calls' | 'changes'
>;

/**
 * Recovers a ledger that is behind its chain. The recovery waits until the chain has consumed every
 * nonce of the quarantines. Then it reads our accounts' transactions since the ledger's last known
 * block and writes the outcomes of unknown calls. After that, new work is allowed.
 */
export class LedgerRecovery {
  #notedAtMs: number | null = null;
  #warnedAtMs: number | null = null;

  constructor(
    private readonly deps: RecoveryParts,
    private readonly settings: Pick<
      SubmissionSettings,
      'adoptBackMs' | 'needsYoungHead' | 'lookTimeoutMs' | 'lanes'
    >,
  ) {}

  /**
   * @param isJudged true if every configured lane was compared with its chain, so that the ledger
   *   is proven to be up to its chain
   */
  async follow(state: LedgerState, isJudged: boolean): Promise<void> {
    const inQuestion = state.lanes.filter(({ quarantine }) => quarantine !== null);
    const behind = inQuestion.filter(({ quarantine }) => quarantine?.cause === 'behind');
    for (const { address, ...lane } of inQuestion) {
      if (lane.quarantine?.cause === 'introduced' && (await this.#isConsumed({ address, ...lane })))
        await this.#end([address]);
    }
    // If the ledger may be a copy, its lanes will soon be in quarantine. Wait until then.
    if (behind.length === 0 && state.possibleCopySinceMs !== null) return;
    if (behind.length === 0) {
      const known = new Set(
        state.lanes.filter(({ nextNonce }) => nextNonce !== null).map(({ address }) => address),
      );
      const isWhole =
        inQuestion.length === 0 && this.settings.lanes.every(({ address }) => known.has(address));
      if (isJudged && isWhole) await this.#noteHeight(state);
      return;
    }
    // Any lane of this service may have lost rows, including a lane that no instance holds now.
    const configured = new Set(this.settings.lanes.map(({ address }) => address));
    if (
      state.lanes.some(
        ({ address, nextNonce, quarantine }) =>
          configured.has(address) && nextNonce !== null && quarantine === null,
      )
    )
      return;
    for (const lane of behind) if (!(await this.#isConsumed(lane))) return;
    if (!(await this.#adopt(state, behind))) return;
    // Clear the mark of a possible copy before the quarantine ends. Otherwise the lanes would be
    // put into quarantine again.
    if (state.possibleCopySinceMs !== null)
      await this.deps.ledger.clearPossibleCopy(state.possibleCopySinceMs);
    await this.#end(behind.map(({ address }) => address));
  }

  async #isConsumed({ address, nextNonce, quarantine }: Lane): Promise<boolean> {
    if (
      quarantine === null ||
      !quarantine.isAged ||
      nextNonce === null ||
      nextNonce < quarantine.until
    )
      return false;
    const [lowest] = await this.deps.ledger.openNonces(address);
    return lowest === undefined || lowest.row.nonce >= quarantine.until;
  }

  /**
   * Adopts the outcomes of unknown calls. Returns false in three cases: the chain was rolled back
   * during the read, different reads saw different chains, or the node does not show every nonce of
   * the quarantines as consumed. The caller repeats the read after false.
   */
  async #adopt(state: LedgerState, behind: readonly Lane[]): Promise<boolean> {
    const { reader, accountHistory, logger } = this.deps;
    const accounts = state.lanes.map(({ address }) => address);
    const head = await this.#inTime(reader.head(behind.map(({ address }) => address)));
    // If the node lags behind, blocks above its head may contain transactions of the lost ledger.
    const isComplete = behind.every(
      ({ address, quarantine }) =>
        (head.accounts.get(address)?.nonce ?? -1n) >= (quarantine?.until ?? 0n),
    );
    if (!isComplete) return false;
    const from = await this.#inTime(firstUnknownBlock(this.deps, this.settings, state, head));
    if (from === null) {
      this.#warnOfTime({ block: head.blockNumber, aheadMs: head.timestamp * 1_000 - state.nowMs });
      return false;
    }
    let adopted = 0;
    for (let first = from; first <= head.blockNumber; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, head.blockNumber);
      const range = await this.#inTime(accountHistory.transactions(accounts, first, last));
      const blocks = range.sent.map(({ consumer }) => consumer.block.number);
      const heights = [...new Set([...blocks, last])];
      const evidence = await this.#inTime(reader.confirm(headOf(head), heights));
      if (range.last === null || !confirms(evidence, range.last)) {
        logger.warn(
          { fromBlock: first, toBlock: last },
          'the chain changed while it was read back',
        );
        return false;
      }
      for (const transaction of range.sent) {
        if (await adopt(this.deps, transaction, evidence)) adopted += 1;
      }
    }
    logger.info(
      { fromBlock: from, toBlock: head.blockNumber, adopted },
      'outcomes of a lost ledger were read from the chain',
    );
    return true;
  }

  /**
   * Logs a warning about a wrong time, but at most once per minute, since the time may remain wrong
   * for long.
   */
  #warnOfTime(fields: Readonly<Record<string, number>>): void {
    const nowMs = this.deps.clock.monotonicMs();
    if (this.#warnedAtMs !== null && nowMs - this.#warnedAtMs < NOTE_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    const text = 'the time of the newest block is wrong: the chain is not read back yet';
    this.deps.logger.warn(fields, text);
  }

  async #end(lanes: readonly Felt[]): Promise<void> {
    const { applied } = await this.deps.ledger.apply({ type: 'end_quarantine', lanes });
    if (applied)
      this.deps.logger.info(
        { lanes: lanes.join(', ') },
        'every nonce in question is consumed: the lanes carry calls',
      );
  }

  /**
   * Stores the height of the chain, at which a later recovery starts to read. Call this only if the
   * ledger cannot be behind its chain. The stored height never decreases, so the lowest head of all
   * nodes is stored, confirmed by a closing read.
   */
  async #noteHeight({ lastBlock }: LedgerState): Promise<void> {
    const nowMs = this.deps.clock.monotonicMs();
    if (this.#notedAtMs !== null && nowMs - this.#notedAtMs < NOTE_EVERY_MS) return;
    const { reader, ledger } = this.deps;
    const heads = await this.#inTime(reader.heads([]));
    const [lowest] = heads.toSorted((a, b) => a.blockNumber - b.blockNumber);
    if (lowest === undefined) return;
    const block = headOf(lowest);
    const isNews = lastBlock === null || block.number > lastBlock;
    if (isNews && !confirms(await this.#inTime(reader.confirm(block, [])), block)) return;
    if (isNews) await ledger.noteBlock(block.number);
    this.#notedAtMs = nowMs;
  }

  /**
   * Applies a timeout to a read of many blocks, which is slower than a poll. A read that never ends
   * would block the recovery.
   */
  #inTime<T>(read: Promise<T>): Promise<T> {
    return bounded(this.deps.clock, READ_POLLS * this.settings.lookTimeoutMs, read);
  }
}
