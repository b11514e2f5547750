-- When the looks at a subject began to end as the last one did: for the same reason, or with a
-- submission. Of looks before this: when the last one was.
alter table "task_looks" add column "since_ms" integer not null default 0;

update task_looks set since_ms = at_ms;
