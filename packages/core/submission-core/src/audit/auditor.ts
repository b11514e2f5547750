import { DomainError, type Clock, type Felt, type Logger } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { EndedCursor } from './audit-store.port.js';
import {
  EvidenceReader,
  type AuditHead,
  type AuditPoll,
  type EvidenceSources,
} from './evidence.js';
import { findingsOf, kindOf, nameOf, type Finding, type FindingCode } from './findings.js';
import { Suspects, type Suspect, type SuspectTimes } from './suspects.js';

export interface AuditorDependencies extends Omit<EvidenceSources, 'ledger'> {
  readonly ledger: Pick<Ledger, 'state' | 'pauseLane'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface AuditSettings extends SuspectTimes {
  /**
   * Accounts to audit in addition to the ledger's lanes. The ledger must know all transactions of
   * these accounts.
   */
  readonly accounts: readonly Felt[];
  /** Pause between the end of one audit round and the start of the next audit round, in ms. */
  readonly intervalMs: number;
  /** Minimum depth of a block below the head, in blocks. Blocks nearer to the head are not read. */
  readonly depth: number;
  /** Number of blocks in one read. */
  readonly batchBlocks: number;
  /** Maximum number of block reads in one round. */
  readonly batchesPerRound: number;
  /**
   * First block of the first audit round: a block number, or the age of that block in ms by the
   * store's clock.
   */
  readonly start: { readonly block: number } | { readonly lookbackMs: number };
}

export const DEFAULT_AUDIT_SETTINGS: Omit<AuditSettings, 'accounts'> = {
  intervalMs: 30_000,
  depth: 5,
  batchBlocks: 20,
  batchesPerRound: 5,
  start: { lookbackMs: 3_600_000 },
  confirmAfterMs: 60_000,
  settleWithinMs: 600_000,
};

/** Audit state that is exported as metrics. */
export interface AuditStatus {
  /** First block of the audit; null before the first round. */
  readonly firstBlock: number | null;
  /** Highest block that the audit has read; null before the first read. */
  readonly lastBlock: number | null;
  /**
   * Number of blocks that are deep enough and not read yet; null before the first head was read.
   */
  readonly behindBlocks: number | null;
  /** True if the audit has read every ended attempt. */
  readonly isAtLastEnd: boolean;
  /**
   * Last time that a round ended without a failed read, in ms of the monotonic clock; null before.
   */
  readonly completedAtMs: number | null;
  /**
   * Number of confirmed findings by code. A finding is confirmed if a second read has repeated it.
   * For `NOT_SETTLED`, the number of nonces that are still not settled.
   */
  readonly findings: Readonly<Record<FindingCode, number>>;
  /** Number of confirmed findings of kind `contradiction`. */
  readonly contradictions: number;
  /** Number of findings that wait for their second read. */
  readonly suspects: number;
  /** Number of contradictions that a second read did not repeat. */
  readonly unrepeated: number;
  /** Code of the error that stopped a step of the last round; null if the round was complete. */
  readonly problem: string | null;
}

export const AUDIT_PAUSE = 'AUDIT_CONTRADICTION';

const ANSWERS_PER_READ = 100;
/** Maximum number of reads of ended attempts in one round, and of second reads in one round. */
const READS_PER_ROUND = 20;
/**
 * Minimum time since an attempt's end before the audit reads the attempt, in ms. Attempts that
 * ended more recently may still be committed out of the order of their end times.
 */
const ENDED_LAG_MS = 30_000;
/** Number of batch ends that are stored, to find the last batch that a rollback did not undo. */
const TRAIL = 50;
const MOST_UNREAD = 1_000;

/**
 * Compares our accounts' transactions on chain with the ledger, some blocks below the head. The
 * auditor uses only rows and ports, not the machine's code, so that it does not repeat an error of
 * the machine. If a second read repeats a contradiction, the auditor pauses the lane concerned.
 */
export class Auditor {
  readonly #evidence: EvidenceReader;
  readonly #suspects: Suspects;
  readonly #warned = new Set<string>();
  /** Last blocks of the batches that were read, the newest at the end. */
  #trail: BlockRef[] = [];
  #firstBlock: number | null = null;
  #ended: EndedCursor | null = null;
  #isAtLastEnd = false;
  #unreadKeys = new Set<string>();
  #deepBlock: number | null = null;
  #completedAtMs: number | null = null;
  #unrepeated = 0;
  #problem: string | null = null;
  /**
   * Code of the last logged failure; null after a round without a failure. The same code is not
   * logged twice in a row.
   */
  #logged: string | null = null;

  constructor(
    private readonly deps: AuditorDependencies,
    private readonly settings: AuditSettings,
  ) {
    this.#evidence = new EvidenceReader(deps, settings);
    this.#suspects = new Suspects(deps.clock, settings);
  }

