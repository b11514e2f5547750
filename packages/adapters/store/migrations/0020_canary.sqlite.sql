-- The row that the store's health check writes: where this can't be committed, nothing can.
create table "canary" (
  "id" integer not null primary key,
  "writes" integer not null,
  constraint "canary_one" check (id = 1)
) strict;
