import { ALERTS, REASONS } from '@sotto/facts';
import { implement, type BodyOf, type Route, readFelt } from '@sotto/http-server';
import { alertsOf, type TaskStatus } from '@sotto/keeper-core';
import type { NotAnswered } from '@sotto/kernel';
import type { UseCases } from '@sotto/relayer';
import type {
  GuardedPool,
  NodeStatus,
  OperatedLane,
  Operations,
  PoolVerdict,
  Reason,
} from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import type { Lane as LedgerLane, StuckNonce } from '@sotto/submission-core';
import { toOperatedTaskDto } from './keeper.js';
import { actOf, nameOf } from './operator-action.js';

type OperatorStatus = BodyOf<typeof routes.operatorStatus>;
type LaneDto = OperatorStatus['lanes'][number];
type ReasonDto = OperatorStatus['verdict']['reasons'][number];
type PoolDto = OperatorStatus['pools'][number];

export const operatorStatusRoute = ({
  getOperatorStatus: operations,
  getKeeperStatus: keeper,
}: UseCases): Route =>
  implement(routes.operatorStatus, async () => {
    const [
      {
        build,
        lanes,
        lastPollMs,
        ledger,
        audit,
        nodes,
        alarms,
        isStrict,
        clockSkewMs,
        stuck,
        pools,
        verdict,
        load,
        notAnswered,
      },
      { value: tasks, notAnswered: ofKeeper },
    ] = await Promise.all([operations.execute(), keeper.lastKnown()]);
    return {
      status: 200,
      body: {
        build,
        lanes: lanes.map(toLaneDto),
        ledger: toLedgerDto(ledger),
        alarms: {
          foreignTransactions: alarms.foreign,
          reopenedNonces: alarms.reopened,
          reopenedFinalNonces: alarms.reopenedFinal,
          disprovedRefusals: alarms.disprovedRefusals,
          sharedInstanceIds: alarms.sharedInstanceIds,
        },
        audit: toAuditDto(audit),
        nodes: nodes.map(toNodeDto),
        refusalsBelieved: !isStrict,
        clockSkewSeconds: { store: seconds(clockSkewMs.store), chain: seconds(clockSkewMs.chain) },
        lastLookAt: lastPollMs === null ? null : Math.floor(lastPollMs / 1_000),
        attention: stuck.map(toStuckDto),
        pools: pools.map(toPoolDto),
        keeper: toKeeperDto(tasks ?? []),
        verdict: toVerdictDto(verdict),
        load,
        notAnswered: toNotAnsweredDto({ ...notAnswered, keeper: ofKeeper }),
      },
    };
  });

type PartDto = OperatorStatus['notAnswered'][number];

function toNotAnsweredDto(
  parts: Readonly<Record<PartDto['part'], NotAnswered | null>>,
): OperatorStatus['notAnswered'] {
  return routes.STATUS_PARTS.flatMap((part): readonly PartDto[] => {
    const missing = parts[part];
    if (missing === null) return [];
    const { code, cause, knownAgoMs } = missing;
    return [{ part, code, cause, knownSecondsAgo: seconds(knownAgoMs) }];
  });
}

function toKeeperDto(tasks: readonly TaskStatus[]): OperatorStatus['keeper'] {
  return {
    alerts: alertsOf(tasks).map(({ task, subject, reason, atMs }) => ({
      task,
      subject,
      reason,
      meaning: ALERTS[reason],
      at: Math.floor(atMs / 1_000),
    })),
    tasks: tasks.map(toOperatedTaskDto),
  };
}

function toVerdictDto({
  asOfMs,
  reasons,
  pools,
  warnings,
}: Operations['verdict']): OperatorStatus['verdict'] {
  return {
    asOf: Math.floor(asOfMs / 1_000),
    reasons: reasons.map(toReasonDto),
    pools: pools.map((pool) => ({ ...pool, reasons: pool.reasons.map(toReasonDto) })),
    warnings: warnings.map(toReasonDto),
  };
}

function toReasonDto({ code, component, details, sinceMs }: Reason): ReasonDto {
  const since = Math.floor(sinceMs / 1_000);
  return { code, meaning: REASONS[code], component, details: { ...details }, since };
}

function toLedgerDto({ state, chain, lastBlock }: Operations['ledger']): OperatorStatus['ledger'] {
  const { chainId = null, genesisHash = null } = chain ?? {};
  return { state: state ?? 'UP_TO_DATE', chainId, genesisHash, lastBlock };
}

function toNodeDto(status: NodeStatus): OperatorStatus['nodes'][number] {
  const { disagreementsBegun: _begun, headAgeMs, disagreements, isInUse, score, ...shown } = status;
  return {
    ...shown,
    inUse: isInUse,
    score: Math.round(score * 100) / 100,
    headAgeSeconds: seconds(headAgeMs),
    disagreements: [...disagreements],
  };
}

