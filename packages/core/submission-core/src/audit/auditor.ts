import { DomainError, type Clock, type Felt, type Logger } from '@sotto/kernel';
import type { BlockRef } from '../domain/rows.js';
import type { Ledger } from '../ports/ledger.port.js';
import type { EndedCursor } from './audit-book.port.js';
import {
  EvidenceReader,
  type AuditHead,
  type AuditLook,
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
   * Further accounts in addition to the ledger's lanes. The ledger must know all their
   * transactions.
   */
  readonly accounts: readonly Felt[];
  /** Pause between the end of a round and the next one, in ms. */
  readonly intervalMs: number;
  /** Blocks less deep than this below the head are not read. */
  readonly depth: number;
  /** Blocks in one read. */
  readonly batchBlocks: number;
  /** Reads in one round while the audit is behind. */
  readonly batchesPerRound: number;
  /** First block of the first round: this block, or the block of this age by the store's clock. */
  readonly start: { readonly block: number } | { readonly lookBackMs: number };
}

export const DEFAULT_AUDIT_SETTINGS: Omit<AuditSettings, 'accounts'> = {
  intervalMs: 30_000,
  depth: 5,
  batchBlocks: 20,
  batchesPerRound: 5,
  start: { lookBackMs: 3_600_000 },
  confirmAfterMs: 60_000,
  settleWithinMs: 600_000,
};

/** State of the audit for the metrics. */
export interface AuditStatus {
  /** First block of the audit; null before the first round. */
  readonly firstBlock: number | null;
  /** Highest block that was read; null before the first. */
  readonly lastBlock: number | null;
  /** Number of deep enough blocks that are still to be read; null before the first head. */
  readonly behindBlocks: number | null;
  /** True if every ended attempt was read. */
  readonly isAtLastEnd: boolean;
  /** Last time that a round ended without a failed read, by the monotonic clock. */
  readonly completedAtMs: number | null;
  /**
   * Numbers of findings that a second read has confirmed. `NOT_SETTLED` counts those that remain.
   */
  readonly findings: Readonly<Record<FindingCode, number>>;
  /** Confirmed findings of kind `contradiction`. */
  readonly contradictions: number;
  /** Findings that wait for their second read. */
  readonly suspects: number;
  /** Contradictions that a second read did not repeat. */
  readonly unrepeated: number;
  /** Code of the error that stopped the last round; null if it was complete. */
  readonly problem: string | null;
}

export const AUDIT_PAUSE = 'AUDIT_CONTRADICTION';

const ANSWERS_PER_READ = 100;
/** Reads of ended attempts, and second reads, in one round. */
const READS_PER_ROUND = 20;
/**
 * Age that an end needs before it is read, in ms: younger ends may still be committed out of the
 * order of their times.
 */
const ENDED_LAG_MS = 30_000;
/** Number of batch ends kept, to find the last one that a rollback left. */
const TRAIL = 50;
const MOST_UNREAD = 1_000;

/**
 * Compares the transactions of our accounts on chain with the ledger, behind the head. The auditor
 * reads only rows and ports, so that it does not repeat an error of the machine. A contradiction
 * that a second, fresh read repeats pauses its lane.
 */
export class Auditor {
  readonly #evidence: EvidenceReader;
  readonly #suspects: Suspects;
  readonly #warned = new Set<string>();
  /** Ends of the batches that were read, the newest last. */
  #trail: BlockRef[] = [];
  #firstBlock: number | null = null;
  #ended: EndedCursor | null = null;
  #isAtLastEnd = false;
  #unreadKeys = new Set<string>();
  #deepBlock: number | null = null;
  #completedAtMs: number | null = null;
  #unrepeated = 0;
  #problem: string | null = null;
  /** Code of the last logged failure, which is logged again after a round without a failure. */
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

  /** Runs one round: second reads that are due, then blocks, then ended attempts. Never rejects. */
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

  /** Confirmed findings, oldest first, and nonces that the ledger has not settled yet. */
  findings(): readonly Finding[] {
    return [...this.#suspects.confirmed, ...this.#suspects.pending];
  }

  /** Runs a part. Returns the failure's code, or null. */
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
      const end = await this.#look(at, { blocks: { from, to }, keys: [] });
      if (end !== null) this.#trail = [...this.#trail, end].slice(-TRAIL);
    }
  }

  async #startOf({ state }: AuditHead): Promise<number> {
    const { start } = this.settings;
    return 'block' in start
      ? start.block
      : this.deps.history.blockAt(Math.floor((state.nowMs - start.lookBackMs) / 1_000));
  }

  /**
   * Rewinds to the last batch that the node's chain still has. Returns false while the node is
   * behind the blocks that were read.
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
        endedAtMs: 'block' in start ? 0 : at.state.nowMs - start.lookBackMs,
        id: '',
      };
      const page = await this.deps.book.ended(
        this.#ended,
        at.state.nowMs - ENDED_LAG_MS,
        ANSWERS_PER_READ,
      );
      const keys = [
        ...new Set([...page.keys, ...[...this.#unreadKeys].slice(0, ANSWERS_PER_READ)]),
      ];
      if (keys.length > 0) await this.#look(at, { blocks: null, keys });
      this.#ended = page.last ?? this.#ended;
      this.#isAtLastEnd = page.last === null;
      if (this.#isAtLastEnd) return;
    }
  }

  async #look(at: AuditHead, look: AuditLook): Promise<BlockRef | null> {
    const { chain, ledger, end, unread } = await this.#evidence.gather(at, look);
    this.#suspects.add(findingsOf(chain, ledger));
    for (const key of look.keys) this.#unreadKeys.delete(key);
    for (const key of unread) if (this.#unreadKeys.size < MOST_UNREAD) this.#unreadKeys.add(key);
    return end;
  }

  async #readAgain(signal: AbortSignal | undefined): Promise<void> {
    for (const suspect of this.#suspects.due(READS_PER_ROUND)) {
      if (signal?.aborted === true) return;
      // A finding that can't be read must not delay the others.
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
    const look = {
      blocks: block === null ? null : { from: block, to: block },
      keys: key === null ? [] : [key],
    };
    const { chain, ledger, unread } = await this.#evidence.gather(at, look);
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
    // The new findings may be wrong in another way.
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
      // A lane that is paused already keeps its reason.
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

/** Contains public fields only. */
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
