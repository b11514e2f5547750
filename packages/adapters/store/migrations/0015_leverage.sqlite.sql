-- How far an operator wants a vault leveraged: collateral over equity in hundredths of a percent,
-- from no debt to 5×.
create table "leverage_targets" (
  "vault" text not null primary key,
  "target_bps" integer not null,
  "set_at_ms" integer not null,
  constraint "leverage_targets_in_range" check (target_bps between 10000 and 50000)
) strict;
