import type { LeverageTarget } from '@sotto/curator-core';
import type { ListedOrder } from '@sotto/dca-core';
import {
  MOST_SHOWN_SUBJECTS,
  SKIP_REASONS,
  TASKS,
  type SkipReason,
  type TaskName,
} from '@sotto/facts';
import { implement, implementCached, type BodyOf, type Route } from '@sotto/http-server';
import {
  alertReasonOf,
  type SubjectStatus,
  type TaskStatus,
  type WindowBudget,
} from '@sotto/keeper-core';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import { actOf } from './operator-action.js';

type TaskDto = BodyOf<typeof routes.keeperStatus>['tasks'][number];
type OperatedTaskDto = BodyOf<typeof routes.pauseTask>;
type SubjectDto = TaskDto['subjects'][number];
type OperatedSubjectDto = OperatedTaskDto['subjects'][number];
type OrderDto = BodyOf<typeof routes.keeperOrders>['orders'][number];

const ORDERS_PAGE = 100;
const BPS = 10_000;

/**
 * Names of the details that describe a failure: its code and the reason that the contract returned.
 */
const FAILURE: readonly string[] = ['code', 'reason', 'because'];
/**
 * Names of the details that public routes return: the on-chain state of vaults, pools and orders.
 * Terms of a call, and values that reveal such terms, are excluded, because other traders could
 * exploit a pending swap. Only the operator may read balances of the service's accounts and costs
 * of its calls.
 */
const PUBLIC_DETAILS: Readonly<Record<TaskName, ReadonlySet<string>>> = {
  curator: new Set([...FAILURE, 'idleSats']),
  batches: new Set([...FAILURE, 'waiting']),
  purchases: new Set([...FAILURE, 'executed', 'ours', 'contracts', 'token']),
  leverage: new Set([...FAILURE, 'collateral', 'debt', 'leverage', 'healthE18', 'limit']),
  treasury: new Set(),
};

export const keeperStatusRoute = ({ getKeeperStatus: status }: UseCases): Route =>
  implementCached(routes.keeperStatus, {
    cacheKey: () => null,
    answer: async () => ({ tasks: (await status.execute()).map(toPublicTaskDto) }),
  });

export const keeperMayerRoute = ({ getMayerMultiple: mayer }: UseCases): Route =>
  implementCached(routes.keeperMayer, {
    cacheKey: () => null,
    answer: async () => {
      const { blockNumber: block, timestamp: at, ...reply } = await mayer.execute();
      return { ...reply, block, at, bands: [...reply.bands] };
    },
  });

export const keeperOrdersRoute = ({ listOrders: orders }: UseCases): Route =>
  implementCached(routes.keeperOrders, {
    cacheKey: ({ query: { after = null } }) => after,
    answer: async (after) => {
      const list = await orders.execute({
        after: after === null ? null : BigInt(after),
        limit: ORDERS_PAGE,
      });
      return {
        contract: list.contract,
        block: list.blockNumber,
        at: list.timestamp,
        knownThroughBlock: list.knownThroughBlock,
        orders: list.orders.map(toOrderDto),
        next: list.next === null ? null : String(list.next),
      };
    },
  });

export const pauseTaskRoute = ({ controlTasks: tasks, recordAction }: UseCases): Route =>
  implement(routes.pauseTask, async ({ params: { task }, body, holder }) => {
    const { reason, subject = null } = body;
    const act = actOf(holder, 'task.pause', partOf(task, subject), reason);
    const status = await recordAction.execute(act, () => tasks.pause(task, subject, reason));
    return { status: 200, body: toOperatedTaskDto(status) };
  });

export const resumeTaskRoute = ({ controlTasks: tasks, recordAction }: UseCases): Route =>
  implement(routes.resumeTask, async ({ params: { task }, body, holder }) => {
    const { reason, subject = null } = body;
    const act = actOf(holder, 'task.resume', partOf(task, subject), reason);
    const status = await recordAction.execute(act, () => tasks.resume(task, subject));
    return { status: 200, body: toOperatedTaskDto(status) };
  });

/** Returns the name of the paused or resumed task, or of its subject, for the operators' log. */
const partOf = (task: string, subject: string | null): string =>
  subject === null ? task : `${task} ${subject}`;

export const setLeverageRoute = ({ setLeverageTarget: leverage, recordAction }: UseCases): Route =>
  implement(routes.setLeverage, async ({ params: { vault }, body, holder }) => {
    const { target, reason } = body;
    const targetBps = target === null ? null : inBps(target);
    const act = actOf(holder, 'leverage.set', `${vault} ${target ?? 'none'}`, reason);
    const kept = await recordAction.execute(act, () =>
      leverage.execute({ vaultId: vault, targetBps }),
    );
    return { status: 200, body: toTargetDto(vault, kept) };
  });

/**
 * Converts a leverage target to basis points. A target that is not a multiple of 0.0001 remains a
 * fraction of a basis point and is rejected later.
 */
function inBps(target: number): number {
  const bps = Math.round(target * BPS);
  return Math.abs(bps / BPS - target) < 1 / (BPS * BPS) ? bps : target * BPS;
}

function toTargetDto(
  vault: string,
  target: LeverageTarget | null,
): BodyOf<typeof routes.setLeverage> {
  return target === null
    ? { vault, target: null, setAt: null }
    : { vault, target: target.targetBps / BPS, setAt: secondsOf(target.setAtMs) };
}

function toPublicTaskDto(status: TaskStatus): TaskDto {
  const shown = shownSubjects(status.subjects);
  return {
    ...toAnyTaskDto(status),
    subjects: shown.map((subject) => toPublicSubjectDto(status.task, subject)),
    leftOut: status.subjects.length - shown.length,
  };
}