  /** Runs rounds until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round(signal);
      await this.deps.clock.sleep(this.settings.intervalMs, signal);
    }
  }

  /**
   * Runs one round in three steps: second reads that are due, then blocks, then ended attempts.
   * Never rejects.
   */
  async round(signal?: AbortSignal): Promise<void> {
    const parts = [
      () => this.#readAgain(signal),
      () => this.#readBlocks(signal),
      () => this.#readEnds(signal),
    ];
    let problem: string | null = null;
    for (const part of parts) problem = (await this.#attempt(part)) ?? problem;
    this.#problem = problem;
    this.#logged = problem;
    if (problem === null) this.#completedAtMs = this.deps.clock.monotonicMs();
  }

  status(): AuditStatus {
    const findings = this.findings();
    const lastBlock = this.#lastBlock();
    return {
      firstBlock: this.#firstBlock,
      lastBlock: this.#trail.at(-1)?.number ?? null,
      behindBlocks:
        this.#deepBlock === null || lastBlock === null
          ? null
          : Math.max(0, this.#deepBlock - lastBlock),
      isAtLastEnd: this.#isAtLastEnd,
      completedAtMs: this.#completedAtMs,
      findings: countsOf(findings),
      contradictions: findings.filter(({ code }) => kindOf(code) === 'contradiction').length,
      suspects: this.#suspects.unread,
      unrepeated: this.#unrepeated,
      problem: this.#problem,
    };
  }

  /**
   * Returns the confirmed findings, oldest first, and the nonces that the ledger has not settled
   * yet.
   */
  findings(): readonly Finding[] {
    return [...this.#suspects.confirmed, ...this.#suspects.pending];
  }

  /** Runs one step of a round. Returns the code of its failure, or null. */
  async #attempt(part: () => Promise<void>): Promise<string | null> {
    try {
      await part();
      return null;
    } catch (error) {
      const code = error instanceof DomainError ? error.code : 'BUG';
      if (!(error instanceof DomainError))
        this.deps.logger.error({ error: asError(error) }, 'the audit has a bug');
      else if (this.#logged !== code)
        this.deps.logger.warn({ code, error }, 'the audit could not read: nothing is concluded');
      this.#logged = code;
      return code;
    }
  }

  async #readBlocks(signal: AbortSignal | undefined): Promise<void> {
    for (let batch = 0; batch < this.settings.batchesPerRound; batch += 1) {
      if (signal?.aborted === true || this.#suspects.isFull) return;
      const at = await this.#evidence.head();
      this.#deepBlock = at.deepBlock;
      this.#firstBlock ??= await this.#startOf(at);
      if (!(await this.#returnToStanding())) return;
      const from = (this.#lastBlock() ?? -1) + 1;
      const to = Math.min(from + this.settings.batchBlocks - 1, at.deepBlock);
      if (from > to) return;
      const end = await this.#poll(at, { blocks: { from, to }, keys: [] });
      if (end !== null) this.#trail = [...this.#trail, end].slice(-TRAIL);
    }
  }

  async #startOf({ state }: AuditHead): Promise<number> {
    const { start } = this.settings;
    return 'block' in start
      ? start.block
      : this.deps.history.blockAt(Math.floor((state.nowMs - start.lookbackMs) / 1_000));
  }

  /**
   * Moves the audit back to the last batch whose end is still on the node's chain. Returns false if
   * the node's head is below the blocks that were already read.
   */
  async #returnToStanding(): Promise<boolean> {
    const before = this.#trail.at(-1) ?? null;
    for (let last = this.#trail.at(-1); last !== undefined; last = this.#trail.at(-1)) {
      const hash = await this.deps.reader.blockHash(last.number);
      if (hash === null) return false;
      if (hash === last.hash) break;
      this.#trail = this.#trail.slice(0, -1);
    }
    const last = this.#trail.at(-1) ?? null;
    if (last !== before)
      this.deps.logger.warn(
        { from: before?.number, to: last?.number },
        'the chain was rolled back: the audit reads it again',
      );
    return true;
  }

  async #readEnds(signal: AbortSignal | undefined): Promise<void> {
    this.#isAtLastEnd = false;
    for (let read = 0; read < READS_PER_ROUND; read += 1) {
      if (signal?.aborted === true || this.#suspects.isFull) return;
      const at = await this.#evidence.head();
      const { start } = this.settings;
      this.#ended ??= {
        endedAtMs: 'block' in start ? 0 : at.state.nowMs - start.lookbackMs,
        id: '',
      };
      const page = await this.deps.store.ended(
        this.#ended,
        at.state.nowMs - ENDED_LAG_MS,
        ANSWERS_PER_READ,
      );
      const keys = [
        ...new Set([...page.keys, ...[...this.#unreadKeys].slice(0, ANSWERS_PER_READ)]),
      ];
      if (keys.length > 0) await this.#poll(at, { blocks: null, keys });
      this.#ended = page.last ?? this.#ended;
      this.#isAtLastEnd = page.last === null;
      if (this.#isAtLastEnd) return;
    }
  }

  async #poll(at: AuditHead, poll: AuditPoll): Promise<BlockRef | null> {
    const { chain, ledger, end, unread } = await this.#evidence.gather(at, poll);
    this.#suspects.add(findingsOf(chain, ledger));
    for (const key of poll.keys) this.#unreadKeys.delete(key);
    for (const key of unread) if (this.#unreadKeys.size < MOST_UNREAD) this.#unreadKeys.add(key);
    return end;
  }

  async #readAgain(signal: AbortSignal | undefined): Promise<void> {
    for (const suspect of this.#suspects.due(READS_PER_ROUND)) {
      if (signal?.aborted === true) return;
      // If the second read of a finding fails, continue with the other findings.
      const problem = await this.#attempt(() => this.#judgeAgain(suspect));
      if (problem === null) continue;
      this.#suspects.postpone(suspect);
      this.#warnOnce(suspect, 'a finding of the audit could not be read again');
    }
  }

  async #judgeAgain(suspect: Suspect): Promise<void> {
    const { finding } = suspect;
    const { block, key } = finding;
    const at = await this.#evidence.head();
    const poll = {
      blocks: block === null ? null : { from: block, to: block },
      keys: key === null ? [] : [key],
    };
    const { chain, ledger, unread } = await this.#evidence.gather(at, poll);
    const again = findingsOf(chain, ledger);
    if (again.some((one) => nameOf(one) === nameOf(finding))) {
      await this.#repeated(suspect, at);
      return;
    }
    if (key !== null && unread.includes(key)) {
      this.#suspects.postpone(suspect);
      this.#warnOnce(suspect, 'a finding of the audit could not be read again');
      return;
    }
    this.#suspects.drop(suspect);
    // A second read may also return new findings. Read these findings a second time too, because
    // they may be wrong.
    this.#suspects.add(again);
    if (kindOf(finding.code) !== 'contradiction') return;
    this.#unrepeated += 1;
    this.deps.logger.warn(
      fieldsOf(finding),
      'a contradiction between ledger and chain was not repeated by a second read',
    );
  }

  async #repeated(suspect: Suspect, { state }: AuditHead): Promise<void> {
    const { finding } = suspect;
    const kind = kindOf(finding.code);
    if (kind === 'pending') {
      this.#warnOnce(suspect, 'the ledger has not settled a nonce that the chain has consumed');
      this.#suspects.postpone(suspect);
      return;
    }
    if (kind === 'contradiction') {
      const lane = state.lanes.find(({ address }) => address === finding.lane);
      // A lane that is already paused retains its reason for the pause.
      if (lane?.pausedFor === null) await this.deps.ledger.pauseLane(finding.lane, AUDIT_PAUSE);
    }
    this.#suspects.confirm(suspect);
    if (kind === 'foreign')
      this.deps.logger.warn(fieldsOf(finding), 'something else has signed with the key of a lane');
    else
      this.deps.logger.error(
        fieldsOf(finding),
        'ledger and chain contradict each other: the lane is stopped',
      );
  }

  #warnOnce({ finding }: Suspect, message: string): void {
    const name = `${message}|${nameOf(finding)}`;
    if (this.#warned.has(name)) return;
    if (this.#warned.size >= MOST_UNREAD) this.#warned.clear();
    this.#warned.add(name);
    this.deps.logger.warn(fieldsOf(finding), message);
  }

  #lastBlock(): number | null {
    return this.#trail.at(-1)?.number ?? (this.#firstBlock === null ? null : this.#firstBlock - 1);
  }
}

/** Returns the public fields of a finding. */
function fieldsOf({ code, lane, nonce, transactionHash, block, submission }: Finding) {
  return { code, lane, nonce: String(nonce), transactionHash, block, submission };
}

function countsOf(findings: readonly Finding[]): Readonly<Record<FindingCode, number>> {
  const counts = { ...NONE };
  for (const { code } of findings) counts[code] += 1;
  return counts;
}

const NONE: Record<FindingCode, number> = {
  ATTEMPT_PAID_TWICE: 0,
  ENDED_BUT_INCLUDED: 0,
  TOLD_BUT_NOT_ON_CHAIN: 0,
  OUTCOME_DIFFERS: 0,
  CARRIES_ANOTHER_CALL: 0,
  SETTLED_OTHERWISE: 0,
  NOT_IN_LEDGER: 0,
  FOREIGN: 0,
  NOT_SETTLED: 0,
};

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`a ${typeof error} was thrown`);
}
