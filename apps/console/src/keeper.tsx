import type { JSX } from 'preact';
import { pauseOf, resumeOf } from './actions.js';
import { ActionButton, Age, Chip, Part, Table } from './parts.js';
import type { Task } from './service.js';
import type { Session } from './session.js';
import { detailsSaid, strk, taskSaid } from './words.js';

/** View of the automatic tasks of all processes that share the store. */
export function Keeper({ session }: { readonly session: Session }): JSX.Element {
  const { tasks } = session.status.value.value.keeper;
  return (
    <>
      <Part title="Keeper" note="STRK: spent of the budget">
        <Table<Task>
          caption="Tasks of the keeper with their budgets"
          empty="No task is known, or none could be read."
          rows={tasks}
          keyOf={({ task }) => task}
          columns={[
            {
              name: 'Task',
              cell: ({ task, does }) => (
                <>
                  {task}
                  <span class="small quiet">{does}</span>
                </>
              ),
            },
            {
              name: 'State',
              cell: (task) => (
                <>
                  <Chip said={taskSaid(task)} />
                  {task.paused === null ? null : (
                    <span class="small">
                      {task.paused.reason}, for <Age session={session} at={task.paused.since} />
                    </span>
                  )}
                </>
              ),
            },
            { name: 'Hour', isNumber: true, cell: ({ budget }) => spentOf(budget.hour) },
            { name: 'Day', isNumber: true, cell: ({ budget }) => spentOf(budget.day) },
            { name: 'Subjects', isNumber: true, cell: ({ subjects }) => subjects.length },
            {
              name: 'Action',
              cell: ({ task: name, paused }) => (
                <ActionButton
                  session={session}
                  action={
                    paused === null
                      ? pauseOf({ kind: 'task', name, subject: null })
                      : resumeOf({ kind: 'task', name, subject: null })
                  }
                />
              ),
            },
          ]}
        />
      </Part>
      {tasks
        .filter(({ subjects }) => subjects.length > 0)
        .map((task) => (
          <Part key={task.task} title={`Subjects of ${task.task}`}>
            <Subjects session={session} task={task} />
          </Part>
        ))}
    </>
  );
}

const spentOf = ({ spentFri, limitFri }: Task['budget']['hour']): string =>
  `${strk(spentFri)} of ${strk(limitFri)}`;

function Subjects({
  session,
  task: { task: name, subjects },
}: {
  readonly session: Session;
  readonly task: Task;
}): JSX.Element {
  return (
    <Table<Task['subjects'][number]>
      caption={`Subjects of ${name} with their last checks`}
      empty="None."
      rows={subjects}
      keyOf={({ subject }) => subject}
      columns={[
        { name: 'Subject', cell: ({ subject }) => subject },
        {
          name: 'Last check',
          cell: ({ outcome, reason, meaning, since, paused }) => (
            <>
              {paused === null ? null : <Chip said={{ tone: 'care', text: 'paused' }} />}{' '}
              {outcome ?? 'none within a day'}
              {reason === null ? null : (
                <>
                  {' · '}
                  <code>{reason}</code>
                </>
              )}
              {since === null ? null : (
                <span class="quiet">
                  {' '}
                  for <Age session={session} at={since} />
                </span>
              )}
              {meaning === null ? null : <span class="small">{meaning}</span>}
            </>
          ),
        },
        {
          name: 'From',
          cell: ({ details }) => <span class="small">{detailsSaid(details) || '–'}</span>,
        },
        {
          name: 'Acted',
          cell: ({ lastActed }) =>
            lastActed === null ? (
              '–'
            ) : (
              <>
                <Age session={session} at={lastActed.at} /> ago
              </>
            ),
        },
        {
          name: 'Action',
          cell: ({ subject, paused }) => (
            <ActionButton
              session={session}
              action={
                paused === null
                  ? pauseOf({ kind: 'task', name, subject })
                  : resumeOf({ kind: 'task', name, subject })
              }
            />
          ),
        },
      ]}
    />
  );
}
