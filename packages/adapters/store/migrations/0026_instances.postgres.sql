-- Runs beside: 0026
-- Oldest schema whose instances may have the store open beside a migration. Null for migrations
-- before this one: no older instance may.
alter table "migration_hashes" add column "runs_beside" integer
  constraint "migration_hashes_runs_beside" check (runs_beside > 0);
-- Processes that have the store open, with the schema that each was made for. A process of an
-- earlier release has no row, which is why none may run beside this migration.
create table "instances" (
  "id" text not null primary key,
  "schema" bigint not null,
  "seen_at_ms" bigint not null,
  constraint "instances_values" check ("schema" > 0 and "seen_at_ms" >= 0)
);
