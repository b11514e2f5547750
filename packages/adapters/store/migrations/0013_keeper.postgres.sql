-- What the protocol does by itself: accounts of two more roles, who holds a task, what an operator
-- said of it, and the last look at each of its subjects; and an index for the gas of its kinds.
alter table "lanes"
  drop constraint lanes_role,
  add constraint lanes_role
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury'));

alter table "attempts"
  drop constraint attempts_role,
  add constraint attempts_role
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury'));

create index "attempts_by_kind" on "attempts" ("kind", "ended_at_ms");

create table "task_leases" (
  "task" text not null primary key,
  "holder" text not null,
  "held_at_ms" bigint not null,
  "until_ms" bigint not null
);

-- The subject is empty for all of a task.
create table "task_controls" (
  "task" text not null,
  "subject" text not null,
  "paused_at_ms" bigint,
  "pause_reason" text,
  "resumed_at_ms" bigint not null,
  constraint "task_controls_task_subject" primary key ("task", "subject"),
  constraint "task_controls_pause_whole" check ((paused_at_ms is null) = (pause_reason is null))
);

-- A look that submitted something has a submission, any other one a reason.
create table "task_looks" (
  "task" text not null,
  "subject" text not null,
  "at_ms" bigint not null,
  "reason" text,
  "due_at_ms" bigint,
  "submission_id" text,
  "details" text not null,
  "acted_at_ms" bigint,
  "acted_submission_id" text,
  constraint "task_looks_task_subject" primary key ("task", "subject"),
  constraint "task_looks_report" check ((reason is null) = (submission_id is not null)),
  constraint "task_looks_due_if_skipped" check (due_at_ms is null or reason is not null),
  constraint "task_looks_acted_whole" check ((acted_at_ms is null) = (acted_submission_id is null))
);

create index "task_looks_by_time" on "task_looks" ("at_ms");
