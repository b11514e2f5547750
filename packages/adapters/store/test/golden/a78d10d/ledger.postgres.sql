-- The ledger on PostgreSQL as commit a78d10d writes it. Never changed: see README.md beside this file.
set standard_conforming_strings = on;

create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table if not exists "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
-- The tables of the submission machine. Whatever the transition table calls a constraint is held
-- here, by the database: a wrong decision is refused and changes nothing.
create table "lanes" (
  "address" text not null primary key,
  "role" text not null,
  "leased_to" text,
  "fence" bigint not null,
  "lease_until_ms" bigint not null,
  constraint "lanes_role" check (role in ('relay', 'swap_owner', 'curator'))
);
create table "attempts" (
  "seq" bigint generated always as identity primary key,
  "key" text not null,
  "attempt" bigint not null,
  "id" text not null unique,
  "state" text not null,
  "fingerprint" text not null,
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
  "nonce" bigint,
  "readmit" bigint not null,
  "accepted_at_ms" bigint not null,
  "deadline_ms" bigint not null,
  "ended_at_ms" bigint,
  "refusal_code" text,
  "transaction_hash" text,
  "revert_reason" text,
  "gas_paid_fri" text,
  constraint "attempts_key_attempt" unique ("key", "attempt"),
  constraint "attempts_numbered_from_one" check (attempt >= 1),
  constraint "attempts_state"
    check (state in ('accepted', 'prepared', 'broadcast', 'succeeded', 'reverted', 'refused',
      'expired')),
  constraint "attempts_role" check (role in ('relay', 'swap_owner', 'curator')),
  constraint "attempts_readmit" check (readmit in (0, 1)),
  constraint "attempts_lane_with_nonce" check ((lane is null) = (nonce is null)),
  constraint "attempts_nonce_by_state"
    check ((nonce is null) = (state in ('accepted', 'refused', 'expired'))),
  constraint "attempts_end_time_by_state"
    check ((ended_at_ms is null) = (state in ('accepted', 'prepared', 'broadcast'))),
  constraint "attempts_receipt_by_state"
    check ((transaction_hash is not null) = (state in ('succeeded', 'reverted'))),
  constraint "attempts_code_by_state"
    check ((refusal_code is not null) = (state in ('refused', 'expired'))),
  constraint "attempts_terms_whole" check ((fee_amount is null) = (fee_token is null)
    and (fee_amount is null) = (cost_fri is null) and (fee_amount is null) = (strk_usd_e8 is null)
    and (fee_amount is null) = (fee_token_usd_e8 is null))
);
create unique index "attempts_one_live_per_key" on "attempts" ("key")
  where attempts.state in ('accepted', 'prepared', 'broadcast');
create unique index "attempts_one_live_per_nonce" on "attempts" ("lane", "nonce")
  where attempts.state in ('accepted', 'prepared', 'broadcast');
create index "attempts_waiting" on "attempts" ("role", "seq") where attempts.state = 'accepted';
create table "nonces" (
  "lane" text not null references "lanes" ("address"),
  "nonce" bigint not null,
  "state" text not null,
  "owner_key" text,
  "owner_attempt" bigint,
  "settled_by" text,
  "gas_paid_fri" text,
  constraint "nonces_lane_nonce" primary key ("lane", "nonce"),
  constraint "nonces_owner" foreign key ("owner_key", "owner_attempt")
    references "attempts" ("key", "attempt"),
  constraint "nonces_from_zero" check (nonce >= 0),
  constraint "nonces_state" check (state in ('open', 'settled')),
  constraint "nonces_taker_by_state" check ((settled_by is not null) = (state = 'settled')),
  constraint "nonces_owner_whole" check ((owner_key is null) = (owner_attempt is null))
);
create index "nonces_open" on "nonces" ("lane", "nonce") where nonces.state = 'open';
create table "transactions" (
  "seq" bigint generated always as identity primary key,
  "hash" text not null unique,
  "lane" text not null,
  "nonce" bigint not null,
  "kind" text not null,
  "attempt_key" text,
  "attempt_number" bigint,
  "price_step" bigint not null,
  "l2_max_amount" text not null,
  "l2_max_price_fri" text not null,
  "l1_max_amount" text not null,
  "l1_max_price_fri" text not null,
  "l1_data_max_amount" text not null,
  "l1_data_max_price_fri" text not null,
  "tip_fri" text not null,
  "claims" bigint not null,
  "claim_fence" bigint,
  "claimed_at_ms" bigint,
  "dead" bigint not null,
  "refusal_code" text,
  "seen_execution" text,
  "seen_revert_reason" text,
  constraint "transactions_one_per_step" unique ("lane", "nonce", "price_step", "kind"),
  constraint "transactions_nonce" foreign key ("lane", "nonce")
    references "nonces" ("lane", "nonce"),
  constraint "transactions_attempt" foreign key ("attempt_key", "attempt_number")
    references "attempts" ("key", "attempt"),
  constraint "transactions_kind" check (kind in ('call', 'noop')),
  constraint "transactions_attempt_by_kind" check ((attempt_key is not null) = (kind = 'call')),
  constraint "transactions_attempt_whole" check ((attempt_key is null) = (attempt_number is null)),
  constraint "transactions_price_step" check (price_step >= 0),
  constraint "transactions_claims" check (claims in (0, 1, 2)),
  constraint "transactions_claim_whole" check ((claims = 0) = (claim_fence is null)
    and (claim_fence is null) = (claimed_at_ms is null)),
  constraint "transactions_dead" check (dead in (0, 1)),
  constraint "transactions_seen" check (seen_execution in ('SUCCEEDED', 'REVERTED'))
);
create index "transactions_of_attempt" on "transactions" ("attempt_key", "attempt_number", "seq");
create table "calldata" (
  "submission_id" text not null primary key references "attempts" ("id"),
  "words" bytea not null
);
create table "signed_bytes" (
  "hash" text not null primary key references "transactions" ("hash"),
  "bytes" bytea not null
);
-- The table of given quotes.
create table "quotes" (
  "id" text not null primary key,
  "chain_id" text not null,
  "pool" text not null,
  "relayer" text not null,
  "fee_amount" text not null,
  "expires_at_ms" bigint not null,
  "served_key" text,
  constraint "quotes_expire" check (expires_at_ms > 0)
);
create index "quotes_by_expiry" on "quotes" ("expires_at_ms");
-- The table of cross-chain transfers: what was seen of each, and when. A step has a time only if
-- the one before it has one that is not later.
create table "transfers" (
  "transaction_id" text not null primary key,
  "changed_at_ms" bigint not null,
  "next" text not null,
  "refunded" bigint not null,
  "deposit_detected_at" bigint,
  "swap_source_token_at" bigint,
  "bridge_to_destination_at" bigint,
  "swap_destination_token_at" bigint,
  "send_to_recipient_at" bigint,
  "deposit_detected_tx" text,
  "swap_source_token_tx" text,
  "bridge_to_destination_tx" text,
  "swap_destination_token_tx" text,
  "send_to_recipient_tx" text,
  constraint "transfers_next" check (next in ('pending', 'processing', 'failed')),
  constraint "transfers_refunded" check (refunded = 0 or (refunded = 1 and next = 'failed')),
  constraint "transfers_steps_in_order" check ((swap_source_token_at is null
    or (deposit_detected_at is not null and deposit_detected_at <= swap_source_token_at))
    and (bridge_to_destination_at is null or (swap_source_token_at is not null
    and swap_source_token_at <= bridge_to_destination_at)) and (swap_destination_token_at is null
    or (bridge_to_destination_at is not null
    and bridge_to_destination_at <= swap_destination_token_at)) and (send_to_recipient_at is null
    or (swap_destination_token_at is not null
    and swap_destination_token_at <= send_to_recipient_at))),
  constraint "transfers_nothing_after_the_last_step" check (send_to_recipient_at is null
    or next = 'pending')
);
create index "transfers_by_change" on "transfers" ("changed_at_ms");
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
-- A settled nonce names the transaction and the block that settled it, so that a rollback can open
-- it again. With that come versions, outcomes that were undone, quarantine and pause of lanes, the
-- chain that the ledger belongs to, and marks of the wipe.
-- PostgreSQL changes tables in place. Every row of attempts and nonces is written once.
alter table lanes
  add column leased_at_ms bigint not null default 0,
  add column next_nonce bigint,
  add column quarantine_cause text,
  add column quarantine_until bigint,
  add column quarantine_since_ms bigint,
  add column quarantine_is_aged bigint,
  add column paused_for text;
alter table lanes alter column leased_at_ms drop default;
alter table lanes
  add constraint lanes_next_nonce check (next_nonce >= 0),
  add constraint lanes_quarantine_whole
    check ((quarantine_cause is null) = (quarantine_until is null)
    and (quarantine_cause is null) = (quarantine_since_ms is null)
    and (quarantine_cause is null) = (quarantine_is_aged is null)),
  add constraint lanes_quarantine_cause check (quarantine_cause in ('introduced', 'behind')),
  add constraint lanes_quarantine_until check (quarantine_until is null or (quarantine_until >= 0
    and next_nonce is not null)),
  add constraint lanes_quarantine_is_aged check (quarantine_is_aged in (0, 1));
drop index attempts_one_live_per_key, attempts_one_live_per_nonce;
alter table attempts
  drop constraint attempts_state,
  drop constraint attempts_end_time_by_state,
  add column replay_protected bigint,
  add column avoid_lane text references lanes (address),
  add column is_final bigint,
  add column undone_hash text,
  add column undone_execution text,
  add column undone_at_ms bigint,
  add column wiped bigint;
alter table nonces
  drop constraint nonces_taker_by_state,
  add column through bigint,
  add column version bigint,
  add column is_foreign bigint,
  add column execution text,
  add column block_number bigint,
  add column block_hash text,
  add column disproves_refusal bigint,
  add column settled_at_ms bigint,
  add column is_final bigint,
  add column wiped bigint;
alter table nonces rename column gas_paid_fri to fee_fri;
alter table nonces
  alter column through set not null,
  alter column version set not null,
  alter column wiped set not null,
  add constraint nonces_through check (through = nonce or (through > nonce and state = 'settled'
    and owner_key is null)),
  add constraint nonces_version check (version >= 1),
  add constraint nonces_settlement_by_state check ((is_foreign is not null) = (state = 'settled')
    and (is_foreign is null) = (disproves_refusal is null)
    and (is_foreign is null) = (settled_at_ms is null)
    and (is_foreign is null) = (is_final is null)),
  add constraint nonces_is_foreign check (is_foreign in (0, 1)),
  add constraint nonces_hash_if_ours check (is_foreign is null or is_foreign = 1
    or settled_by is not null),
  add constraint nonces_nothing_if_open check (is_foreign is not null or (settled_by is null
    and fee_fri is null)),
  add constraint nonces_execution check (execution in ('SUCCEEDED', 'REVERTED')),
  add constraint nonces_execution_by_hash check (execution is null or settled_by is not null),
  add constraint nonces_block_whole check ((block_number is null) = (block_hash is null)),
  add constraint nonces_block_by_hash check (block_number is null or settled_by is not null),
  add constraint nonces_block_number check (block_number >= 0),
  add constraint nonces_disproves_refusal check (disproves_refusal in (0, 1)),
  add constraint nonces_is_final check (is_final in (0, 1)),
  add constraint nonces_wiped check (wiped in (0, 1));
alter table transactions add column gone text;
alter table transactions
  drop column dead,
  add constraint transactions_gone check (gone in ('refused', 'lost'));
alter table attempts
  alter column replay_protected set not null,
  alter column is_final set not null,
  alter column wiped set not null,
  add constraint attempts_state
    check (state in ('accepted', 'broadcast', 'succeeded', 'reverted', 'refused', 'expired')),
  add constraint attempts_end_time_by_state
    check ((ended_at_ms is null) = (state in ('accepted', 'broadcast'))),
  add constraint attempts_replay_protected check (replay_protected in (0, 1)),
  add constraint attempts_is_final check (is_final = 0 or (is_final = 1
    and transaction_hash is not null)),
  add constraint attempts_undone_whole check ((undone_hash is null) = (undone_execution is null)
    and (undone_hash is null) = (undone_at_ms is null)),
  add constraint attempts_undone_execution check (undone_execution in ('SUCCEEDED', 'REVERTED')),
  add constraint attempts_wiped check (wiped in (0, 1, 2));
create unique index "attempts_one_live_per_key" on "attempts" ("key")
  where attempts.state in ('accepted', 'broadcast');
create unique index "attempts_one_live_per_nonce" on "attempts" ("lane", "nonce")
  where attempts.state in ('accepted', 'broadcast');
create index "attempts_ended_and_kept" on "attempts" ("ended_at_ms") where attempts.wiped < 2
  and attempts.ended_at_ms is not null;
create index "attempts_final_and_kept" on "attempts" ("seq") where attempts.wiped = 0
  and attempts.is_final = 1;
create index "nonces_unfinal" on "nonces" ("lane", "block_number", "nonce")
  where nonces.is_final = 0;
create index "nonces_disproving" on "nonces" ("lane", "nonce") where nonces.disproves_refusal = 1;
create index "nonces_settled_and_kept" on "nonces" ("settled_at_ms") where nonces.wiped = 0
  and nonces.settled_at_ms is not null;
