-- Whether swaps that have reverted are tried again. Rows are never changed.
create table "swap_verdicts" (
  "attempt_id" text not null primary key,
  "verdict" text not null,
  "decided_at_ms" bigint not null,
  constraint "swap_verdicts_known" check (verdict in ('again', 'over'))
);
