-- Runs beside: 0026
-- Last rate of a reward programme by lending pool, and when it was read. An older instance does not
-- know the table.
create table "reward_rates" (
  "pool" text not null,
  "asset" text not null,
  "apr_e18" text not null,
  "read_at_ms" integer not null,
  constraint "reward_rates_key" primary key ("pool", "asset"),
  constraint "reward_rates_values" check ("read_at_ms" >= 0)
) strict;
