-- The row that the store's health check writes: where this can't be committed, nothing can.
create table "canary" (
  "id" bigint not null primary key,
  "writes" bigint not null,
  constraint "canary_one" check (id = 1)
);
