-- How far an operator wants a vault leveraged: collateral over equity in hundredths of a percent,
-- from no debt to 5×.
create table "leverage_targets" (
  "vault" text not null primary key,
  "target_bps" bigint not null,
  "set_at_ms" bigint not null,
  constraint "leverage_targets_in_range" check (target_bps between 10000 and 50000)
);
