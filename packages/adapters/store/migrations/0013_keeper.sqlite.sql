-- What the protocol does by itself: accounts of two more roles, who holds a task, what an operator
-- said of it, and the last look at each of its subjects; and an index for the gas of its kinds.
-- SQLite changes no constraint in place, so lanes and attempts are built again.
create table "lanes_new" (
  "address" text not null primary key,
  "role" text not null,
  "leased_to" text,
  "fence" integer not null,
  "lease_until_ms" integer not null,
  "leased_at_ms" integer not null,
  "next_nonce" integer,
  "quarantine_cause" text,
  "quarantine_until" integer,
  "quarantine_since_ms" integer,
  "quarantine_is_aged" integer,
  "paused_for" text,
  constraint "lanes_role"
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury')),
  constraint "lanes_next_nonce" check (next_nonce >= 0),
  constraint "lanes_quarantine_whole"
    check ((quarantine_cause is null) = (quarantine_until is null)
    and (quarantine_cause is null) = (quarantine_since_ms is null)
    and (quarantine_cause is null) = (quarantine_is_aged is null)),
  constraint "lanes_quarantine_cause" check (quarantine_cause in ('introduced', 'behind')),
  constraint "lanes_quarantine_until" check (quarantine_until is null or (quarantine_until >= 0
    and next_nonce is not null)),
  constraint "lanes_quarantine_is_aged" check (quarantine_is_aged in (0, 1))
) strict;

insert into lanes_new (
  address, role, leased_to, fence, lease_until_ms, leased_at_ms, next_nonce, quarantine_cause,
  quarantine_until, quarantine_since_ms, quarantine_is_aged, paused_for
) select
  address, role, leased_to, fence, lease_until_ms, leased_at_ms, next_nonce, quarantine_cause,
  quarantine_until, quarantine_since_ms, quarantine_is_aged, paused_for
from lanes;

