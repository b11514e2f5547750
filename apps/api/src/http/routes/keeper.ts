import type { LeverageTarget, SetLeverageTarget } from '@sotto/curator-core';
import type { GetMayerMultiple, ListOrders, ListedOrder } from '@sotto/dca-core';
import { SKIP_REASONS, TASKS, type TaskName } from '@sotto/facts';
import { implement, implementCached, type BodyOf, type Route } from '@sotto/http-server';
import type {
  ControlTasks,
  GetKeeperStatus,
  SubjectStatus,
  TaskStatus,
  WindowBudget,
} from '@sotto/keeper-core';
import * as routes from '@sotto/routes';

type TaskDto = BodyOf<typeof routes.keeperStatus>['tasks'][number];
type OperatedTaskDto = BodyOf<typeof routes.pauseTask>;
type SubjectDto = TaskDto['subjects'][number];
type OrderDto = BodyOf<typeof routes.keeperOrders>['orders'][number];

const ORDERS_PAGE = 100;
const BPS = 10_000;

/**
 * Details that the public sees, beside the code and the reason of a failure: what the chain
 * shows of vaults, pools and orders. What the service's own accounts hold is the operator's, and so
 * is what its calls cost.
 */
const PUBLIC_DETAILS: Readonly<Record<TaskName, readonly string[]>> = {
  curator: ['idleSats', 'amountSats'],
  batches: ['waiting', 'count', 'partial'],
  purchases: ['executed', 'amount', 'minimumSats', 'band', 'ours', 'contracts', 'token'],
  leverage: [
    'collateral',
    'debt',
    'target',
    'leverage',
    'healthE18',
    'limit',
    'direction',
    'amount',
    'minimumOut',
  ],
  treasury: [],
};
const FAILURE_DETAILS: readonly string[] = ['code', 'reason', 'because'];

export const keeperStatusRoute = (status: GetKeeperStatus): Route =>
  implementCached(routes.keeperStatus, {
    cacheKey: () => null,
    answer: async () => ({ tasks: (await status.execute()).map(toPublicTaskDto) }),
  });

export const keeperMayerRoute = (mayer: GetMayerMultiple): Route =>
  implementCached(routes.keeperMayer, {
    cacheKey: () => null,
    answer: async () => {
      const { blockNumber: block, timestamp: at, ...reply } = await mayer.execute();
      return { ...reply, block, at, bands: [...reply.bands] };
    },
  });

export const keeperOrdersRoute = (orders: ListOrders): Route =>
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

export const pauseTaskRoute = (tasks: ControlTasks): Route =>
  implement(routes.pauseTask, async ({ params: { task }, body: { reason, subject = null } }) => ({
    status: 200,
    body: toOperatedTaskDto(await tasks.pause(task, subject, reason)),
  }));

export const resumeTaskRoute = (tasks: ControlTasks): Route =>
  implement(routes.resumeTask, async ({ params: { task }, body: { subject = null } }) => ({
    status: 200,
    body: toOperatedTaskDto(await tasks.resume(task, subject)),
  }));

export const setLeverageRoute = (leverage: SetLeverageTarget): Route =>
  implement(routes.setLeverage, async ({ params: { vault }, body: { target } }) => ({
    status: 200,
    body: toTargetDto(
      vault,
      await leverage.execute({
        vaultId: vault,
        targetBps: target === null ? null : inBps(target),
      }),
    ),
  }));

/** What is no step of 0.0001 stays no whole number, and is refused as that. */
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
  const { task, budget } = status;
  const shownDetails = new Set([...FAILURE_DETAILS, ...PUBLIC_DETAILS[task]]);
  const { subjects, ...shown } = toTaskDto(status);
  return {
    ...shown,
    budget: { hour: toWindowDto(budget.hour), day: toWindowDto(budget.day) },
    subjects: subjects.map(({ details, ...subject }) => ({
      ...subject,
      details: Object.fromEntries(
        Object.entries(details).filter(([name]) => shownDetails.has(name)),
      ),
    })),
  };
}

/** With all details, and what the task has earned. */
export function toOperatedTaskDto(status: TaskStatus): OperatedTaskDto {
  const { hour, day } = status.budget;
  return {
    ...toTaskDto(status),
    budget: {
      hour: { ...toWindowDto(hour), earned: toFeeDtos(hour) },
      day: { ...toWindowDto(day), earned: toFeeDtos(day) },
    },
  };
}

function toTaskDto({
  task,
  isOn,
  holder,
  paused,
  subjects,
}: TaskStatus): Omit<OperatedTaskDto, 'budget'> {
  return {
    task,
    does: TASKS[task],
    on: isOn,
    held: holder !== null,
    paused: toPauseDto(paused),
    subjects: subjects.map(toSubjectDto),
  };
}

function toFeeDtos({ earned }: WindowBudget): OperatedTaskDto['budget']['hour']['earned'] {
  return earned.map(({ token, amount }) => ({ token, amount: String(amount) }));
}

function toWindowDto({ limitFri, spentFri, leftFri }: WindowBudget): TaskDto['budget']['hour'] {
  return {
    limitFri: String(limitFri),
    spentFri: String(spentFri),
    leftFri: leftFri === null ? null : String(leftFri),
  };
}

function toSubjectDto({
  subject,
  paused,
  lastLook,
  dueAtMs,
  lastActed,
}: SubjectStatus): SubjectDto {
  const report = lastLook?.report ?? null;
  const reason = report?.outcome === 'skipped' ? report.reason : null;
  return {
    subject,
    paused: toPauseDto(paused),
    lastLookAt: lastLook === null ? null : secondsOf(lastLook.atMs),
    outcome: report?.outcome ?? null,
    reason,
    meaning: reason === null ? null : SKIP_REASONS[reason],
    details: { ...report?.details },
    dueAt: dueAtMs === null ? null : Math.ceil(dueAtMs / 1_000),
    lastActed:
      lastActed === null
        ? null
        : { at: secondsOf(lastActed.atMs), submission: lastActed.submissionId },
  };
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
