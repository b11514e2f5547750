-- Runs beside: 0031
-- Last block in which the call of an attempt can succeed; null if every block is possible. An older
-- instance would send such a call too late, and without its proof.
alter table "attempts" add column "deadline_block" bigint
  constraint "attempts_deadline_block" check ("deadline_block" >= 0);
