import { LEDGER_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import { DomainError, type Clock, type Felt } from '@sotto/kernel';
import type { ControlPools } from '../../circuit-breaker/application/control-pools.js';
import type { GuardedPool } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { Verdict } from '../domain/verdict.js';
import type { GetVerdict } from './get-verdict.js';
import type { FairSemaphore, SlotCounts } from '../../relay/application/fair-semaphore.js';
import type { NodeDirectory, NodeStatus } from '../ports/node-directory.port.js';
import type {
  AccountState,
  Auditor,
  AuditStatus,
  ChainReader,
  EngineStatus,
  Lane,
  LaneStatus,
  Ledger,
  LedgerState,
  StuckNonce,
  SubmissionEngine,
} from '@sotto/submission-core';

/** Requests that are under way, of how many callers, and turned away since the start. */
interface RequestCounts {
  readonly requests: number;
  readonly clients: number;
  readonly refused: number;
}

/** An account as its operator sees it. */
export interface OperatedLane extends LaneStatus {
  /**
   * Why it is stopped until an operator resumes it, in the ledger and so for every instance; null
   * while it is not.
   */
  readonly pausedFor: string | null;
  readonly quarantine: Lane['quarantine'];
  /** At ACCEPTED_ON_L2; null while the node does not report it. */
  readonly account: AccountState | null;
}

export interface Operations extends Pick<EngineStatus, 'alarms' | 'clockSkewMs' | 'isStrict'> {
  readonly lanes: readonly OperatedLane[];
  /** When this instance read the chain last. */
  readonly lastLookMs: number | null;
  /** `state` is null for a ledger that lacks nothing of its chain. */
  readonly ledger: Pick<LedgerState, 'chain' | 'lastBlock'> & {
    readonly state: EngineStatus['ledger'];
  };
  /**
   * `completedAgoMs`: since an audit last read all that it wanted; null before the first time, and
   * where it is turned off.
   */
  readonly audit: Pick<AuditStatus, 'lastBlock' | 'behindBlocks' | 'findings' | 'problem'> & {
    readonly completedAgoMs: number | null;
  };
  readonly nodes: readonly NodeStatus[];
  /** What an operator should look at. */
  readonly stuck: readonly StuckNonce[];
  readonly pools: readonly GuardedPool[];
  readonly verdict: Verdict;
  readonly load: { readonly admissions: SlotCounts; readonly requests: RequestCounts };
}

export interface OperationSources {
  readonly engine: Pick<SubmissionEngine, 'status'>;
  readonly reader: Pick<ChainReader, 'head'>;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly auditor: Pick<Auditor, 'status'>;
  readonly nodes: NodeDirectory;
  readonly controls: Pick<ControlPools, 'list'>;
  readonly slots: Pick<FairSemaphore, 'counts'>;
  readonly inFlight: { counts(): RequestCounts };
  readonly verdict: Pick<GetVerdict, 'current'>;
  readonly clock: Clock;
}

/** Reports the state of accounts, ledger, pools and this instance to the operator. */
export class GetOperatorStatus {
  /** Codes of its errors. */
  static readonly throws = [...codesOf(LEDGER_ERRORS)] as const satisfies readonly ErrorCode[];

  constructor(private readonly from: OperationSources) {}

  /**
   * Rejects with the error of the store; where the node does not answer, balances and nonces are
   * null.
   */
  async execute(): Promise<Operations> {
    const { engine, ledger, controls, nodes, slots, inFlight, verdict, clock } = this.from;
    const {
      lanes,
      lookedAgoMs,
      stuck,
      alarms,
      clockSkewMs,
      isStrict,
      ledger: state,
    } = engine.status();
    const addresses = lanes.map(({ address }) => address);
    const [accounts, rows, pools] = await Promise.all([
      this.#accounts(addresses),
      ledger.state(),
      controls.list(),
    ]);
    return {
      lanes: lanes.map((lane) => operated(lane, rows, accounts)),
      lastLookMs: lookedAgoMs === null ? null : clock.nowMs() - lookedAgoMs,
      ledger: { state, chain: rows.chain, lastBlock: rows.lastBlock },
      audit: this.#audit(),
      nodes: nodes.status(),
      stuck,
      alarms,
      clockSkewMs,
      isStrict,
      pools,
      verdict: verdict.current(),
      load: { admissions: slots.counts(), requests: inFlight.counts() },
    };
  }

  /**
   * One account; null where this instance follows no such account. Rejects with the error of the
   * store.
   */
  async lane(address: Felt): Promise<OperatedLane | null> {
    const lane = this.from.engine.status().lanes.find((followed) => followed.address === address);
    if (lane === undefined) return null;
    const [accounts, rows] = await Promise.all([
      this.#accounts([address]),
      this.from.ledger.state(),
    ]);
    return operated(lane, rows, accounts);
  }

  #audit(): Operations['audit'] {
    const { auditor, clock } = this.from;
    const { lastBlock, behindBlocks, findings, problem, completedAtMs } = auditor.status();
    const completedAgoMs = completedAtMs === null ? null : clock.monotonicMs() - completedAtMs;
    return { lastBlock, behindBlocks, findings, problem, completedAgoMs };
  }

  async #accounts(addresses: readonly Felt[]): Promise<ReadonlyMap<Felt, AccountState>> {
    try {
      return (await this.from.reader.head(addresses)).accounts;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return new Map();
    }
  }
}

function operated(
  lane: LaneStatus,
  { lanes }: LedgerState,
  accounts: ReadonlyMap<Felt, AccountState>,
): OperatedLane {
  const row = lanes.find(({ address }) => address === lane.address);
  const pausedFor = row?.pausedFor ?? null;
  return {
    ...lane,
    ...nowKnown(lane, pausedFor),
    pausedFor,
    quarantine: row?.quarantine ?? null,
    account: accounts.get(lane.address) ?? null,
  };
}

/**
 * A pause or its end stands in the ledger at once; the lane's own view of it is as old as its last
 * look.
 */
function nowKnown(
  { state, reason }: LaneStatus,
  pausedFor: string | null,
): Pick<LaneStatus, 'state' | 'reason'> {
  if (pausedFor !== null && (state === 'ready' || state === 'full' || state === 'short_of_funds'))
    return { state: 'paused', reason: pausedFor };
  return state === 'paused' && pausedFor === null
    ? { state: 'unknown', reason: 'NOT_LOOKED_AT' }
    : { state, reason };
}