create index "nonces_final_and_kept" on "nonces" ("lane", "nonce") where nonces.wiped = 0
  and nonces.is_final = 1;
create table "chain" (
  "id" bigint primary key,
  "chain_id" text,
  "genesis_hash" text,
  "last_block" bigint,
  constraint "chain_one_row" check (id = 1),
  constraint "chain_whole" check ((chain_id is null) = (genesis_hash is null)),
  constraint "chain_last_block" check (last_block >= 0)
);
-- What arrived of a transfer: null for those that were seen before it was kept.
alter table "transfers" add column "output_amount" text;
-- What transactions have used that succeeded.
create table "gas_uses" (
  "transaction_hash" text not null primary key,
  "pool" text not null,
  "operation" text not null,
  "l2_gas" bigint not null,
  "l1_data_gas" bigint not null,
  "ended_at_ms" bigint not null
);
create index "gas_uses_by_end" on "gas_uses" ("pool", "operation", "ended_at_ms");
-- What swaps are bound to, in rows that are neither changed nor deleted and hold no more than
-- digests, a token and an amount; and whose transactions were read for it.
create table "swap_pins" (
  "note" text not null primary key,
  "new_commitment" text not null unique,
  "output_token" text not null,
  "floor" text not null
);
create table "swap_owners" (
  "address" text not null primary key,
  "read_up_to" bigint not null
);
-- Quotes say what they are for. Those that were given before are for withdrawals.
alter table "quotes"
  add column "operation" text default 'withdraw' not null
    check (operation in ('withdraw', 'private_swap'));
alter table "quotes" add column "leaf_index" bigint;
-- Whether swaps that have reverted are tried again. Rows are never changed.
create table "swap_verdicts" (
  "attempt_id" text not null primary key,
  "verdict" text not null,
  "decided_at_ms" bigint not null,
  constraint "swap_verdicts_known" check (verdict in ('again', 'over'))
);
-- SHA-256 of the text of every migration that was applied, in hex: a release whose text is another
-- refuses the database. Rows of migrations that were applied before this one are filled in.
create table "migration_hashes" (
  "name" text not null primary key,
  "sha256" text not null
);
-- What an attempt is about stands in columns of its own: its kind, the contract that it is counted
-- under, and one value by which its kind goes on; and its effect, which stood before a dot in the
-- fingerprint. This is the last time that keys and fingerprints
-- are taken apart.
alter table "attempts"
  add column "kind" text,
  add column "subject" text,
  add column "memo" text,
  add column "effect" text;
alter table "attempts"
  alter column "kind" set not null,
  alter column "subject" set not null,
  alter column "effect" set not null;
-- What the protocol does by itself: accounts of two more roles, who holds a task, what an operator
-- said of it, and the last look at each of its subjects; and an index for the gas of its kinds.
alter table "lanes"
  drop constraint lanes_role,
  add constraint lanes_role
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury'));
alter table "attempts"
  drop constraint attempts_role,
  add constraint attempts_role
    check (role in ('relay', 'swap_owner', 'curator', 'keeper', 'treasury'));
create index "attempts_by_kind" on "attempts" ("kind", "ended_at_ms");
create table "task_leases" (
  "task" text not null primary key,
  "holder" text not null,
  "held_at_ms" bigint not null,
  "until_ms" bigint not null
);
-- The subject is empty for all of a task.
create table "task_controls" (
  "task" text not null,
  "subject" text not null,
  "paused_at_ms" bigint,
  "pause_reason" text,
  "resumed_at_ms" bigint not null,
  constraint "task_controls_task_subject" primary key ("task", "subject"),
  constraint "task_controls_pause_whole" check ((paused_at_ms is null) = (pause_reason is null))
);
-- A look that submitted something has a submission, any other one a reason.
create table "task_looks" (
  "task" text not null,
  "subject" text not null,
  "at_ms" bigint not null,
  "reason" text,
  "due_at_ms" bigint,
  "submission_id" text,
  "details" text not null,
  "acted_at_ms" bigint,
  "acted_submission_id" text,
  constraint "task_looks_task_subject" primary key ("task", "subject"),
  constraint "task_looks_report" check ((reason is null) = (submission_id is not null)),
  constraint "task_looks_due_if_skipped" check (due_at_ms is null or reason is not null),
  constraint "task_looks_acted_whole" check ((acted_at_ms is null) = (acted_submission_id is null))
);
create index "task_looks_by_time" on "task_looks" ("at_ms");
-- Recurring purchases: how far each contract's events were read, which of its orders are open, and
-- daily closes of BTC by source. Ids of orders are u64 in decimal, padded to 20 digits: so they sort
-- as numbers do.
create table "purchase_progress" (
  "contract" text not null primary key,
  "next_block" bigint not null,
  "safe_number" bigint not null,
  "safe_hash" text not null
);
create table "purchase_orders" (
  "contract" text not null,
  "order_id" text not null,
  "has_ended" bigint not null,
  constraint "purchase_orders_key" primary key ("contract", "order_id"),
  constraint "purchase_orders_flag" check (has_ended in (0, 1))
);
create index "purchase_orders_open" on "purchase_orders" ("contract", "order_id")
  where has_ended = 0;
create table "daily_closes" (
  "day" bigint not null,
  "source" text not null,
  "usd_e8" text not null,
  constraint "daily_closes_key" primary key ("day", "source")
);
-- How far an operator wants a vault leveraged: collateral over equity in hundredths of a percent,
-- from no debt to 5×.
create table "leverage_targets" (
  "vault" text not null primary key,
  "target_bps" bigint not null,
  "set_at_ms" bigint not null,
  constraint "leverage_targets_in_range" check (target_bps between 10000 and 50000)
);
-- When the looks at a subject began to end as the last one did: for the same reason, or with a
-- submission. Of looks before this: when the last one was.
alter table "task_looks" add column "since_ms" bigint not null default 0;
-- The node that the last claimed send of a transaction went to. Not known of those before this.
alter table "transactions" add column "claim_node" text;
-- What operators did: a row is written before its action takes effect, gets its outcome once, and
-- stays as it is. And indexes for their list of submissions, newest first by each of its filters.
-- What is live has one of its own, which those that read it in this order take too.
create table "operator_actions" (
  "id" bigint generated always as identity primary key,
  "at_ms" bigint not null,
  "holder" text not null,
  "action" text not null,
  "subject" text not null,
  "reason" text,
  "outcome" text
);
create function operator_actions_stay() returns trigger language plpgsql as
  $$ begin raise exception 'this violates that the log of operators stays'; end $$;
create trigger "operator_actions_stay" before delete on "operator_actions"
  for each row execute function operator_actions_stay();
create function operator_actions_get_an_outcome() returns trigger language plpgsql as
  $$ begin raise exception 'this violates that an action gets its outcome, once'; end $$;
create trigger "operator_actions_get_an_outcome" before update on "operator_actions"
  for each row when (old.outcome is not null or new.outcome is null or old.id <> new.id
    or old.at_ms <> new.at_ms or old.holder <> new.holder or old.action <> new.action
    or old.subject <> new.subject or old.reason is distinct from new.reason)
  execute function operator_actions_get_an_outcome();
create index "attempts_by_acceptance" on "attempts" ("accepted_at_ms", "seq");
create index "attempts_live" on "attempts" ("accepted_at_ms", "seq")
  where attempts.state in ('accepted', 'broadcast');
create index "attempts_by_end_state" on "attempts" ("state", "accepted_at_ms", "seq")
  where ended_at_ms is not null;
create index "attempts_of_kind" on "attempts" ("kind", "accepted_at_ms", "seq");
create index "attempts_by_subject" on "attempts" ("subject", "accepted_at_ms", "seq");
create index "attempts_by_lane" on "attempts" ("lane", "accepted_at_ms", "seq");
create index "attempts_by_transaction" on "attempts" ("transaction_hash")
  where transaction_hash is not null;
-- What registered endpoints are notified of: a row for each topic and endpoint, from which messages
-- are made, and the alerts that each instance sees. The slot bounds the endpoints of a topic.
create table "webhook_deliveries" (
  "id" text not null primary key,
  "kind" text not null,
  "subject" text not null,
  "component" text not null,
  "endpoint" text not null,
  "slot" bigint not null,
  "version" bigint not null,
  "sequence" bigint not null,
  "delivered_state" text,
  "wanted_state" text,
  "wanted_since_ms" bigint,
  "failures" bigint not null,
  "due_at_ms" bigint not null,
  "added_at_ms" bigint not null,
  constraint "webhook_deliveries_endpoint" unique ("kind", "subject", "component", "endpoint"),
  constraint "webhook_deliveries_slot" unique ("kind", "subject", "component", "slot"),
  constraint "webhook_deliveries_kind" check (kind in ('submission', 'alert')),
  constraint "webhook_deliveries_wanted_whole"
    check ((wanted_state is null) = (wanted_since_ms is null)),
  constraint "webhook_deliveries_numbers" check (version >= 1 and sequence >= 0 and failures >= 0)
);
create index "webhook_deliveries_due" on "webhook_deliveries" ("endpoint", "due_at_ms");
create index "webhook_deliveries_by_age" on "webhook_deliveries" ("added_at_ms");
create table "webhook_alerts" (
  "code" text not null,
  "component" text not null,
  "instance" text not null,
  "since_ms" bigint not null,
  "seen_at_ms" bigint not null,
  constraint "webhook_alerts_sighting" primary key ("code", "component", "instance"),
  constraint "webhook_alerts_order" check (seen_at_ms >= since_ms)
);
-- The row that the store's health check writes: where this can't be committed, nothing can.
create table "canary" (
  "id" bigint not null primary key,
  "writes" bigint not null,
  constraint "canary_one" check (id = 1)
);
-- Up to where a lane's settled nonces were archived: what lies below is in files, and one row stands
-- for it. Null for a lane of which nothing was.
alter table "lanes" add column "archived_through" bigint;