function toAuditDto({ completedAgoMs, ...audit }: Operations['audit']): OperatorStatus['audit'] {
  return {
    ...audit,
    completedSecondsAgo: completedAgoMs === null ? null : Math.round(completedAgoMs / 1_000),
  };
}

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms) / 1_000);

function toStuckDto({
  lane,
  nonce,
  attempt,
  forMs,
  passedByChain,
  unwanted,
  transactions,
}: StuckNonce): OperatorStatus['attention'][number] {
  return {
    lane,
    nonce: String(nonce),
    submission: attempt?.id ?? null,
    state: attempt?.state ?? null,
    forSeconds: Math.round(forMs / 1_000),
    passedByChain,
    unwanted,
    transactions: transactions.map(({ hash, kind, claims, lastClaimAgoMs, gone, seen }) => ({
      hash,
      kind,
      sends: claims,
      lastSentSecondsAgo: lastClaimAgoMs === null ? null : Math.round(lastClaimAgoMs / 1_000),
      dead: gone !== null,
      gone,
      seen,
    })),
  };
}

const text = (amount: bigint | undefined): string | null =>
  amount === undefined ? null : String(amount);

export function toLaneDto(lane: OperatedLane): LaneDto {
  const {
    address,
    role,
    state,
    reason,
    openNonces,
    isConfigured,
    isRetiring = false,
    pausedFor,
    quarantine,
    account,
  } = lane;
  return {
    address,
    role,
    state,
    reason,
    openNonces,
    configured: isConfigured,
    retiring: isRetiring,
    paused: pausedFor,
    quarantine: toQuarantineDto(quarantine),
    nonce: text(account?.nonce),
    balanceFri: text(account?.balanceFri),
  };
}

function toQuarantineDto(quarantine: LedgerLane['quarantine']): LaneDto['quarantine'] {
  if (quarantine === null) return null;
  const { cause, until, sinceMs, isAged } = quarantine;
  return { cause, until: String(until), since: Math.floor(sinceMs / 1_000), taking: isAged };
}

export function toPoolDto({ pool, relays, batches, isStrict, money }: GuardedPool): PoolDto {
  const { succeeded, reverted, unsent, losses } = money;
  return {
    key: pool.key,
    address: pool.address,
    withdrawals: toGateDto(relays),
    batches: toGateDto(batches),
    strict: isStrict,
    money: {
      earned: money.earnedFeeToken === null ? null : String(money.earnedFeeToken),
      earnedFri: String(money.earnedFri),
      spentFri: String(money.spentFri),
      reservedFri: String(money.reservedFri),
      succeeded,
      reverted,
      unsent,
      losses,
      lostFri: String(money.lostFri),
    },
  };
}

function toGateDto(verdict: PoolVerdict): PoolDto['withdrawals'] {
  switch (verdict.kind) {
    case 'open':
      return { state: 'open', cause: null, reason: null, until: null };
    case 'trial':
      return { state: 'trial', cause: verdict.cause, reason: null, until: null };
    case 'paused':
      return {
        state: 'paused',
        cause: verdict.cause,
        reason: verdict.reason,
        until: secondsOf(verdict.untilMs),
      };
    case 'exhausted':
      return {
        state: 'exhausted',
        cause: verdict.scope,
        reason: null,
        until: secondsOf(verdict.untilMs),
      };
  }
}

const secondsOf = (ms: number | null): number | null =>
  ms === null ? null : Math.ceil(ms / 1_000);

export const pausePoolRoute = ({ controlPools: pools, recordAction }: UseCases): Route =>
  implement(routes.pausePool, async ({ params, body: { reason }, holder }) => {
    const name = nameOf(params.pool);
    const act = actOf(holder, 'pool.pause', name, reason);
    const pool = await recordAction.execute(act, () => pools.pause(name, reason));
    return { status: 200, body: toPoolDto(pool) };
  });

export const resumePoolRoute = ({ controlPools: pools, recordAction }: UseCases): Route =>
  implement(routes.resumePool, async ({ params, body, holder }) => {
    const name = nameOf(params.pool);
    const act = actOf(holder, 'pool.resume', name, body?.reason);
    const pool = await recordAction.execute(act, () => pools.resume(name));
    return { status: 200, body: toPoolDto(pool) };
  });

export const pauseLaneRoute = ({ controlLanes: lanes, recordAction }: UseCases): Route =>
  implement(routes.pauseLane, async ({ params, body: { reason }, holder }) => {
    const address = readFelt('params.lane', params.lane);
    const act = actOf(holder, 'lane.pause', address, reason);
    const lane = await recordAction.execute(act, () => lanes.pause(address, reason));
    return { status: 200, body: toLaneDto(lane) };
  });

export const resumeLaneRoute = ({ controlLanes: lanes, recordAction }: UseCases): Route =>
  implement(routes.resumeLane, async ({ params, body, holder }) => {
    const address = readFelt('params.lane', params.lane);
    const act = actOf(holder, 'lane.resume', address, body?.reason);
    const lane = await recordAction.execute(act, () => lanes.resume(address));
    return { status: 200, body: toLaneDto(lane) };
  });
