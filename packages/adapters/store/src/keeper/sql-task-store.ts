import type { TaskName } from '@sotto/facts';
import type {
  EarnedFee,
  TaskStore,
  TaskControl,
  TaskDetails,
  TaskPoll,
  TaskReport,
  TaskSpending,
} from '@sotto/keeper-core';
import type { Felt } from '@sotto/kernel';
import type { Kysely } from 'kysely';
import type { AttemptsTable, StoreSchema, TaskControlsTable, TaskPollsTable } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';

/** Value of the subject column for rows that concern a whole task. */
const ALL_OF_TASK = '';
const DAY_MS = 86_400_000;

/**
 * State of tasks, stored in a SQL database. The costs of tasks are read from the ledger's table.
 */
export class SqlTaskStore implements TaskStore {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly dialect: SqlDialect,
  ) {}

  async controls(): Promise<readonly TaskControl[]> {
    const rows = await this.db
      .selectFrom('task_controls')
      .selectAll()
      .orderBy('task')
      .orderBy('subject')
      .execute();
    return rows.map(toTaskControl);
  }

  async pause(task: TaskName, subject: string | null, reason: string): Promise<void> {
    await this.db
      .insertInto('task_controls')
      .values({
        task,
        subject: subject ?? ALL_OF_TASK,
        paused_at_ms: timeOf(this.dialect),
        pause_reason: reason,
        resumed_at_ms: 0n,
      })
      .onConflict((conflict) =>
        conflict.columns(['task', 'subject']).doUpdateSet((eb) => ({
          pause_reason: reason,
          paused_at_ms: eb.fn.coalesce(
            'task_controls.paused_at_ms',
            eb.ref('excluded.paused_at_ms'),
          ),
        })),
      )
      .execute();
  }

  async resume(task: TaskName, subject: string | null): Promise<void> {
    const resumed = {
      paused_at_ms: null,
      pause_reason: null,
      resumed_at_ms: timeOf(this.dialect),
    };
    await this.db
      .insertInto('task_controls')
      .values({ task, subject: subject ?? ALL_OF_TASK, ...resumed })
      .onConflict((conflict) => conflict.columns(['task', 'subject']).doUpdateSet(resumed))
      .execute();
  }

  async looks(): Promise<readonly TaskPoll[]> {
    const rows = await this.db
      .selectFrom('task_looks')
      .leftJoin('attempts', 'attempts.id', 'task_looks.acted_submission_id')
      .selectAll('task_looks')
      .select('attempts.state as acted_state')
      .where('at_ms', '>', timeOf(this.dialect, -DAY_MS))
      .orderBy('at_ms')
      .execute();
    return rows.map(toTaskPoll);
  }

  async note(task: TaskName, subject: string, report: TaskReport, lastedMs = 0): Promise<void> {
    const at_ms = timeOf(this.dialect);
    const acted =
      report.outcome === 'acted'
        ? { acted_at_ms: at_ms, acted_submission_id: report.submissionId }
        : {};
    const poll = { at_ms, ...columnsOf(report), ...acted };
    await this.db
      .insertInto('task_looks')
      .values({ task, subject, since_ms: timeOf(this.dialect, -lastedMs), ...poll })
      .onConflict((conflict) =>
        conflict.columns(['task', 'subject']).doUpdateSet((eb) => ({
          ...poll,
          since_ms: eb
            .case()
            .when('task_looks.reason', 'is not distinct from', eb.ref('excluded.reason'))
            .then(eb.ref('task_looks.since_ms'))
            .else(eb.ref('excluded.since_ms'))
            .end(),
        })),
      )
      .execute();
  }

  async forget(ageMs: number, most: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('task_looks')
      .where((eb) =>
        eb(
          eb.refTuple('task', 'subject'),
          'in',
          eb
            .selectFrom('task_looks')
            .select(['task', 'subject'])
            .where('at_ms', '<=', timeOf(this.dialect, -ageMs))
            .orderBy('at_ms')
            .limit(BigInt(most))
            .$asTuple('task', 'subject'),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async spending(kinds: readonly string[], sinceMs: number): Promise<TaskSpending> {
    if (kinds.length === 0) return { spentFri: 0n, liveL2Gas: 0n, earned: [] };
    const ended = await this.db
      .selectFrom('attempts')
      .select(['gas_paid_fri', 'state', 'fee_amount', 'fee_token'])
      .where('kind', 'in', kinds)
      .where('ended_at_ms', '>=', BigInt(sinceMs))
      .execute();
    const live = await this.db
      .selectFrom('attempts')
      .select('limit_l2_gas')
      .where('kind', 'in', kinds)
      // A row without an end is live. This condition uses the index of live rows.
      .where('ended_at_ms', 'is', null)
      .execute();
    return {
      spentFri: sumOf(ended.map(({ gas_paid_fri }) => gas_paid_fri ?? '0')),
      liveL2Gas: sumOf(live.map(({ limit_l2_gas }) => limit_l2_gas)),
      earned: earnedBy(ended),
    };
  }
}

function earnedBy(
  ended: readonly Pick<AttemptsTable, 'state' | 'fee_amount' | 'fee_token'>[],
): readonly EarnedFee[] {
  const amounts = new Map<Felt, bigint>();
  for (const { state, fee_amount, fee_token } of ended)
    if (state === 'succeeded' && fee_amount !== null && fee_token !== null)
      amounts.set(fee_token, (amounts.get(fee_token) ?? 0n) + BigInt(fee_amount));
  return [...amounts.keys()]
    .toSorted()
    .map((token) => ({ token, amount: amounts.get(token) ?? 0n }));
}

/**
 * Sums decimal amounts in this process, because the databases cannot sum decimal text with 128
 * bits.
 */
function sumOf(amounts: readonly string[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}

function columnsOf(
  report: TaskReport,
): Pick<TaskPollsTable, 'reason' | 'due_at_ms' | 'submission_id' | 'details'> {
  const details = JSON.stringify(report.details);
  return report.outcome === 'acted'
    ? { reason: null, due_at_ms: null, submission_id: report.submissionId, details }
    : {
        reason: report.reason,
        due_at_ms: report.dueAtMs === null ? null : BigInt(Math.ceil(report.dueAtMs)),
        submission_id: null,
        details,
      };
}

function toTaskControl(row: TaskControlsTable): TaskControl {
  const { task, subject, paused_at_ms, pause_reason, resumed_at_ms } = row;
  return {
    task,
    subject: subject === ALL_OF_TASK ? null : subject,
    paused:
      paused_at_ms === null || pause_reason === null
        ? null
        : { reason: pause_reason, sinceMs: Number(paused_at_ms) },
    resumedAtMs: Number(resumed_at_ms),
  };
}

/**
 * Row of a poll of a task, and the state of the last submission that a poll of this task made. This
 * state is null if no poll made a submission.
 */
type PollRow = TaskPollsTable & { readonly acted_state: AttemptsTable['state'] | null };

function toTaskPoll(row: PollRow): TaskPoll {
  const { task, subject, at_ms, since_ms, acted_at_ms, acted_submission_id, acted_state } = row;
  return {
    task,
    subject,
    atMs: Number(at_ms),
    report: toReport(row),
    sinceMs: Number(since_ms),
    lastActed:
      acted_at_ms === null || acted_submission_id === null
        ? null
        : {
            atMs: Number(acted_at_ms),
            submissionId: acted_submission_id,
            isSettled: acted_state === 'succeeded' || acted_state === 'reverted',
          },
  };
}

function toReport({ reason, due_at_ms, submission_id, ...row }: TaskPollsTable): TaskReport {
  const details: TaskDetails = JSON.parse(row.details);
  if (submission_id !== null) return { outcome: 'acted', submissionId: submission_id, details };
  if (reason === null) throw new Error('a row of task_looks has neither submission nor reason');
  const dueAtMs = due_at_ms === null ? null : Number(due_at_ms);
  return { outcome: 'skipped', reason, details, dueAtMs };
}