create table "attempts_new" (
  "seq" integer primary key autoincrement,
  "key" text not null,
  "attempt" integer not null,
  "id" text not null unique,
  "state" text not null,
  "effect" text not null,
  "fingerprint" text not null,
  "kind" text not null,
  "subject" text not null,
  "memo" text,
  "role" text not null,
  "target_to" text not null,
  "target_entrypoint" text not null,
  "limit_l2_gas" text not null,
  "limit_l1_gas" text not null,
  "limit_l1_data_gas" text not null,
  "price_multiplier" text not null,
  "fee_amount" text,
  "fee_token" text,
  "cost_fri" text,
  "strk_usd_e8" text,
  "fee_token_usd_e8" text,
  "lane" text references "lanes" ("address"),
  "nonce" integer,
  "readmit" integer not null,
  "accepted_at_ms" integer not null,
  "deadline_ms" integer not null,
  "ended_at_ms" integer,
  "refusal_code" text,
  "transaction_hash" text,
  "revert_reason" text,
  "gas_paid_fri" text,
  "replay_protected" integer not null,
  "avoid_lane" text references "lanes" ("address"),
  "is_final" integer not null,
  "undone_hash" text,
  "undone_execution" text,
  "undone_at_ms" integer,
  "wiped" integer not null,
  constraint "attempts_key_attempt" unique ("key", "attempt"),
  constraint "attempts_numbered_from_one" check (attempt >= 1),
  constraint "attempts_state"
    check (state in ('accepted', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired')),
  constraint "attempts_role"
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury')),
  constraint "attempts_readmit" check (readmit in (0, 1)),
  constraint "attempts_lane_with_nonce" check ((lane is null) = (nonce is null)),
  constraint "attempts_nonce_by_state"
    check ((nonce is null) = (state in ('accepted', 'refused', 'expired'))),
  constraint "attempts_end_time_by_state"
    check ((ended_at_ms is null) = (state in ('accepted', 'broadcast'))),
  constraint "attempts_receipt_by_state"
    check ((transaction_hash is not null) = (state in ('succeeded', 'reverted'))),
  constraint "attempts_code_by_state"
    check ((refusal_code is not null) = (state in ('refused', 'expired'))),
  constraint "attempts_terms_whole" check ((fee_amount is null) = (fee_token is null)
    and (fee_amount is null) = (cost_fri is null) and (fee_amount is null) = (strk_usd_e8 is null)
    and (fee_amount is null) = (fee_token_usd_e8 is null)),
  constraint "attempts_replay_protected" check (replay_protected in (0, 1)),
  constraint "attempts_is_final" check (is_final = 0 or (is_final = 1
    and transaction_hash is not null)),
  constraint "attempts_undone_whole" check ((undone_hash is null) = (undone_execution is null)
    and (undone_hash is null) = (undone_at_ms is null)),
  constraint "attempts_undone_execution" check (undone_execution in ('SUCCEEDED', 'REVERTED')),
  constraint "attempts_wiped" check (wiped in (0, 1, 2))
) strict;

insert into sqlite_sequence (name, seq) select 'attempts_new', seq from sqlite_sequence
  where name = 'attempts';

insert into attempts_new (
  seq, key, attempt, id, state, effect, fingerprint, kind, subject, memo, role, target_to,
  target_entrypoint, limit_l2_gas, limit_l1_gas, limit_l1_data_gas, price_multiplier, fee_amount,
  fee_token, cost_fri, strk_usd_e8, fee_token_usd_e8, lane, nonce, readmit, accepted_at_ms,
  deadline_ms, ended_at_ms, refusal_code, transaction_hash, revert_reason, gas_paid_fri,
  replay_protected, avoid_lane, is_final, undone_hash, undone_execution, undone_at_ms, wiped
) select
  seq, key, attempt, id, state, effect, fingerprint, kind, subject, memo, role, target_to,
  target_entrypoint, limit_l2_gas, limit_l1_gas, limit_l1_data_gas, price_multiplier, fee_amount,
  fee_token, cost_fri, strk_usd_e8, fee_token_usd_e8, lane, nonce, readmit, accepted_at_ms,
  deadline_ms, ended_at_ms, refusal_code, transaction_hash, revert_reason, gas_paid_fri,
  replay_protected, avoid_lane, is_final, undone_hash, undone_execution, undone_at_ms, wiped
from attempts;

drop table attempts;
drop table lanes;
alter table lanes_new rename to lanes;
alter table attempts_new rename to attempts;

create unique index "attempts_one_live_per_key" on "attempts" ("key")
  where attempts.state in ('accepted', 'broadcast');

create unique index "attempts_one_live_per_nonce" on "attempts" ("lane", "nonce")
  where attempts.state in ('accepted', 'broadcast');

create index "attempts_waiting" on "attempts" ("role", "seq") where attempts.state = 'accepted';
create index "attempts_by_end" on "attempts" ("ended_at_ms", "seq");
create index "attempts_by_kind" on "attempts" ("kind", "ended_at_ms");

create index "attempts_ended_and_kept" on "attempts" ("ended_at_ms") where attempts.wiped < 2
  and attempts.ended_at_ms is not null;

create index "attempts_final_and_kept" on "attempts" ("seq") where attempts.wiped = 0
  and attempts.is_final = 1;

create table "task_leases" (
  "task" text not null primary key,
  "holder" text not null,
  "held_at_ms" integer not null,
  "until_ms" integer not null
) strict;

-- The subject is empty for all of a task.
create table "task_controls" (
  "task" text not null,
  "subject" text not null,
  "paused_at_ms" integer,
  "pause_reason" text,
  "resumed_at_ms" integer not null,
  constraint "task_controls_task_subject" primary key ("task", "subject"),
  constraint "task_controls_pause_whole" check ((paused_at_ms is null) = (pause_reason is null))
) strict;

-- A look that submitted something has a submission, any other one a reason.
create table "task_looks" (
  "task" text not null,
  "subject" text not null,
  "at_ms" integer not null,
  "reason" text,
  "due_at_ms" integer,
  "submission_id" text,
  "details" text not null,
  "acted_at_ms" integer,
  "acted_submission_id" text,
  constraint "task_looks_task_subject" primary key ("task", "subject"),
  constraint "task_looks_report" check ((reason is null) = (submission_id is not null)),
  constraint "task_looks_due_if_skipped" check (due_at_ms is null or reason is not null),
  constraint "task_looks_acted_whole" check ((acted_at_ms is null) = (acted_submission_id is null))
) strict;

create index "task_looks_by_time" on "task_looks" ("at_ms");