/**
 * Returns the first subjects without an alert and the first subjects with an alert, in their
 * original order. Each of the two groups has the same maximum length.
 */
function shownSubjects(subjects: readonly SubjectStatus[]): readonly SubjectStatus[] {
  let [alerts, others] = [0, 0];
  return subjects.filter((subject) => {
    const place = alertReasonOf(subject) === null ? (others += 1) : (alerts += 1);
    return place <= MOST_SHOWN_SUBJECTS;
  });
}

/**
 * Skip reason that only the operator may read, because it reveals the remaining budget of a task.
 */
const BUDGET_SPENT: SkipReason = 'BUDGET_EXHAUSTED';

/**
 * Converts a subject to its public view. A submitted call is returned as in flight until it is on
 * chain.
 */
export function toPublicSubjectDto(task: TaskName, status: SubjectStatus): SubjectDto {
  const { subject, paused, lastPoll, lastActed } = status;
  const { report = null } = lastPoll ?? {};
  const isSettled = lastActed?.isSettled === true;
  const acted = isSettled ? null : 'IN_FLIGHT';
  const reason = report?.outcome === 'acted' ? acted : (report?.reason ?? null);
  const details = report?.details ?? {};
  const isSpent = reason === BUDGET_SPENT || details['because'] === BUDGET_SPENT;
  const isPrivate = task === 'treasury';
  return {
    subject,
    paused: toPauseDto(paused),
    lastLookAt: lastPoll === null ? null : secondsOf(lastPoll.atMs),
    outcome: reason === null ? (report?.outcome ?? null) : 'skipped',
    ...toReasonDto(isPrivate || reason === BUDGET_SPENT ? null : reason),
    details: Object.fromEntries(
      Object.entries(details).filter(
        ([name, value]) => PUBLIC_DETAILS[task].has(name) && value !== BUDGET_SPENT,
      ),
    ),
    dueAt: isPrivate || isSpent ? null : toDueDto(status),
    lastActed: isSettled ? toLastActedDto(lastActed) : null,
  };
}

/** Converts a task to the operator's view, with all details and the task's earnings. */
export function toOperatedTaskDto(status: TaskStatus): OperatedTaskDto {
  const { hour, day } = status.budget;
  return {
    ...toAnyTaskDto(status),
    budget: { hour: toWindowDto(hour), day: toWindowDto(day) },
    subjects: status.subjects.map(toOperatedSubjectDto),
  };
}

function toAnyTaskDto({
  task,
  isOn,
  holder,
  paused,
}: TaskStatus): Omit<OperatedTaskDto, 'budget' | 'subjects'> {
  return { task, does: TASKS[task], on: isOn, held: holder !== null, paused: toPauseDto(paused) };
}

function toWindowDto({
  limitFri,
  spentFri,
  leftFri,
  earned,
}: WindowBudget): OperatedTaskDto['budget']['hour'] {
  return {
    limitFri: String(limitFri),
    spentFri: String(spentFri),
    leftFri: leftFri === null ? null : String(leftFri),
    earned: earned.map(({ token, amount }) => ({ token, amount: String(amount) })),
  };
}

function toOperatedSubjectDto(status: SubjectStatus): OperatedSubjectDto {
  const { subject, paused, lastPoll, lastActed } = status;
  const report = lastPoll?.report ?? null;
  return {
    subject,
    paused: toPauseDto(paused),
    lastLookAt: lastPoll === null ? null : secondsOf(lastPoll.atMs),
    outcome: report?.outcome ?? null,
    ...toReasonDto(report?.outcome === 'skipped' ? report.reason : null),
    since: lastPoll === null ? null : secondsOf(lastPoll.sinceMs),
    details: { ...report?.details },
    dueAt: toDueDto(status),
    lastActed: lastActed === null ? null : toLastActedDto(lastActed),
  };
}

function toReasonDto(reason: SkipReason | null): Pick<SubjectDto, 'reason' | 'meaning'> {
  return { reason, meaning: reason === null ? null : SKIP_REASONS[reason] };
}

function toDueDto({ dueAtMs }: SubjectStatus): SubjectDto['dueAt'] {
  return dueAtMs === null ? null : Math.ceil(dueAtMs / 1_000);
}

function toLastActedDto({
  atMs,
  submissionId,
}: NonNullable<SubjectStatus['lastActed']>): NonNullable<SubjectDto['lastActed']> {
  return { at: secondsOf(atMs), submission: submissionId };
}

function toPauseDto(paused: TaskStatus['paused']): TaskDto['paused'] {
  return paused === null ? null : { reason: paused.reason, since: secondsOf(paused.sinceMs) };
}

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);

function toOrderDto(listed: ListedOrder): OrderDto {
  const order = String(listed.orderId);
  if (listed.state === 'unreadable')
    return {
      order,
      state: 'unreadable',
      sellToken: null,
      sellSymbol: null,
      amount: null,
      remaining: null,
      frequencySeconds: null,
      total: null,
      executed: null,
      smart: null,
      nextDueAt: null,
    };
  return {
    order,
    state: listed.state,
    sellToken: listed.sellToken,
    sellSymbol: listed.sellSymbol,
    amount: String(listed.amount),
    remaining: String(listed.remaining),
    frequencySeconds: Number(listed.frequencySeconds),
    total: listed.total,
    executed: listed.executed,
    smart: listed.isSmart,
    nextDueAt: listed.nextDueAt === null ? null : Number(listed.nextDueAt),
  };
}
