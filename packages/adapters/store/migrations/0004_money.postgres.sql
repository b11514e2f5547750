-- What was decided and noticed about pools, names that one holds at a time, and a way to what has
-- ended of late.
create table "pool_controls" (
  "pool" text not null primary key,
  "paused_at_ms" bigint,
  "pause_reason" text,
  "resumed_at_ms" bigint not null,
  "upstream_failures" bigint not null,
  "upstream_failed_at_ms" bigint not null,
  constraint "pool_controls_pause_whole" check ((paused_at_ms is null) = (pause_reason is null)),
  constraint "pool_controls_failures" check (upstream_failures >= 0)
);

create table "claims" (
  "name" text not null primary key,
  "holder" text not null,
  "since_ms" bigint not null
);

create index "claims_by_age" on "claims" ("since_ms");
create index "attempts_by_end" on "attempts" ("ended_at_ms", "seq");