insert into "chain" ("id", "chain_id", "genesis_hash", "last_block") values (1, '0x534e5f4d41494e', '0x47c3', 140);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x1a2e01', 'relay', 'instance-a', 1, 1790003614000, 1790000014000, 27, null, null, null, null, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x3e7', 'relay', 'instance-b', 1, 1790003736000, 1790000136000, 2, 'introduced', 22, 1790000137000, 0, 'its account was upgraded', null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x3ee9e4', 'keeper', 'instance-b', 1, 1790003719000, 1790000119000, 1, null, null, null, null, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x5a9e0', 'swap_owner', 'instance-b', 1, 1790003698000, 1790000098000, 4, null, null, null, null, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x74ea5', 'treasury', 'instance-b', 1, 1790003724000, 1790000124000, 1, null, null, null, null, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0x7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff02', 'relay', null, 1, 0, 1790000130000, 46, null, null, null, null, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0xa5c41', 'relay', 'instance-a', 1, 1790003600000, 1790000000000, 8, null, null, null, null, null, 6);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0xbe41d', 'relay', 'instance-b', 1, 1790003733000, 1790000133000, 3, 'behind', 9, 1790000135000, 1, null, null);
insert into "lanes" ("address", "role", "leased_to", "fence", "lease_until_ms", "leased_at_ms", "next_nonce", "quarantine_cause", "quarantine_until", "quarantine_since_ms", "quarantine_is_aged", "paused_for", "archived_through") values ('0xc1a70', 'curator', 'instance-a', 1, 1790003710000, 1790000110000, 2, null, null, null, null, null, null);
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (1, '0x534e5f4d41494e|0xa001|0xb971fbc2aace8d5777387eb91ddbe985db4e2fb936b4ff70ccf532b04020', 1, 'golden-ended-5-1', 'succeeded', '82b0da1dc47a561cd512152af560c08dbd816216aef0201788177b03508bb3e1', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0xa5c41', 5, 0, 1790000001000, 1790003601000, 1790000004000, null, '0x5e00f203f86c5b8be9abb2dac32d7f505b42a8949089c41b84ec5f35049b2c', null, '1180591620717411303424', 1, null, 1, null, null, null, 2, 'withdraw', '0xa001', '0xb971fbc2aace8d5777387eb91ddbe985db4e2fb936b4ff70ccf532b04020', '513d180d3380fb27a0e411f4515e976ccb61cd36f4d374749c42021d165392b4');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (2, '0x534e5f4d41494e|0xa001|0x68aba063f1d212bb1213ca81d43361b2f37daa109424e0bf4d4e9c3e5cd3', 1, 'golden-ended-6-1', 'succeeded', '7a9c9beb53fdedc20d45863168e4e232455425c4d5b5d8ef016cba94f18ee5db', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0xa5c41', 6, 0, 1790000006000, 1790003606000, 1790000008000, null, '0xb09f6091b9053aec4d6684259d06235950f04d780904a32a1018b7c81aff5c', null, '1180591620717411303424', 1, null, 1, null, null, null, 2, 'withdraw', '0xa001', '0x68aba063f1d212bb1213ca81d43361b2f37daa109424e0bf4d4e9c3e5cd3', '445b3204c2d23471a7035fc97d73a7d80720ecbb2b594eeb418cb704eca239c8');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (3, '0x534e5f4d41494e|0xa001|0x53f4384f0eb91704e1e79c49409db8f92b7e38cbcf4e1cf63dfe01cc26d', 1, 'golden-ended-7-1', 'succeeded', '60a9b82830c841bc55be202f352a234ef8989eecba373481e22d59f3abfe1228', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0xa5c41', 7, 0, 1790000010000, 1790003610000, 1790000012000, null, '0x3f40bc52964bc1de3624b77b61c3d36d32f86387e78ae29ed48e28f565f1a6', null, '1180591620717411303424', 1, null, 0, null, null, null, 2, 'withdraw', '0xa001', '0x53f4384f0eb91704e1e79c49409db8f92b7e38cbcf4e1cf63dfe01cc26d', '8301a45f58d102e4096503fb76c3bc3a5ef23e5874993bf1fa9aa9a84acccd23');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (4, '0x534e5f4d41494e|0xa001|0x24dc565ce89f382a8fcaf9c374269df7a00d47d780b47789b9b564a12a81', 1, 'golden-wiped-1', 'succeeded', 'ac3b838d801f44c04b4684f0415e4afbefe4b71f1f79d72e5b43e478dec93f71', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 7, 0, 1790000015000, 1790003615000, 1790000018000, null, '0x4216309ad7d31d421a098c0a3f3ee36377f3d628053613a91cc9f1cd858312', null, '1180591620717411303424', 1, null, 1, null, null, null, 2, 'withdraw', '0xa001', '0x24dc565ce89f382a8fcaf9c374269df7a00d47d780b47789b9b564a12a81', '76e35eef50d9db7eda78d2a699b08b8b33c1f3f07bcc261cfa341c7030fff687');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (5, '0x534e5f4d41494e|0xa001|0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 1, 'golden-succeeded-1', 'succeeded', '612c276e031672947c0b49f1aecaf09cab0a6e596c01ef29ef1055ea761d31a1', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 8, 0, 1790000021000, 1790003621000, 1790000023000, null, '0x543cca94bbe0b8408beca16b0dfeb7b45757b13acfeaadac310ade7b1af5eb', null, '1180591620717411303424', 1, null, 1, null, null, null, 0, 'withdraw', '0xa001', '0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 'e1fb9ef90333ce86943ba467ce3b1d162aba096d8ac9798997c08ccef1b31df6');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (6, '0x534e5f4d41494e|0xa001|0xfd4ee86ea6980be8ac50497f5740eee8d1f3b62ded54ad95a81691225aab', 1, 'golden-replaced-1', 'succeeded', 'f62298f1a043688ffb8749f405942c7c9575c5fb49b896a795e34ce387b0d20c', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 9, 0, 1790000025000, 1790003625000, 1790000028000, null, '0x9f228a3a47add871ed527a99272d4dd382277413c8654136ed7f68e083b30b', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xfd4ee86ea6980be8ac50497f5740eee8d1f3b62ded54ad95a81691225aab', 'eba578224c024ec82504d8d21b2360a6e70d0452b53879b3f6f8500219da062d');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (7, '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 1, 'golden-reverted-1', 'reverted', '37f4a82d166f12d02ecf7041990c10eaa73c7e8f4664f2871fe6ec2c216fd8bc', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 10, 0, 1790000029000, 1790003629000, 1790000031000, null, '0x3b33e8ae81f14aeb9a323008d6621d002ee7ac8c016fb27b44dffe79694090', 'said "no"
\ to the pool: 错误', '1180591620717411303424', 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 'd7b7f11a8c1ccf6e37066d48c79bad59956c4d9a7ce7948448e53dfc408c4501');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (8, '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 2, 'golden-reverted-2', 'succeeded', '37f4a82d166f12d02ecf7041990c10eaa73c7e8f4664f2871fe6ec2c216fd8bc', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x1a2e01', 11, 0, 1790000032000, 1790003632000, 1790000034000, null, '0xbb82c55a98c3ed01c9f8e94785c965d24fea555197a19a6547df5b5eb0374c', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 'd7b7f11a8c1ccf6e37066d48c79bad59956c4d9a7ce7948448e53dfc408c4501');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (9, '0x534e5f4d41494e|0xa001|0x8d8fc02f75467d3de0ae7bc40fb2783e67dd70650e298a32b0cbc41f423f', 1, 'golden-refused-1', 'refused', 'ba078a3bf9ec56ed388b7d948528b0af67630de8c9dee2d6c96f3b2468124bf1', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 0, 1790000035000, 1790003635000, 1790000037000, 'NODE_CODE', null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x8d8fc02f75467d3de0ae7bc40fb2783e67dd70650e298a32b0cbc41f423f', '439bd64b0d57fd7f86691ca9d8d44ae3269fb3d49485f49fd46d1c3fc2186e47');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (10, '0x534e5f4d41494e|0xa001|0xfc202c8439322e2faee44d87622132fd6e660682a4c4ce0ad45f6b3f10af', 1, 'golden-reuses-1', 'succeeded', '3a30a9484c6f16c5ee66ef8b681f7bf4a613b7ae1ccc3388661258362b51f25a', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 12, 0, 1790000038000, 1790003638000, 1790000040000, null, '0x806b97a1ac2d844be7440789407a8a17845879aaccc4df7e6d3594ffdb3b7a', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xfc202c8439322e2faee44d87622132fd6e660682a4c4ce0ad45f6b3f10af', 'b81957f7eb9d77415ee4ed9100776307a7cf7cc4fe81cd37c06aeddf6f08498b');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (11, '0x534e5f4d41494e|0xa001|0x8d8fc02f75467d3de0ae7bc40fb2783e67dd70650e298a32b0cbc41f423f', 2, 'golden-refused-2', 'accepted', 'ba078a3bf9ec56ed388b7d948528b0af67630de8c9dee2d6c96f3b2468124bf1', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000041000, 1790003641000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x8d8fc02f75467d3de0ae7bc40fb2783e67dd70650e298a32b0cbc41f423f', '439bd64b0d57fd7f86691ca9d8d44ae3269fb3d49485f49fd46d1c3fc2186e47');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (12, '0x534e5f4d41494e|0xa001|0x19a55b4369bf693f4a18247f84610d728835a26794393fe95a6f86e8d171', 1, 'golden-expired-1', 'expired', '1cd509978fab8601605672db49eb643e399e914f43b144235d61f1676a2c7b14', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 1, 1790000042000, 1790003642000, 1790000046000, 'NOT_SENT_IN_TIME', null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x19a55b4369bf693f4a18247f84610d728835a26794393fe95a6f86e8d171', '99176dc037bc457f9b40963287795423785a64699d980d1a5135b6d1c97a709b');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (13, '0x534e5f4d41494e|0xa001|0xff55bb1ece6fc438078bb3e96292b673fdcc9e539431d6e19219277d385e', 1, 'golden-came-back-1', 'accepted', '153a43dbc05502e8c85bd71172a6dacd454955fad62e14ef89a364de6b7e88c4', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 1, 1790000047000, 1790003647000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xff55bb1ece6fc438078bb3e96292b673fdcc9e539431d6e19219277d385e', '84cbdbd79151e7cab9545f5bda430dba2bcd8656e6913892a4697280d8b9a576');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (14, '0x534e5f4d41494e|0xa001|0x6012a9d2c44cf2656d67dfe37f3407561b4a6991ad20a8cd495e337acd0', 1, 'golden-foreign-took-1', 'accepted', 'bef4c8cceb52df8556e142aa3673bb0fb5de8898503215242ad8e1b25d384956', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 1, 1790000051000, 1790003651000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x6012a9d2c44cf2656d67dfe37f3407561b4a6991ad20a8cd495e337acd0', '43a76005beff0179c127bc2f5b17372acaf4670ae81eb2c4367efba8c0c46835');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (15, '0x534e5f4d41494e|0xa001|0xa9ecd9bfb27353bc415250e6e9e5be0559dc5d701749bd590332f56be6a7', 1, 'golden-undone-1', 'broadcast', '9be33ca85a902c0d4a01e7d90c86a2296aa40f973220e72a8ad22c687c3c7aa6', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 16, 0, 1790000054000, 1790003654000, null, null, null, null, null, 1, null, 0, '0x2206586eaf408b64f71b45185cf82af6d2706c4246baa1f19ca2e9cf75cf4d', 'SUCCEEDED', 1790000057000, 0, 'withdraw', '0xa001', '0xa9ecd9bfb27353bc415250e6e9e5be0559dc5d701749bd590332f56be6a7', '67712ee0facd6cdb53919448ce4137c9dafbdb4a303d0902e02d46c54cb79f73');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (16, '0x534e5f4d41494e|0xa001|0xd477500d447a79bba2483216563fd01f75008700edf4de94929ed737c885', 1, 'golden-undone-and-landed-1', 'succeeded', '7152ea2c95b8d1265cc0fa2e9774c530b26e607ea13ee0c83cb15b64087c8010', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 17, 0, 1790000058000, 1790003658000, 1790000062000, null, '0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', null, '1180591620717411303424', 1, null, 0, '0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', 'REVERTED', 1790000061000, 0, 'withdraw', '0xa001', '0xd477500d447a79bba2483216563fd01f75008700edf4de94929ed737c885', 'eb3ee5378d8bc236d813f1253da32a095aa0b3f0181f0bf101de26ee5a81c749');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (17, '0x534e5f4d41494e|0xa001|0x96c7f9e342a111f5cecb192e2a6f9bdb229581a5951f441cff3f96234161', 1, 'golden-refusal-disproved-1', 'succeeded', 'ff0424a8b4e5aeafd1866da67a72b08984d3e10afeecd47916159b61ecb26d1d', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 18, 0, 1790000063000, 1790003663000, 1790000066000, null, '0xb179b44d1dfe41e73a16a4643bd2d68e31bdbf9fe69599941e56bd7210db16', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x96c7f9e342a111f5cecb192e2a6f9bdb229581a5951f441cff3f96234161', 'b871472d387127925cb3965747b98e00ebe420f03202e5d949123f25f8079893');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (18, '0x534e5f4d41494e|0xa001|deposit|0x2bacf162233983f0c1f7a00ba8a7b82ad0fb9d7f5532d106e02dc8730a23', 1, 'golden-deposited-1', 'succeeded', 'b70ab023ce23138aa58c0d4b49a5ef08201b76e0b203b0bf75c2e98a151400d5', 'relay', '0xa001', 'deposit', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x1a2e01', 19, 0, 1790000067000, 1790003667000, 1790000069000, null, '0xc6c1255eaaa435a45c90ba3c016172d1e41f5e8c5bd39e50fd8d026cc4f557', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'deposit', '0xa001', '0x2bacf162233983f0c1f7a00ba8a7b82ad0fb9d7f5532d106e02dc8730a23', '8d82b8b808bc0f910789a370c92d0adf98ebe699473b4fc5c724bf6e78b31888');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (19, '0x534e5f4d41494e|0xa001|deploy|0', 1, 'golden-batch-1', 'reverted', 'deploy_batch|32', 'relay', '0xa001', 'deploy_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x1a2e01', 20, 0, 1790000070000, 1790003670000, 1790000072000, null, '0x25750ecd657b2137c49e3657674960e688b3a3e7bf418e368bed537daa48fb', 'said "no"
\ to the pool: 错误', '1180591620717411303424', 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_batch');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (20, '0x534e5f4d41494e|0xa001|0x387e893a7ee23d3a66ddd9a0d0eb4e1c2fdb1a5ce0afd7eeee3f3902e5c4', 1, 'golden-seen-1', 'broadcast', 'a77e83dc9a5de2074a067c024733fac619f356e3ddf55a735566d1377479c283', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 21, 0, 1790000073000, 1790003673000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x387e893a7ee23d3a66ddd9a0d0eb4e1c2fdb1a5ce0afd7eeee3f3902e5c4', '568b1295e1ea2bcd7ced871a01850ae373fd0e4240c393e5349371e5054b9a4c');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (21, '0x534e5f4d41494e|0xb002|0xcb423b5ec061ce90a7d75bdfa7b072b95527beb1534cb9a8821ef09430c6', 1, 'golden-outbid-1', 'broadcast', 'be72196c4454965e6e6946151f6c0873a27addb9252c6d7ff6eec5aa1786dd7d', 'relay', '0xb002', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 22, 0, 1790000076000, 1790003676000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xb002', '0xcb423b5ec061ce90a7d75bdfa7b072b95527beb1534cb9a8821ef09430c6', '86aa6c9470f1e4c83a7ac85dfa0eca0425ee24746f16f7300f3252c7c125d4c8');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (22, '0x534e5f4d41494e|0xa001|0xdf336f085046de6e7d8fc0c6072549994cf45a670a301c84a1803405286e', 1, 'golden-being-cancelled-1', 'broadcast', '90c73e84241204b974352a2437a1264a542f4035319038ccab351d96d8c1aea9', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x1a2e01', 23, 0, 1790000081000, 1790003681000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xdf336f085046de6e7d8fc0c6072549994cf45a670a301c84a1803405286e', '3ff2a1257978522cba72f032015d115b9a65bdccbe2b47ccc5c30b4732d381f1');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (23, '0x534e5f4d41494e|0xa001|0x61098762bc844eeccdf0af50b518ecff0b5e27896a5efd6cd715f6a80e38', 1, 'golden-too-cheap-1', 'accepted', 'e7b0530daa4a70687ee15e8ab4cfe0389d589499f7b94f0249bf86361e9287cd', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 1, 1790000084000, 1790003684000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x61098762bc844eeccdf0af50b518ecff0b5e27896a5efd6cd715f6a80e38', '8c03cd5a9629cd7b3e54a4208b63712b451f1a91b86401ba5547f2ce1a1c4fbe');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (24, '0x534e5f4d41494e|0xa001|0xf956fb16efbbc3aa1cc5488d6f79f8742195f1d26ce6193f5a9ddfb86c4b', 1, 'golden-freed-1', 'refused', '492097605521b2bda6005f6195372fbe9e5304e2afff93ed98b15bfd199312c9', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 0, 1790000087000, 1790003687000, 1790000089000, 'NODE_CODE', null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xf956fb16efbbc3aa1cc5488d6f79f8742195f1d26ce6193f5a9ddfb86c4b', '2c4e6d78a0d90da6079c37dac5eb854fc553f5548b08d5db7633dd9c89564266');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (25, '0x534e5f4d41494e|0xa001|deposit|0xe5a8a7f9d342fddfa9f5b11b6e8b14ca2f26a35c72d3eaa63b68b5edd11b', 1, 'golden-depositing-1', 'broadcast', 'b70ab023ce23138aa58c0d4b49a5ef08201b76e0b203b0bf75c2e98a151400d5', 'relay', '0xa001', 'deposit', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x1a2e01', 26, 0, 1790000090000, 1790003690000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'deposit', '0xa001', '0xe5a8a7f9d342fddfa9f5b11b6e8b14ca2f26a35c72d3eaa63b68b5edd11b', '8d82b8b808bc0f910789a370c92d0adf98ebe699473b4fc5c724bf6e78b31888');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (26, '0x534e5f4d41494e|0xa001|0xbf7439484c19d34b4873b8571778d5911e1cc971a1c4cc6f9c3365a01f33', 1, 'golden-accepted-1', 'accepted', '95b817d41daa288ebbbc3de6ddcda4fb58bb2f514f40f6c009f12edfade2712f', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 0, 1790000092000, 1790003692000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xbf7439484c19d34b4873b8571778d5911e1cc971a1c4cc6f9c3365a01f33', '5cc8ccb1058fb22800e5a2d107a5c8d8db033a083930fe0e4f60c4ce4d3d7f49');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (27, '0x534e5f4d41494e|0xa001|deposit|0x55fd7666f663632966e121adf1cba867d441b8bddcd435bc3ad3a6e8d287', 1, 'golden-deposit-waits-1', 'accepted', 'b70ab023ce23138aa58c0d4b49a5ef08201b76e0b203b0bf75c2e98a151400d5', 'relay', '0xa001', 'deposit', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000093000, 1790003693000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'deposit', '0xa001', '0x55fd7666f663632966e121adf1cba867d441b8bddcd435bc3ad3a6e8d287', '8d82b8b808bc0f910789a370c92d0adf98ebe699473b4fc5c724bf6e78b31888');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (28, '0x534e5f4d41494e|0xa001|deploy|32', 1, 'golden-batch-waits-1', 'accepted', 'deploy_partial_batch|5', 'relay', '0xa001', 'deploy_partial_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000094000, 1790003694000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_partial_batch');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (29, '0x534e5f4d41494e|0xa001|0xc3e2480cf97514cde0190c31e2e9c518fb2292c06ebe6b4cde95b911a6d4', 1, 'golden-not-sent-1', 'expired', 'da8c615096c1016eb99d6e989a4e263e9afef47b3d9cdcd9f45a03159a7f60cb', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 0, 1790000095000, 1790003695000, 1790000096000, 'NOT_SENT_IN_TIME', null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0xc3e2480cf97514cde0190c31e2e9c518fb2292c06ebe6b4cde95b911a6d4', 'dbbdc856de6551d7028e7c7757701a1386cb8c455349bc4fe5630dd485ca24d2');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (30, '0x534e5f4d41494e|0xa001|0x516e0fb0a7cb74dc6f3eee9b72dfacc444ee3e8490fbef2ca2ccdd92c40', 1, 'golden-unwanted-1', 'refused', 'c500536748fe7e5352a1a95b4a36c090ac4c41b2ba9bebe489ad394c14be15bd', 'relay', '0xa001', 'withdraw', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', null, null, 0, 1790000097000, 1790003697000, 1790000098000, 'NULLIFIER_SPENT', null, null, null, 1, null, 0, null, null, null, 0, 'withdraw', '0xa001', '0x516e0fb0a7cb74dc6f3eee9b72dfacc444ee3e8490fbef2ca2ccdd92c40', '91bb101723f9468e9b8f52761fc7c894bad842613e97b24c944f526de8df01bf');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (31, '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 1, 'golden-swap-1', 'reverted', '6bb2024312a60d5ee45c809c4923390f0104f9ef64942842cf2473a56af3a575', 'swap_owner', '0x5a9', 'private_swap', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x5a9e0', 0, 0, 1790000099000, 1790003699000, 1790000102000, null, '0xf7759328ddc53c585a99d716839d06c52782ab79e3161726ed44275d3a2c91', 'too little out', '1180591620717411303424', 1, null, 0, null, null, null, 0, 'private_swap', '0xa001', '0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', '5043e88643f83d3f73103d652cf3a3edac8b02b7c326512dba3118bf821435d3');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (32, '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 2, 'golden-swap-2', 'broadcast', '6bb2024312a60d5ee45c809c4923390f0104f9ef64942842cf2473a56af3a575', 'swap_owner', '0x5a9', 'private_swap', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x5a9e0', 1, 0, 1790000103000, 1790003703000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'private_swap', '0xa001', '0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', '5043e88643f83d3f73103d652cf3a3edac8b02b7c326512dba3118bf821435d3');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (33, '0x534e5f4d41494e|0xa001|0xd89857218e80f8f381c754cfd7cdfc6ddadfe60e6819acb3c24c327a0f98', 1, 'golden-swap-over-1', 'reverted', '604d251f44cd9b2173423d3a4ae1bdf924f75f5cf9f76065c8b70f592a7ccf32', 'swap_owner', '0x5a9', 'private_swap', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x5a9e0', 2, 0, 1790000105000, 1790003705000, 1790000107000, null, '0x3ba9b2c05795763d8938d4f12ea45b4429444fcb3ead6c13801e243e621f08', 'nullifier known', '1180591620717411303424', 1, null, 0, null, null, null, 0, 'private_swap', '0xa001', '0xd89857218e80f8f381c754cfd7cdfc6ddadfe60e6819acb3c24c327a0f98', '68661c7835064c9e9f04130f828c41c0c4e62c8712f3c7c33c4ab31ac248ed1e');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (34, '0x534e5f4d41494e|0xa001|0x4264db6b27a4327bfb388a39d1bbc436679d7a93e888a8c25c4aab2e02b8', 1, 'golden-swap-done-1', 'succeeded', 'a6b8fa224f9c649b07ae9b023d8ec9756e81b1bb74fd91fd79df94a30f860eab', 'swap_owner', '0x5a9', 'private_swap', '1200000000', '256', '20480', '3', '18446744073709551616', '0x37b', '1267650600228229401496703205376', '45000000', '9500000000000', '0x5a9e0', 3, 0, 1790000108000, 1790003708000, 1790000110000, null, '0x40a31473270cae0dd92fce2e764fb6ba0b733d92eaedcb0ffc11cbf0357c0b', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'private_swap', '0xa001', '0x4264db6b27a4327bfb388a39d1bbc436679d7a93e888a8c25c4aab2e02b8', '691b69fb44a453468ca86015e4be43d651e6b5ac8b31fb10ac7c3aa8ff5e0169');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (35, '0x534e5f4d41494e|0xfa17|idle|0', 1, 'golden-idle-0-1', 'succeeded', 'idle|100000000|90', 'curator', '0xfa17', 'deploy_idle', '1200000000', '256', '20480', '3', null, null, null, null, null, '0xc1a70', 0, 0, 1790000111000, 1790003711000, 1790000114000, null, '0xfcac5219a4bdaf326d8caa83a0576925fd0fcfc0e66d45523935ab8f53f820', null, '1180591620717411303424', 0, null, 1, null, null, null, 0, 'deploy_idle_funds', '0xfa17', '100000000', 'idle');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (36, '0x534e5f4d41494e|0xfa17|idle|1', 1, 'golden-idle-1-1', 'succeeded', 'idle|18446744073709551616|unknown', 'curator', '0xfa17', 'deploy_idle', '1200000000', '256', '20480', '3', null, null, null, null, null, '0xc1a70', 1, 0, 1790000118000, 1790000118000, 1790000118000, null, '0xad097', null, '1180591620717411303424', 0, null, 0, null, null, null, 0, 'deploy_idle_funds', '0xfa17', '18446744073709551616', 'idle');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (37, '0x534e5f4d41494e|0xfa17|idle|2', 1, 'golden-idle-2-1', 'accepted', 'idle|3|130', 'curator', '0xfa17', 'deploy_idle', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000119000, 1790003719000, null, null, null, null, null, 0, null, 0, null, null, null, 0, 'deploy_idle_funds', '0xfa17', '3', 'idle');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (38, '0x534e5f4d41494e|0xa001|deploy|64', 1, 'golden-keeper-1', 'succeeded', 'deploy_batch|32', 'keeper', '0xa001', 'deploy_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x3ee9e4', 0, 0, 1790000120000, 1790003720000, 1790000123000, null, '0xc9765e263839cf57eb1fb1fcacb01fec06a4f7ef53d5b5f2080aa932cad00d', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_batch');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (39, '0x534e5f4d41494e|0xa001|deploy|128', 1, 'golden-keeper-waits-1', 'accepted', 'deploy_batch|32', 'keeper', '0xa001', 'deploy_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000124000, 1790003724000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_batch');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (40, '0x534e5f4d41494e|0xa001|deploy|96', 1, 'golden-treasury-1', 'succeeded', 'deploy_batch|32', 'treasury', '0xa001', 'deploy_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, '0x74ea5', 0, 0, 1790000125000, 1790003725000, 1790000128000, null, '0x9a8258bcd3cda4c8712326eae09e89e96ac3c8a744c75ef085cc616958e81a', null, '1180591620717411303424', 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_batch');
insert into "attempts" ("seq", "key", "attempt", "id", "state", "fingerprint", "role", "target_to", "target_entrypoint", "limit_l2_gas", "limit_l1_gas", "limit_l1_data_gas", "price_multiplier", "fee_amount", "fee_token", "cost_fri", "strk_usd_e8", "fee_token_usd_e8", "lane", "nonce", "readmit", "accepted_at_ms", "deadline_ms", "ended_at_ms", "refusal_code", "transaction_hash", "revert_reason", "gas_paid_fri", "replay_protected", "avoid_lane", "is_final", "undone_hash", "undone_execution", "undone_at_ms", "wiped", "kind", "subject", "memo", "effect") overriding system value values (41, '0x534e5f4d41494e|0xa001|deploy|160', 1, 'golden-treasury-waits-1', 'accepted', 'deploy_batch|32', 'treasury', '0xa001', 'deploy_batch', '1200000000', '256', '20480', '3', null, null, null, null, null, null, null, 0, 1790000129000, 1790003729000, null, null, null, null, null, 1, null, 0, null, null, null, 0, 'deploy_batch', '0xa001', null, 'deploy_batch');
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 7, 'settled', '0x534e5f4d41494e|0xa001|0x24dc565ce89f382a8fcaf9c374269df7a00d47d780b47789b9b564a12a81', 1, '0x4216309ad7d31d421a098c0a3f3ee36377f3d628053613a91cc9f1cd858312', '1180591620717411303424', 7, 2, 0, 'SUCCEEDED', 107, '0x7cbec8b996232d07ae12c08d52572b5ed591f0adbf4146d91f1375e61862d7', 0, 1790000018000, 1, 1);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 8, 'settled', '0x534e5f4d41494e|0xa001|0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 1, '0x543cca94bbe0b8408beca16b0dfeb7b45757b13acfeaadac310ade7b1af5eb', '1180591620717411303424', 8, 2, 0, 'SUCCEEDED', 108, '0xc93d1a4dddf38ee3b920b69943ea14bb66ec12bc7bd052b55ea38a3482839a', 0, 1790000023000, 1, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 9, 'settled', '0x534e5f4d41494e|0xa001|0xfd4ee86ea6980be8ac50497f5740eee8d1f3b62ded54ad95a81691225aab', 1, '0x9f228a3a47add871ed527a99272d4dd382277413c8654136ed7f68e083b30b', '1180591620717411303424', 9, 3, 0, 'SUCCEEDED', 109, '0x2def04c7a86701f62161deb0035b1a95653cf9abadea1a7e92d712f4902402', 0, 1790000028000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 10, 'settled', '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 1, '0x3b33e8ae81f14aeb9a323008d6621d002ee7ac8c016fb27b44dffe79694090', '1180591620717411303424', 10, 2, 0, 'REVERTED', 110, '0x1b857ce7bb56dbe9e99da1d06d89012c6d28f3d0bea057b073f2837fc79b1', 0, 1790000031000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 11, 'settled', '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 2, '0xbb82c55a98c3ed01c9f8e94785c965d24fea555197a19a6547df5b5eb0374c', '1180591620717411303424', 11, 2, 0, 'SUCCEEDED', 111, '0xdd10c98cf34e676668f6a12260dd8d6efefb9f2a831a86bc44fc92a08ee53f', 0, 1790000034000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 12, 'settled', '0x534e5f4d41494e|0xa001|0xfc202c8439322e2faee44d87622132fd6e660682a4c4ce0ad45f6b3f10af', 1, '0x806b97a1ac2d844be7440789407a8a17845879aaccc4df7e6d3594ffdb3b7a', '1180591620717411303424', 12, 4, 0, 'SUCCEEDED', 112, '0xb8bb5b0798bb8237109473deb088e83f7821c1b3bdb0febc0e2682ededc5cb', 0, 1790000040000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 13, 'settled', null, null, '0x9bcb85d52afb7bfa61f6104554efe3ee4c4cb540d0ebc926d305586023a538', '1180591620717411303424', 13, 3, 0, 'SUCCEEDED', 113, '0xb6ea701a0da6fd36f38a117ca616085ab08adcd5123314c3a6bdaa6e92eb3d', 0, 1790000045000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 14, 'settled', null, null, '0x6d0274a7d3e47596e002f7c0744b4051771160fa6ecde87ed6fe1ca136a679', '1180591620717411303424', 14, 3, 0, 'SUCCEEDED', 114, '0xe658396d8d3eda08601e5a5513111ce6dad0855e7cf8a0b4263f43995c0e66', 0, 1790000050000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 15, 'settled', null, null, '0xf0e16', null, 15, 2, 1, 'SUCCEEDED', 115, '0xe11739761c100be2ce7f852c440302bbe693dde840c28e3d0b33704141726a', 0, 1790000053000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 16, 'open', '0x534e5f4d41494e|0xa001|0xa9ecd9bfb27353bc415250e6e9e5be0559dc5d701749bd590332f56be6a7', 1, null, null, 16, 3, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 17, 'settled', '0x534e5f4d41494e|0xa001|0xd477500d447a79bba2483216563fd01f75008700edf4de94929ed737c885', 1, '0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', '1180591620717411303424', 17, 4, 0, 'SUCCEEDED', 130, '0x1ce96a202cf2aa34349c62d69ea8e94f34c2e56a979032ffae9b4e284f2d39', 0, 1790000062000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 18, 'settled', null, null, '0xb179b44d1dfe41e73a16a4643bd2d68e31bdbf9fe69599941e56bd7210db16', '1180591620717411303424', 18, 3, 0, 'SUCCEEDED', 118, '0x8be4a803c122a36480c5a2d5747ee333e605fd719694381c6b5cfab3b69070', 1, 1790000066000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 19, 'settled', '0x534e5f4d41494e|0xa001|deposit|0x2bacf162233983f0c1f7a00ba8a7b82ad0fb9d7f5532d106e02dc8730a23', 1, '0xc6c1255eaaa435a45c90ba3c016172d1e41f5e8c5bd39e50fd8d026cc4f557', '1180591620717411303424', 19, 2, 0, 'SUCCEEDED', 119, '0x33f2d79187a0b12ae776687a64e26af0bc5e3f9848d41749a60375f6842e9', 0, 1790000069000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 20, 'settled', '0x534e5f4d41494e|0xa001|deploy|0', 1, '0x25750ecd657b2137c49e3657674960e688b3a3e7bf418e368bed537daa48fb', '1180591620717411303424', 20, 2, 0, 'REVERTED', 120, '0x44d1bc27f5b93882e9059fef0f9db0dad80ee4eb7ab03c43d7146c430ccd68', 0, 1790000072000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 21, 'open', '0x534e5f4d41494e|0xa001|0x387e893a7ee23d3a66ddd9a0d0eb4e1c2fdb1a5ce0afd7eeee3f3902e5c4', 1, null, null, 21, 1, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 22, 'open', '0x534e5f4d41494e|0xb002|0xcb423b5ec061ce90a7d75bdfa7b072b95527beb1534cb9a8821ef09430c6', 1, null, null, 22, 2, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 23, 'open', '0x534e5f4d41494e|0xa001|0xdf336f085046de6e7d8fc0c6072549994cf45a670a301c84a1803405286e', 1, null, null, 23, 2, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 24, 'open', null, null, null, null, 24, 2, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 25, 'open', null, null, null, null, 25, 2, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x1a2e01', 26, 'open', '0x534e5f4d41494e|0xa001|deposit|0xe5a8a7f9d342fddfa9f5b11b6e8b14ca2f26a35c72d3eaa63b68b5edd11b', 1, null, null, 26, 1, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x3ee9e4', 0, 'settled', '0x534e5f4d41494e|0xa001|deploy|64', 1, '0xc9765e263839cf57eb1fb1fcacb01fec06a4f7ef53d5b5f2080aa932cad00d', '1180591620717411303424', 0, 2, 0, 'SUCCEEDED', 135, '0xe8912d3efe4ac1711c0bb694d455fb2d9a34b78129f7d373ec4602774fa58c', 0, 1790000123000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x5a9e0', 0, 'settled', '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 1, '0xf7759328ddc53c585a99d716839d06c52782ab79e3161726ed44275d3a2c91', '1180591620717411303424', 0, 2, 0, 'REVERTED', 100, '0xc6cf7c6224e18387a54e46051bfc51fa6a61aa59bdc3dbb4117dd6c8335454', 0, 1790000102000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x5a9e0', 1, 'open', '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 2, null, null, 1, 1, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x5a9e0', 2, 'settled', '0x534e5f4d41494e|0xa001|0xd89857218e80f8f381c754cfd7cdfc6ddadfe60e6819acb3c24c327a0f98', 1, '0x3ba9b2c05795763d8938d4f12ea45b4429444fcb3ead6c13801e243e621f08', '1180591620717411303424', 2, 2, 0, 'REVERTED', 100, '0xc6cf7c6224e18387a54e46051bfc51fa6a61aa59bdc3dbb4117dd6c8335454', 0, 1790000107000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x5a9e0', 3, 'settled', '0x534e5f4d41494e|0xa001|0x4264db6b27a4327bfb388a39d1bbc436679d7a93e888a8c25c4aab2e02b8', 1, '0x40a31473270cae0dd92fce2e764fb6ba0b733d92eaedcb0ffc11cbf0357c0b', '1180591620717411303424', 3, 2, 0, 'SUCCEEDED', 120, '0x44d1bc27f5b93882e9059fef0f9db0dad80ee4eb7ab03c43d7146c430ccd68', 0, 1790000110000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x74ea5', 0, 'settled', '0x534e5f4d41494e|0xa001|deploy|96', 1, '0x9a8258bcd3cda4c8712326eae09e89e96ac3c8a744c75ef085cc616958e81a', '1180591620717411303424', 0, 2, 0, 'SUCCEEDED', 135, '0xe8912d3efe4ac1711c0bb694d455fb2d9a34b78129f7d373ec4602774fa58c', 0, 1790000128000, 0, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff02', 40, 'settled', null, null, null, null, 44, 1, 1, null, null, null, 0, 1790000132000, 1, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0x7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff02', 45, 'open', null, null, null, null, 45, 1, null, null, null, null, null, null, null, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0xa5c41', 5, 'settled', null, null, null, null, 6, 3, 1, null, null, null, 0, 1790000008000, 1, 1);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0xa5c41', 7, 'settled', '0x534e5f4d41494e|0xa001|0x53f4384f0eb91704e1e79c49409db8f92b7e38cbcf4e1cf63dfe01cc26d', 1, '0x3f40bc52964bc1de3624b77b61c3d36d32f86387e78ae29ed48e28f565f1a6', '1180591620717411303424', 7, 2, 0, 'SUCCEEDED', 107, '0x7cbec8b996232d07ae12c08d52572b5ed591f0adbf4146d91f1375e61862d7', 0, 1790000012000, 0, 1);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0xc1a70', 0, 'settled', '0x534e5f4d41494e|0xfa17|idle|0', 1, '0xfcac5219a4bdaf326d8caa83a0576925fd0fcfc0e66d45523935ab8f53f820', '1180591620717411303424', 0, 2, 0, 'SUCCEEDED', 91, '0xfbfe9e97cb4fff0270fc6a2c54ad2bf2c09dba285c9d3bba3f9233676db65d', 0, 1790000114000, 1, 0);
insert into "nonces" ("lane", "nonce", "state", "owner_key", "owner_attempt", "settled_by", "fee_fri", "through", "version", "is_foreign", "execution", "block_number", "block_hash", "disproves_refusal", "settled_at_ms", "is_final", "wiped") values ('0xc1a70', 1, 'settled', '0x534e5f4d41494e|0xfa17|idle|1', 1, '0xad097', '1180591620717411303424', 1, 3, 0, 'SUCCEEDED', 100, '0xc6cf7c6224e18387a54e46051bfc51fa6a61aa59bdc3dbb4117dd6c8335454', 0, 1790000117000, 0, 0);
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (3, '0x3f40bc52964bc1de3624b77b61c3d36d32f86387e78ae29ed48e28f565f1a6', '0xa5c41', 7, 'call', '0x534e5f4d41494e|0xa001|0x53f4384f0eb91704e1e79c49409db8f92b7e38cbcf4e1cf63dfe01cc26d', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000011000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (4, '0x4216309ad7d31d421a098c0a3f3ee36377f3d628053613a91cc9f1cd858312', '0x1a2e01', 7, 'call', '0x534e5f4d41494e|0xa001|0x24dc565ce89f382a8fcaf9c374269df7a00d47d780b47789b9b564a12a81', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000017000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (5, '0x543cca94bbe0b8408beca16b0dfeb7b45757b13acfeaadac310ade7b1af5eb', '0x1a2e01', 8, 'call', '0x534e5f4d41494e|0xa001|0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000022000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (6, '0xcd5079f08ead6caf09c96511a13b1354fc7efb99beb51d9c4b483fcd3252e0', '0x1a2e01', 9, 'call', '0x534e5f4d41494e|0xa001|0xfd4ee86ea6980be8ac50497f5740eee8d1f3b62ded54ad95a81691225aab', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000026000, null, null, null, 'lost', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (7, '0x9f228a3a47add871ed527a99272d4dd382277413c8654136ed7f68e083b30b', '0x1a2e01', 9, 'call', '0x534e5f4d41494e|0xa001|0xfd4ee86ea6980be8ac50497f5740eee8d1f3b62ded54ad95a81691225aab', 1, 1, '1200000000', '30000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000027000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (8, '0x3b33e8ae81f14aeb9a323008d6621d002ee7ac8c016fb27b44dffe79694090', '0x1a2e01', 10, 'call', '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000030000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (9, '0xbb82c55a98c3ed01c9f8e94785c965d24fea555197a19a6547df5b5eb0374c', '0x1a2e01', 11, 'call', '0x534e5f4d41494e|0xa001|0xe1af6d8941779fd3ce6ca68c250c672093de8a5b12a66709150722ce4b40', 2, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000033000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (10, '0x3ce8d7e6f568c072e2a97346d8008d52a76f9b3eb5c76e9827435ca1c74fe9', '0x1a2e01', 12, 'call', '0x534e5f4d41494e|0xa001|0x8d8fc02f75467d3de0ae7bc40fb2783e67dd70650e298a32b0cbc41f423f', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000036000, 'NODE_CODE', null, null, 'refused', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (11, '0x806b97a1ac2d844be7440789407a8a17845879aaccc4df7e6d3594ffdb3b7a', '0x1a2e01', 12, 'call', '0x534e5f4d41494e|0xa001|0xfc202c8439322e2faee44d87622132fd6e660682a4c4ce0ad45f6b3f10af', 1, 1, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000039000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (12, '0x5a81a45f35d67a4bc021588a8574c952063dd7638d7d45f9bf15946af8292', '0x1a2e01', 13, 'call', '0x534e5f4d41494e|0xa001|0x19a55b4369bf693f4a18247f84610d728835a26794393fe95a6f86e8d171', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000043000, null, null, null, 'lost', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (13, '0x9bcb85d52afb7bfa61f6104554efe3ee4c4cb540d0ebc926d305586023a538', '0x1a2e01', 13, 'noop', null, null, 1, '1200000000', '30000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000044000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (14, '0x4de8c20f68f75ced80f0afb8677396390ad2d22ad72f30f2dd6070b38966d8', '0x1a2e01', 14, 'call', '0x534e5f4d41494e|0xa001|0xff55bb1ece6fc438078bb3e96292b673fdcc9e539431d6e19219277d385e', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000048000, null, null, null, 'lost', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (15, '0x6d0274a7d3e47596e002f7c0744b4051771160fa6ecde87ed6fe1ca136a679', '0x1a2e01', 14, 'noop', null, null, 1, '1200000000', '30000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000049000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (16, '0x8fa1b8c6c7cfe56011b1eae7e6b4a5cff1df9c745236b4cfaecba7faaee915', '0x1a2e01', 15, 'call', '0x534e5f4d41494e|0xa001|0x6012a9d2c44cf2656d67dfe37f3407561b4a6991ad20a8cd495e337acd0', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000052000, null, null, null, 'lost', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (17, '0x2206586eaf408b64f71b45185cf82af6d2706c4246baa1f19ca2e9cf75cf4d', '0x1a2e01', 16, 'call', '0x534e5f4d41494e|0xa001|0xa9ecd9bfb27353bc415250e6e9e5be0559dc5d701749bd590332f56be6a7', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 2, 1, 1790000055000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (18, '0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', '0x1a2e01', 17, 'call', '0x534e5f4d41494e|0xa001|0xd477500d447a79bba2483216563fd01f75008700edf4de94929ed737c885', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 2, 1, 1790000059000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (19, '0xb179b44d1dfe41e73a16a4643bd2d68e31bdbf9fe69599941e56bd7210db16', '0x1a2e01', 18, 'call', '0x534e5f4d41494e|0xa001|0x96c7f9e342a111f5cecb192e2a6f9bdb229581a5951f441cff3f96234161', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000064000, 'NODE_CODE', null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (20, '0xc6c1255eaaa435a45c90ba3c016172d1e41f5e8c5bd39e50fd8d026cc4f557', '0x1a2e01', 19, 'call', '0x534e5f4d41494e|0xa001|deposit|0x2bacf162233983f0c1f7a00ba8a7b82ad0fb9d7f5532d106e02dc8730a23', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000068000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (21, '0x25750ecd657b2137c49e3657674960e688b3a3e7bf418e368bed537daa48fb', '0x1a2e01', 20, 'call', '0x534e5f4d41494e|0xa001|deploy|0', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000071000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (22, '0x4622866cdf47c31366c37f55f60430b54b2bfd2678fcf2fecee9d5978f741b', '0x1a2e01', 21, 'call', '0x534e5f4d41494e|0xa001|0x387e893a7ee23d3a66ddd9a0d0eb4e1c2fdb1a5ce0afd7eeee3f3902e5c4', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000074000, null, 'SUCCEEDED', null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (23, '0xea8e1a911979cba169aa30c0c5772d9d1e1ef093f90720e6ca83b7b1604812', '0x1a2e01', 22, 'call', '0x534e5f4d41494e|0xb002|0xcb423b5ec061ce90a7d75bdfa7b072b95527beb1534cb9a8821ef09430c6', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 2, 1, 1790000078000, null, null, null, null, null);
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (24, '0x12194ae04b12969a77e03360cce7cfc3e5e761f8039d086938ddc2c3aad1cb', '0x1a2e01', 22, 'call', '0x534e5f4d41494e|0xb002|0xcb423b5ec061ce90a7d75bdfa7b072b95527beb1534cb9a8821ef09430c6', 1, 1, '1200000000', '30000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000079000, null, 'REVERTED', 'later', null, null);
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (25, '0xb4c3a456e22e2e184d25d3f6bdf0cdecf5aab0dc8bf5add37b036aae5a6f4a', '0x1a2e01', 23, 'call', '0x534e5f4d41494e|0xa001|0xdf336f085046de6e7d8fc0c6072549994cf45a670a301c84a1803405286e', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000082000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (26, '0x715ae793d90aa34b25d64178f81cd3e070cfaa5d1a55301f64447e43532f95', '0x1a2e01', 23, 'noop', null, null, 1, '1200000000', '30000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000083000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (27, '0xf7fb8a5c39f3d49630702d38566087ae282aea66e52e04317daa7164df68fe', '0x1a2e01', 24, 'call', '0x534e5f4d41494e|0xa001|0x61098762bc844eeccdf0af50b518ecff0b5e27896a5efd6cd715f6a80e38', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000085000, 'NODE_CODE', null, null, 'refused', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (28, '0x6ea55bdf4e46172b5a5a6bc6fb0ca2da5d07ceebc078fda78ef706fb3d8486', '0x1a2e01', 25, 'call', '0x534e5f4d41494e|0xa001|0xf956fb16efbbc3aa1cc5488d6f79f8742195f1d26ce6193f5a9ddfb86c4b', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000088000, 'NODE_CODE', null, null, 'refused', 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (29, '0x9f55d357e3190690d90e272eae0e6db0472c9dfe91627c67d6066943e4d4ad', '0x1a2e01', 26, 'call', '0x534e5f4d41494e|0xa001|deposit|0xe5a8a7f9d342fddfa9f5b11b6e8b14ca2f26a35c72d3eaa63b68b5edd11b', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000091000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (30, '0xf7759328ddc53c585a99d716839d06c52782ab79e3161726ed44275d3a2c91', '0x5a9e0', 0, 'call', '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000101000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (31, '0x4c42c60f1471499af1fa8c3e658bf4330de031493a95d3373740f8da1ada4a', '0x5a9e0', 1, 'call', '0x534e5f4d41494e|0xa001|0xa4d325839e9b1bca405cbebad24504fcb32133f83616bda246eaa8b44d53', 2, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000104000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (32, '0x3ba9b2c05795763d8938d4f12ea45b4429444fcb3ead6c13801e243e621f08', '0x5a9e0', 2, 'call', '0x534e5f4d41494e|0xa001|0xd89857218e80f8f381c754cfd7cdfc6ddadfe60e6819acb3c24c327a0f98', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000106000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (33, '0x40a31473270cae0dd92fce2e764fb6ba0b733d92eaedcb0ffc11cbf0357c0b', '0x5a9e0', 3, 'call', '0x534e5f4d41494e|0xa001|0x4264db6b27a4327bfb388a39d1bbc436679d7a93e888a8c25c4aab2e02b8', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000109000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (34, '0xfcac5219a4bdaf326d8caa83a0576925fd0fcfc0e66d45523935ab8f53f820', '0xc1a70', 0, 'call', '0x534e5f4d41494e|0xfa17|idle|0', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000113000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (35, '0xad097', '0xc1a70', 1, 'call', '0x534e5f4d41494e|0xfa17|idle|1', 1, 0, '0', '0', '0', '0', '0', '0', '0', 2, 1, 1790000118000, null, null, null, null, null);
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (36, '0xc9765e263839cf57eb1fb1fcacb01fec06a4f7ef53d5b5f2080aa932cad00d', '0x3ee9e4', 0, 'call', '0x534e5f4d41494e|0xa001|deploy|64', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000122000, null, null, null, null, 'node-0');
insert into "transactions" ("seq", "hash", "lane", "nonce", "kind", "attempt_key", "attempt_number", "price_step", "l2_max_amount", "l2_max_price_fri", "l1_max_amount", "l1_max_price_fri", "l1_data_max_amount", "l1_data_max_price_fri", "tip_fri", "claims", "claim_fence", "claimed_at_ms", "refusal_code", "seen_execution", "seen_revert_reason", "gone", "claim_node") overriding system value values (37, '0x9a8258bcd3cda4c8712326eae09e89e96ac3c8a744c75ef085cc616958e81a', '0x74ea5', 0, 'call', '0x534e5f4d41494e|0xa001|deploy|96', 1, 0, '1200000000', '24000000000', '256', '1237940039285380274899124224', '20480', '1', '0', 1, 1, 1790000127000, null, null, null, null, 'node-0');
insert into "calldata" ("submission_id", "words") values ('golden-accepted-1', '\x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000008000c160a6299c5438070b1aa737b14fc2992ed49579c14264884886a5876f971');
insert into "calldata" ("submission_id", "words") values ('golden-batch-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000500b24efc9641afc5ded1ca77eabb6e2fcf062d2112ccd61bd8bd6acd89180bae');
insert into "calldata" ("submission_id", "words") values ('golden-batch-waits-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000b00b02d1d2bf2e14679feb437377848f6d560ef37a6b631b09ee6c1d3dc9577bc');
insert into "calldata" ("submission_id", "words") values ('golden-being-cancelled-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000f00fbd6efda93ce929d8de938df2a1f9e6bf796af271faaabb97c11a798586528');
insert into "calldata" ("submission_id", "words") values ('golden-came-back-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000900fd093c953b2185d41a9d293b381160a66c10f10120aaf53e68b474364c4e95');
insert into "calldata" ("submission_id", "words") values ('golden-deposit-waits-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000d0047201604d85ab2c1e72d0f95526e5e581b924811a2e169bbb3bb0f2d2d5c81');
insert into "calldata" ("submission_id", "words") values ('golden-deposited-1', '\x000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000090052d7f69010dc6094799902260070af2e52b1af64ae1f49cb1ee38f031b7b24');
insert into "calldata" ("submission_id", "words") values ('golden-depositing-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000a00cc14b61c90e265fd2fa722a489116c6c7cafcca0e5d95977574cd75ff812f7');
insert into "calldata" ("submission_id", "words") values ('golden-expired-1', '\x000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000070064ea1e82e1206f828ab2a02917c7e92accb98e3b95881a1b4ad52b914b66e3');
insert into "calldata" ("submission_id", "words") values ('golden-foreign-took-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000c00b9e8617735eb76206af9d0b56c689e82e90d6219242205df67a8369f562aa2');
insert into "calldata" ("submission_id", "words") values ('golden-freed-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000500bd3a5913e5a3450179eeceffa8d6fcd8fabad9ced7656901520e7ba410e430');
insert into "calldata" ("submission_id", "words") values ('golden-idle-0-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000600d72484dae2d629f105241f07eb72221930c4a92f043af50e7d0bb65bccd17b');
insert into "calldata" ("submission_id", "words") values ('golden-idle-2-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000600667d0a87a365f679bd554304bb7c13b66b1a85499cd52f9190a7a839c81158');
insert into "calldata" ("submission_id", "words") values ('golden-keeper-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000600aa8942525b763cbe72e4a0fbfbb027b909dd8299e9c6c85c28d3d42d2cc28b');
insert into "calldata" ("submission_id", "words") values ('golden-keeper-waits-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000c0011d0db37d7a2d2aeb77393ab6e2fb074cffb834a33af02eee9e1e1a186a900');
insert into "calldata" ("submission_id", "words") values ('golden-not-sent-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000800a85b99b7ddcbb2e3f4c1f9bb2904574421b47e02460e589905298ccc7f1aa4');
insert into "calldata" ("submission_id", "words") values ('golden-outbid-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000600f42b039658026bfb3dd1407624489def21e2feafc641dda0a67490901453fd');
insert into "calldata" ("submission_id", "words") values ('golden-refusal-disproved-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000001100a3ed63fa56a4475b38c1b87fa126f30c3aecaed0f0ee54161c0c9bb0284163');
insert into "calldata" ("submission_id", "words") values ('golden-refused-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000700c874d33e8bff73caaa762c79cd1ed101d727c7f20fe4972c67e67978292f23');
insert into "calldata" ("submission_id", "words") values ('golden-refused-2', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000700c874d33e8bff73caaa762c79cd1ed101d727c7f20fe4972c67e67978292f23');
insert into "calldata" ("submission_id", "words") values ('golden-replaced-1', '\x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000008001aa50442a93e42c0eb2907cf4e017cd19547891fa190f3ea473582b0479290');
insert into "calldata" ("submission_id", "words") values ('golden-reuses-1', '\x000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000060068244ee594660b955b0ae715aa390face76be72d677ad5cb6c30667ebc0c5d');
insert into "calldata" ("submission_id", "words") values ('golden-reverted-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000800673fd4b03c1982bc12607e0a3a49db6072d04974709655299e556f3647b36e');
insert into "calldata" ("submission_id", "words") values ('golden-reverted-2', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000a00a14e027d00f6cb0c1c48dab67f190acc0d91f292072c05f8841cd5b848f5eb');
insert into "calldata" ("submission_id", "words") values ('golden-seen-1', '\x000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000040008794c984ea1c75d13877c7427336fe98722c41a056eeee4f37360ec367123');
insert into "calldata" ("submission_id", "words") values ('golden-succeeded-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000900ceaeceb6d8a49d3665594710ace68dfbc1800e2d663d7febb302b4dbee3d27');
insert into "calldata" ("submission_id", "words") values ('golden-swap-1', '\x000000000000000000000000000000000000000000000000000000000000000300000000000000000000000000000000000000000000000000000000000000040047c2f450a4f9d538d86d600d55149afd39d6672fdd1f30c68ad5be21cadad8');
insert into "calldata" ("submission_id", "words") values ('golden-swap-2', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000600673f72983a0be21c56655a202f1124dab82d2c744926a434740e6e4e7540a0');
insert into "calldata" ("submission_id", "words") values ('golden-swap-done-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000900144ec63311776dc41cd7c28e1ab6917fc7fd3aac71b07bce5d30a8653db469');
insert into "calldata" ("submission_id", "words") values ('golden-swap-over-1', '\x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000009008b748f22e457a0b152ced6fbd0a2565b1d41d920527348eb444502036a914f');
insert into "calldata" ("submission_id", "words") values ('golden-too-cheap-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000900807a83de317317f1e4cd5e38297accef1110a0f96f81730615272257431493');
insert into "calldata" ("submission_id", "words") values ('golden-treasury-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000800fa9f9d3186b9c13a66b004fc8bb5f3359c4deb17197266895fb8d3c67c3b17');
insert into "calldata" ("submission_id", "words") values ('golden-treasury-waits-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000e004873a9cc7e0645f778e07b0b564b1821c2e76e00346e389617aff7f9f4acd8');
insert into "calldata" ("submission_id", "words") values ('golden-undone-1', '\x00000000000000000000000000000000000000000000000000000000000000030000000000000000000000000000000000000000000000000000000000000006004391f62a35045ae3bfd5de07cf26b861037175e9a415957c521f26d3fd2401');
insert into "calldata" ("submission_id", "words") values ('golden-undone-and-landed-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000001100fa26e319da756cc8bb4009ce2ad78a16bffd705f1453b8f08ebbf3252d79e9');
insert into "calldata" ("submission_id", "words") values ('golden-unwanted-1', '\x0000000000000000000000000000000000000000000000000000000000000003000000000000000000000000000000000000000000000000000000000000000800b0a2f0971b8100357344c496ce4cca0156f7c664106bba8b606694c0e3317a');
insert into "signed_bytes" ("hash", "bytes") values ('0x12194ae04b12969a77e03360cce7cfc3e5e761f8039d086938ddc2c3aad1cb', '\x7369676e6564206279746573206f66206f7574626964206174203330303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x2206586eaf408b64f71b45185cf82af6d2706c4246baa1f19ca2e9cf75cf4d', '\x7369676e6564206279746573206f6620756e646f6e65206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x25750ecd657b2137c49e3657674960e688b3a3e7bf418e368bed537daa48fb', '\x7369676e6564206279746573206f66206261746368206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x3b33e8ae81f14aeb9a323008d6621d002ee7ac8c016fb27b44dffe79694090', '\x7369676e6564206279746573206f66207265766572746564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x3ba9b2c05795763d8938d4f12ea45b4429444fcb3ead6c13801e243e621f08', '\x7369676e6564206279746573206f6620737761702d6f766572206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x3ce8d7e6f568c072e2a97346d8008d52a76f9b3eb5c76e9827435ca1c74fe9', '\x7369676e6564206279746573206f662072656675736564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x40a31473270cae0dd92fce2e764fb6ba0b733d92eaedcb0ffc11cbf0357c0b', '\x7369676e6564206279746573206f6620737761702d646f6e65206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x4622866cdf47c31366c37f55f60430b54b2bfd2678fcf2fecee9d5978f741b', '\x7369676e6564206279746573206f66207365656e206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x4c42c60f1471499af1fa8c3e658bf4330de031493a95d3373740f8da1ada4a', '\x7369676e6564206279746573206f6620737761702032206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x4de8c20f68f75ced80f0afb8677396390ad2d22ad72f30f2dd6070b38966d8', '\x7369676e6564206279746573206f662063616d652d6261636b206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x543cca94bbe0b8408beca16b0dfeb7b45757b13acfeaadac310ade7b1af5eb', '\x7369676e6564206279746573206f6620737563636565646564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x5a81a45f35d67a4bc021588a8574c952063dd7638d7d45f9bf15946af8292', '\x7369676e6564206279746573206f662065787069726564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x6d0274a7d3e47596e002f7c0744b4051771160fa6ecde87ed6fe1ca136a679', '\x7369676e6564206279746573206f66206e6f2d6f7020666f722063616d652d6261636b206174203330303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x6ea55bdf4e46172b5a5a6bc6fb0ca2da5d07ceebc078fda78ef706fb3d8486', '\x7369676e6564206279746573206f66206672656564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x715ae793d90aa34b25d64178f81cd3e070cfaa5d1a55301f64447e43532f95', '\x7369676e6564206279746573206f66206e6f2d6f7020666f72206265696e672d63616e63656c6c6564206174203330303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x806b97a1ac2d844be7440789407a8a17845879aaccc4df7e6d3594ffdb3b7a', '\x7369676e6564206279746573206f6620726575736573206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x8fa1b8c6c7cfe56011b1eae7e6b4a5cff1df9c745236b4cfaecba7faaee915', '\x7369676e6564206279746573206f6620666f726569676e2d746f6f6b206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x9a8258bcd3cda4c8712326eae09e89e96ac3c8a744c75ef085cc616958e81a', '\x7369676e6564206279746573206f66207472656173757279206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x9bcb85d52afb7bfa61f6104554efe3ee4c4cb540d0ebc926d305586023a538', '\x7369676e6564206279746573206f66206e6f2d6f7020666f722065787069726564206174203330303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', '\x7369676e6564206279746573206f6620756e646f6e652d616e642d6c616e646564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x9f228a3a47add871ed527a99272d4dd382277413c8654136ed7f68e083b30b', '\x7369676e6564206279746573206f66207265706c61636564206174203330303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0x9f55d357e3190690d90e272eae0e6db0472c9dfe91627c67d6066943e4d4ad', '\x7369676e6564206279746573206f66206465706f736974696e67206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xb179b44d1dfe41e73a16a4643bd2d68e31bdbf9fe69599941e56bd7210db16', '\x7369676e6564206279746573206f66207265667573616c2d64697370726f766564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xb4c3a456e22e2e184d25d3f6bdf0cdecf5aab0dc8bf5add37b036aae5a6f4a', '\x7369676e6564206279746573206f66206265696e672d63616e63656c6c6564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xbb82c55a98c3ed01c9f8e94785c965d24fea555197a19a6547df5b5eb0374c', '\x7369676e6564206279746573206f662072657665727465642032206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xc6c1255eaaa435a45c90ba3c016172d1e41f5e8c5bd39e50fd8d026cc4f557', '\x7369676e6564206279746573206f66206465706f7369746564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xc9765e263839cf57eb1fb1fcacb01fec06a4f7ef53d5b5f2080aa932cad00d', '\x7369676e6564206279746573206f66206b6565706572206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xcd5079f08ead6caf09c96511a13b1354fc7efb99beb51d9c4b483fcd3252e0', '\x7369676e6564206279746573206f66207265706c61636564206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xea8e1a911979cba169aa30c0c5772d9d1e1ef093f90720e6ca83b7b1604812', '\x7369676e6564206279746573206f66206f7574626964206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xf7759328ddc53c585a99d716839d06c52782ab79e3161726ed44275d3a2c91', '\x7369676e6564206279746573206f662073776170206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xf7fb8a5c39f3d49630702d38566087ae282aea66e52e04317daa7164df68fe', '\x7369676e6564206279746573206f6620746f6f2d6368656170206174203234303030303030303030');
insert into "signed_bytes" ("hash", "bytes") values ('0xfcac5219a4bdaf326d8caa83a0576925fd0fcfc0e66d45523935ab8f53f820', '\x7369676e6564206279746573206f662069646c652030206174203234303030303030303030');
insert into "quotes" ("id", "chain_id", "pool", "relayer", "fee_amount", "expires_at_ms", "served_key", "operation", "leaf_index") values ('golden-quote-open', '0x534e5f4d41494e', '0xa001', '0x1a2e01', '36893488147419103232', 1790000197000, null, 'withdraw', null);
insert into "quotes" ("id", "chain_id", "pool", "relayer", "fee_amount", "expires_at_ms", "served_key", "operation", "leaf_index") values ('golden-quote-over', '0x534e5f4d41494e', '0xa001', '0x1a2e01', '36893488147419103232', 1790000000001, null, 'withdraw', null);
insert into "quotes" ("id", "chain_id", "pool", "relayer", "fee_amount", "expires_at_ms", "served_key", "operation", "leaf_index") values ('golden-quote-served', '0x534e5f4d41494e', '0xa001', '0x1a2e01', '26', 1790000197000, '0x534e5f4d41494e|0xa001|0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 'withdraw', null);
insert into "quotes" ("id", "chain_id", "pool", "relayer", "fee_amount", "expires_at_ms", "served_key", "operation", "leaf_index") values ('golden-quote-swap', '0x534e5f4d41494e', '0xa001', '0x1a2e01', '36893488147419103232', 1790000197000, null, 'private_swap', 17);
insert into "transfers" ("transaction_id", "changed_at_ms", "next", "refunded", "deposit_detected_at", "swap_source_token_at", "bridge_to_destination_at", "swap_destination_token_at", "send_to_recipient_at", "deposit_detected_tx", "swap_source_token_tx", "bridge_to_destination_tx", "swap_destination_token_tx", "send_to_recipient_tx", "output_amount") values ('golden-done', 1790000137000, 'pending', 0, 1790000000, 1790000010, 1790000010, 1790000100, 1790000200, null, null, null, null, null, '0.015');
insert into "transfers" ("transaction_id", "changed_at_ms", "next", "refunded", "deposit_detected_at", "swap_source_token_at", "bridge_to_destination_at", "swap_destination_token_at", "send_to_recipient_at", "deposit_detected_tx", "swap_source_token_tx", "bridge_to_destination_tx", "swap_destination_token_tx", "send_to_recipient_tx", "output_amount") values ('golden-failed', 1790000137000, 'failed', 0, 1790000000, null, null, null, null, null, null, null, null, null, null);
insert into "transfers" ("transaction_id", "changed_at_ms", "next", "refunded", "deposit_detected_at", "swap_source_token_at", "bridge_to_destination_at", "swap_destination_token_at", "send_to_recipient_at", "deposit_detected_tx", "swap_source_token_tx", "bridge_to_destination_tx", "swap_destination_token_tx", "send_to_recipient_tx", "output_amount") values ('golden-refunded', 1790000137000, 'failed', 1, 1790000000, 1790000010, 1790000010, null, null, null, null, null, null, null, null);
insert into "transfers" ("transaction_id", "changed_at_ms", "next", "refunded", "deposit_detected_at", "swap_source_token_at", "bridge_to_destination_at", "swap_destination_token_at", "send_to_recipient_at", "deposit_detected_tx", "swap_source_token_tx", "bridge_to_destination_tx", "swap_destination_token_tx", "send_to_recipient_tx", "output_amount") values ('golden-under-way', 1790000137000, 'processing', 0, 1790000000, 1790000010, null, null, null, '0xdeb0', null, null, null, null, null);
insert into "transfers" ("transaction_id", "changed_at_ms", "next", "refunded", "deposit_detected_at", "swap_source_token_at", "bridge_to_destination_at", "swap_destination_token_at", "send_to_recipient_at", "deposit_detected_tx", "swap_source_token_tx", "bridge_to_destination_tx", "swap_destination_token_tx", "send_to_recipient_tx", "output_amount") values ('golden-unseen', 1790000137000, 'pending', 0, null, null, null, null, null, null, null, null, null, null, null);
insert into "pool_controls" ("pool", "paused_at_ms", "pause_reason", "resumed_at_ms", "upstream_failures", "upstream_failed_at_ms") values ('0x5a9', null, null, 0, 2, 1790000140000);
insert into "pool_controls" ("pool", "paused_at_ms", "pause_reason", "resumed_at_ms", "upstream_failures", "upstream_failed_at_ms") values ('0xa001', 1790000137000, 'the operator''s hand', 0, 1, 1790000138000);
insert into "pool_controls" ("pool", "paused_at_ms", "pause_reason", "resumed_at_ms", "upstream_failures", "upstream_failed_at_ms") values ('0xb002', null, null, 1790000139000, 0, 0);
insert into "claims" ("name", "holder", "since_ms") values ('commitment|6a19f0fb4be54511524bcd5b0c98b38da1ee049a39735c39311e10336024436f', '0x534e5f4d41494e|0xa001|0xcbf7b69fb0d8eb604105aea84f1a275a67cb7c9788cadedbeb833268250d', 1790000137000);
insert into "claims" ("name", "holder", "since_ms") values ('trial|0xb002|withdrawal|reverts|1790000000000', 'golden-second-holder', 1790000141000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x40a31473270cae0dd92fce2e764fb6ba0b733d92eaedcb0ffc11cbf0357c0b', '0xa001', 'private_swap', 900000000, 128, 1790000110000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x4216309ad7d31d421a098c0a3f3ee36377f3d628053613a91cc9f1cd858312', '0xa001', 'withdraw', 900000001, 128, 1790000018000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x543cca94bbe0b8408beca16b0dfeb7b45757b13acfeaadac310ade7b1af5eb', '0xa001', 'withdraw', 900000002, 128, 1790000023000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x5e00f203f86c5b8be9abb2dac32d7f505b42a8949089c41b84ec5f35049b2c', '0xa001', 'withdraw', 900000003, 128, 1790000004000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x806b97a1ac2d844be7440789407a8a17845879aaccc4df7e6d3594ffdb3b7a', '0xa001', 'withdraw', 900000004, 128, 1790000040000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x9ca8390fd92993bfe36e400b93cfaec2fec4a009256a6381818395500fc7db', '0xa001', 'withdraw', 900000005, 128, 1790000062000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0x9f228a3a47add871ed527a99272d4dd382277413c8654136ed7f68e083b30b', '0xa001', 'withdraw', 900000006, 128, 1790000028000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0xb09f6091b9053aec4d6684259d06235950f04d780904a32a1018b7c81aff5c', '0xa001', 'withdraw', 900000007, 128, 1790000008000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0xb179b44d1dfe41e73a16a4643bd2d68e31bdbf9fe69599941e56bd7210db16', '0xa001', 'withdraw', 900000008, 128, 1790000066000);
insert into "gas_uses" ("transaction_hash", "pool", "operation", "l2_gas", "l1_data_gas", "ended_at_ms") values ('0xbb82c55a98c3ed01c9f8e94785c965d24fea555197a19a6547df5b5eb0374c', '0xa001', 'withdraw', 900000009, 128, 1790000034000);
insert into "swap_pins" ("note", "new_commitment", "output_token", "floor") values ('421be654620b02719602a5e767c7d82a3fcc52360adc8c5436f045eedb024cf0', '0x51c8e3e0f72b188eda45b5294a6ea16c8c3a0ea02dc69bb4ce97cf76ed12', '0x37b', '1267650600228229401496703205376');
insert into "swap_owners" ("address", "read_up_to") values ('0x5a9e0', 3);
insert into "swap_verdicts" ("attempt_id", "verdict", "decided_at_ms") values ('golden-swap-1', 'again', 1790000102000);
insert into "swap_verdicts" ("attempt_id", "verdict", "decided_at_ms") values ('golden-swap-over-1', 'over', 1790000107000);
insert into "task_leases" ("task", "holder", "held_at_ms", "until_ms") values ('batches', 'instance-a', 1790000129000, 1790003729000);
insert into "task_leases" ("task", "holder", "held_at_ms", "until_ms") values ('purchases', 'instance-b', 1790000129000, 1790000130000);
insert into "task_controls" ("task", "subject", "paused_at_ms", "pause_reason", "resumed_at_ms") values ('batches', '0xa001', null, null, 1790000129000);
insert into "task_controls" ("task", "subject", "paused_at_ms", "pause_reason", "resumed_at_ms") values ('purchases', '', 1790000129000, 'the operator''s hand', 0);
insert into "task_looks" ("task", "subject", "at_ms", "reason", "due_at_ms", "submission_id", "details", "acted_at_ms", "acted_submission_id", "since_ms") values ('batches', '0xa001', 1790000130000, 'NOT_DUE', 1790000190000, null, '{"sats":"123","isWhole":true}', 1790000129000, 'golden-keeper-1', 1790000130000);
insert into "task_looks" ("task", "subject", "at_ms", "reason", "due_at_ms", "submission_id", "details", "acted_at_ms", "acted_submission_id", "since_ms") values ('purchases', '7', 1790000130000, 'NO_QUOTES', null, null, '{"sats":"123","isWhole":true}', null, null, 1790000129500);
insert into "purchase_progress" ("contract", "next_block", "safe_number", "safe_hash") values ('0xdca', 140, 139, '0x5afe');
insert into "purchase_orders" ("contract", "order_id", "has_ended") values ('0xdca', '00000000000000000001', 1);
insert into "purchase_orders" ("contract", "order_id", "has_ended") values ('0xdca', '00000000000000000002', 0);
insert into "purchase_orders" ("contract", "order_id", "has_ended") values ('0xdca', '09223372036854775808', 0);
insert into "daily_closes" ("day", "source", "usd_e8") values (20600, 'one', '9500000000000');
insert into "daily_closes" ("day", "source", "usd_e8") values (20600, 'other', '9500100000000');
insert into "daily_closes" ("day", "source", "usd_e8") values (20601, 'one', '9600000000000');
insert into "leverage_targets" ("vault", "target_bps", "set_at_ms") values ('0xfa17', 25000, 1790000130000);
insert into "operator_actions" ("id", "at_ms", "holder", "action", "subject", "reason", "outcome") overriding system value values (1, 1790000137000, 'ops', 'submission.retry', 'golden-refused-1', 'asked by "support"
', 'DONE');
insert into "operator_actions" ("id", "at_ms", "holder", "action", "subject", "reason", "outcome") overriding system value values (2, 1790000138000, 'ops', 'lane.pause', '0x3e7', null, null);
insert into "webhook_deliveries" ("id", "kind", "subject", "component", "endpoint", "slot", "version", "sequence", "delivered_state", "wanted_state", "wanted_since_ms", "failures", "due_at_ms", "added_at_ms") values ('golden-delivery-POOL_PAUSED-pager', 'alert', 'POOL_PAUSED', '0xa001', 'pager', 0, 1, 0, null, null, null, 0, 1790000138000, 1790000138000);
insert into "webhook_deliveries" ("id", "kind", "subject", "component", "endpoint", "slot", "version", "sequence", "delivered_state", "wanted_state", "wanted_since_ms", "failures", "due_at_ms", "added_at_ms") values ('golden-delivery-golden-seen-1-books', 'submission', 'golden-seen-1', '', 'books', 1, 1, 0, null, null, null, 0, 1790000138000, 1790000138000);
insert into "webhook_deliveries" ("id", "kind", "subject", "component", "endpoint", "slot", "version", "sequence", "delivered_state", "wanted_state", "wanted_since_ms", "failures", "due_at_ms", "added_at_ms") values ('golden-delivery-golden-seen-1-wallet', 'submission', 'golden-seen-1', '', 'wallet', 0, 4, 1, null, 'broadcast', 1790000138000, 1, 1790000158000, 1790000138000);
insert into "webhook_deliveries" ("id", "kind", "subject", "component", "endpoint", "slot", "version", "sequence", "delivered_state", "wanted_state", "wanted_since_ms", "failures", "due_at_ms", "added_at_ms") values ('golden-delivery-golden-succeeded-1-wallet', 'submission', 'golden-succeeded-1', '', 'wallet', 0, 4, 1, 'succeeded', null, null, 0, 1790000198000, 1790000138000);
insert into "webhook_alerts" ("code", "component", "instance", "since_ms", "seen_at_ms") values ('LANES_PAUSED', '', 'instance-b', 1790000143000, 1790000143000);
insert into "webhook_alerts" ("code", "component", "instance", "since_ms", "seen_at_ms") values ('POOL_PAUSED', '0xa001', 'instance-a', 1790000138000, 1790000138000);
insert into "webhook_alerts" ("code", "component", "instance", "since_ms", "seen_at_ms") values ('POOL_PAUSED', '0xa001', 'instance-b', 1790000141000, 1790000143000);
insert into "canary" ("id", "writes") values (1, 1);
insert into "migration_hashes" ("name", "sha256") values ('0001_submission_machine', '63ad811cdc8db5d48555e33cc01d8d44162120afa2b937e99194771465044348');
insert into "migration_hashes" ("name", "sha256") values ('0002_quotes', '2bf6451560164c55fb281f632486a559fe02dd91b173c8d989c1589d7fad8157');
insert into "migration_hashes" ("name", "sha256") values ('0003_transfers', 'c97d2212c7f668a3ececcdc9b4401cccedb23c250408082b5ad68237a9ad822d');
insert into "migration_hashes" ("name", "sha256") values ('0004_money', 'fa10a3567b611da8bc57f9ed55430cb45990259cfa92e5043a4c0aacd5ea676c');
insert into "migration_hashes" ("name", "sha256") values ('0005_settlements', 'c02a192e07aa99a582d6e4726c9820da12143927d560a3305f069d98bc3b6488');
insert into "migration_hashes" ("name", "sha256") values ('0006_transfer_output', '67e4a8836acccfaa5139d4fa8267641c519346d78c243e90b1b1eae4ff9263f0');
insert into "migration_hashes" ("name", "sha256") values ('0007_gas', '84ce7233099d9c2f795e9df877e6cb2bc9873992ec42678c5059cfa462227cec');
insert into "migration_hashes" ("name", "sha256") values ('0008_swap_pins', '844e0b9eb04d479acbddb8aa9215a96c7d8446c71621a49a321927f613e8e046');
insert into "migration_hashes" ("name", "sha256") values ('0009_quote_uses', 'b4978b3f991af2e3b0b13a80ac700426c3cbf8a9bb69893346eb1c40b8510ffa');
insert into "migration_hashes" ("name", "sha256") values ('0010_swap_verdicts', '7a152de9bcf05db17566a754516da1cde29dc0d929325d356ab1be064b121e83');
insert into "migration_hashes" ("name", "sha256") values ('0011_migration_hashes', '376e6997ae12d166e1619ae0f8def68706be26ac44fa4b84bbd1d0e7d9791092');
insert into "migration_hashes" ("name", "sha256") values ('0012_purposes', '83dcaadbe5a04fff32433529e6c849cace6df9b520543bca9829c0cc118d2a8d');
insert into "migration_hashes" ("name", "sha256") values ('0013_keeper', '863eca46342489226ef0c08ccf88d182cc4ed56e8274c6155af668816b80916f');
insert into "migration_hashes" ("name", "sha256") values ('0014_purchases', '3ff3218dd5cea5427903702d82dfdfa58ba11bdbb1b91be2a757293bbaadde6e');
insert into "migration_hashes" ("name", "sha256") values ('0015_leverage', '68201a23bbd8be2f41777adb23dd8b00d329d19dbc20b14963851824ecdb0d96');
insert into "migration_hashes" ("name", "sha256") values ('0016_task_reasons', '78ca3bde288796c5392c505f02282bd5a68355074af4b5bb00fa73186f021e4a');
insert into "migration_hashes" ("name", "sha256") values ('0017_claim_nodes', '571d31361ad6ba43e94488be122ed2a6c531e121668e673c0d8093020c6a7873');
insert into "migration_hashes" ("name", "sha256") values ('0018_operators', '8e0a7b1f04a301b0d4b6d8b5f43e919e6f6355cc673ceaee4d02b67a1245dd45');
insert into "migration_hashes" ("name", "sha256") values ('0019_webhooks', '7a16d3eeecce53e6adabe6e93d9fb93420a45cd22caaefffca3115e4be2da3be');
insert into "migration_hashes" ("name", "sha256") values ('0020_canary', '43583d83178af4b2ec579fa7affa5743431811c98371ea6eab2ce9b9fad041d8');
insert into "migration_hashes" ("name", "sha256") values ('0021_archive', 'e85edd6126cf388cfaa49b3a098343c7aabcc47b21b44fde6c862bd2c0327ed2');
insert into "kysely_migration" ("name", "timestamp") values ('0001_submission_machine', '2026-09-21T14:13:20.000Z');
insert into "kysely_migration" ("name", "timestamp") values ('0002_quotes', '2026-09-21T14:13:20.001Z');
insert into "kysely_migration" ("name", "timestamp") values ('0003_transfers', '2026-09-21T14:13:20.002Z');
insert into "kysely_migration" ("name", "timestamp") values ('0004_money', '2026-09-21T14:13:20.003Z');
insert into "kysely_migration" ("name", "timestamp") values ('0005_settlements', '2026-09-21T14:13:20.004Z');
insert into "kysely_migration" ("name", "timestamp") values ('0006_transfer_output', '2026-09-21T14:13:20.005Z');
insert into "kysely_migration" ("name", "timestamp") values ('0007_gas', '2026-09-21T14:13:20.006Z');
insert into "kysely_migration" ("name", "timestamp") values ('0008_swap_pins', '2026-09-21T14:13:20.007Z');
insert into "kysely_migration" ("name", "timestamp") values ('0009_quote_uses', '2026-09-21T14:13:20.008Z');
insert into "kysely_migration" ("name", "timestamp") values ('0010_swap_verdicts', '2026-09-21T14:13:20.009Z');
insert into "kysely_migration" ("name", "timestamp") values ('0011_migration_hashes', '2026-09-21T14:13:20.010Z');
insert into "kysely_migration" ("name", "timestamp") values ('0012_purposes', '2026-09-21T14:13:20.011Z');
insert into "kysely_migration" ("name", "timestamp") values ('0013_keeper', '2026-09-21T14:13:20.012Z');
insert into "kysely_migration" ("name", "timestamp") values ('0014_purchases', '2026-09-21T14:13:20.013Z');
insert into "kysely_migration" ("name", "timestamp") values ('0015_leverage', '2026-09-21T14:13:20.014Z');
insert into "kysely_migration" ("name", "timestamp") values ('0016_task_reasons', '2026-09-21T14:13:20.015Z');
insert into "kysely_migration" ("name", "timestamp") values ('0017_claim_nodes', '2026-09-21T14:13:20.016Z');
insert into "kysely_migration" ("name", "timestamp") values ('0018_operators', '2026-09-21T14:13:20.017Z');
insert into "kysely_migration" ("name", "timestamp") values ('0019_webhooks', '2026-09-21T14:13:20.018Z');
insert into "kysely_migration" ("name", "timestamp") values ('0020_canary', '2026-09-21T14:13:20.019Z');
insert into "kysely_migration" ("name", "timestamp") values ('0021_archive', '2026-09-21T14:13:20.020Z');
insert into "kysely_migration_lock" ("id", "is_locked") values ('migration_lock', 0);

select setval(pg_get_serial_sequence('attempts', 'seq'), 41, true);
select setval(pg_get_serial_sequence('transactions', 'seq'), 37, true);
select setval(pg_get_serial_sequence('operator_actions', 'id'), 2, true);
