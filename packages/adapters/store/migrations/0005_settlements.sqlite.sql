-- A settled nonce names the transaction and the block that settled it, so that a rollback can open
-- it again. With that come versions, outcomes that were undone, quarantine and pause of lanes, the
-- chain that the ledger belongs to, and marks of the wipe.
-- SQLite changes no constraint in place, so the four tables are built again.
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
  constraint "lanes_role" check (role in ('relay', 'swap_owner', 'curator')),
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

insert into lanes_new select
  address, role, leased_to, fence, lease_until_ms, 0,
  (select max(nonce) + 1 from nonces where nonces.lane = lanes.address),
  null, null, null, null, null
from lanes;

create table "attempts_new" (
  "seq" integer primary key autoincrement,
  "key" text not null,
  "attempt" integer not null,
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
  constraint "attempts_role" check (role in ('relay', 'swap_owner', 'curator')),
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

insert into attempts_new select
  seq, key, attempt, id, case state when 'prepared' then 'broadcast' else state end, fingerprint,
  role, target_to, target_entrypoint, limit_l2_gas, limit_l1_gas, limit_l1_data_gas,
  price_multiplier, fee_amount, fee_token, cost_fri, strk_usd_e8, fee_token_usd_e8, lane, nonce,
  readmit, accepted_at_ms, deadline_ms, ended_at_ms, refusal_code, transaction_hash,
  revert_reason, gas_paid_fri, case role when 'curator' then 0 else 1 end, null,
  case when state in ('succeeded', 'reverted') then 1 else 0 end,
  null, null, null,
  case when exists (select 1 from calldata where calldata.submission_id = attempts.id)
    or exists (select 1 from transactions
    join signed_bytes on signed_bytes.hash = transactions.hash
    where transactions.attempt_key = attempts.key
    and transactions.attempt_number = attempts.attempt) or ended_at_ms is null then 0 else 2 end
from attempts;

create table "nonces_new" (
  "lane" text not null references "lanes" ("address"),
  "nonce" integer not null,
  "state" text not null,
  "owner_key" text,
  "owner_attempt" integer,
  "through" integer not null,
  "version" integer not null,
  "settled_by" text,
  "is_foreign" integer,
  "execution" text,
  "block_number" integer,
  "block_hash" text,
  "fee_fri" text,
  "disproves_refusal" integer,
  "settled_at_ms" integer,
  "is_final" integer,
  "wiped" integer not null,
  constraint "nonces_lane_nonce" primary key ("lane", "nonce"),
  constraint "nonces_owner" foreign key ("owner_key", "owner_attempt")
    references "attempts" ("key", "attempt"),
  constraint "nonces_from_zero" check (nonce >= 0),
  constraint "nonces_state" check (state in ('open', 'settled')),
  constraint "nonces_owner_whole" check ((owner_key is null) = (owner_attempt is null)),
  constraint "nonces_through" check (through = nonce or (through > nonce and state = 'settled'
    and owner_key is null)),
  constraint "nonces_version" check (version >= 1),
  constraint "nonces_settlement_by_state" check ((is_foreign is not null) = (state = 'settled')
    and (is_foreign is null) = (disproves_refusal is null)
    and (is_foreign is null) = (settled_at_ms is null)
    and (is_foreign is null) = (is_final is null)),
  constraint "nonces_is_foreign" check (is_foreign in (0, 1)),
  constraint "nonces_hash_if_ours" check (is_foreign is null or is_foreign = 1
    or settled_by is not null),
  constraint "nonces_nothing_if_open" check (is_foreign is not null or (settled_by is null
    and fee_fri is null)),
  constraint "nonces_execution" check (execution in ('SUCCEEDED', 'REVERTED')),
  constraint "nonces_execution_by_hash" check (execution is null or settled_by is not null),
  constraint "nonces_block_whole" check ((block_number is null) = (block_hash is null)),
  constraint "nonces_block_by_hash" check (block_number is null or settled_by is not null),
  constraint "nonces_block_number" check (block_number >= 0),
  constraint "nonces_disproves_refusal" check (disproves_refusal in (0, 1)),
  constraint "nonces_is_final" check (is_final in (0, 1)),
  constraint "nonces_wiped" check (wiped in (0, 1))
) strict;

insert into nonces_new select
  lane, nonce, state, owner_key, owner_attempt, nonce, 1, nullif(settled_by, 'stranger'),
  settled_by = 'stranger',
  case (select attempts.state from attempts where attempts.key = nonces.owner_key
    and attempts.attempt = nonces.owner_attempt) when 'succeeded' then 'SUCCEEDED'
    when 'reverted' then 'REVERTED' end,
  null, null, gas_paid_fri, case state when 'settled' then 0 end,
  case state when 'settled' then coalesce((select attempts.ended_at_ms from attempts
    where attempts.key = nonces.owner_key and attempts.attempt = nonces.owner_attempt), 0) end,
  case state when 'settled' then 1 end,
  case when nonces.state = 'open' or exists (select 1 from transactions
    join signed_bytes on signed_bytes.hash = transactions.hash
    where transactions.lane = nonces.lane and transactions.nonce = nonces.nonce) then 0 else 1 end
from nonces;

create table "transactions_new" (
  "seq" integer primary key autoincrement,
  "hash" text not null unique,
  "lane" text not null,
  "nonce" integer not null,
  "kind" text not null,
  "attempt_key" text,
  "attempt_number" integer,
  "price_step" integer not null,
  "l2_max_amount" text not null,
  "l2_max_price_fri" text not null,
  "l1_max_amount" text not null,
  "l1_max_price_fri" text not null,
  "l1_data_max_amount" text not null,
  "l1_data_max_price_fri" text not null,
  "tip_fri" text not null,
  "claims" integer not null,
  "claim_fence" integer,
  "claimed_at_ms" integer,
  "gone" text,
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
  constraint "transactions_gone" check (gone in ('refused', 'lost')),
  constraint "transactions_seen" check (seen_execution in ('SUCCEEDED', 'REVERTED'))
) strict;

insert into sqlite_sequence (name, seq) select 'transactions_new', seq from sqlite_sequence
  where name = 'transactions';

insert into transactions_new select
  seq, hash, lane, nonce, kind, attempt_key, attempt_number, price_step, l2_max_amount,
  l2_max_price_fri, l1_max_amount, l1_max_price_fri, l1_data_max_amount, l1_data_max_price_fri,
  tip_fri, claims, claim_fence, claimed_at_ms,
  case when dead = 0 then null when refusal_code is not null then 'refused'
    when (select nonces.state from nonces where nonces.lane = transactions.lane
    and nonces.nonce = transactions.nonce) = 'settled' then 'lost' else 'refused' end,
  refusal_code, seen_execution, seen_revert_reason
from transactions;

drop table transactions;
drop table nonces;
drop table attempts;
drop table lanes;
alter table lanes_new rename to lanes;
alter table attempts_new rename to attempts;
alter table nonces_new rename to nonces;
alter table transactions_new rename to transactions;

create unique index "attempts_one_live_per_key" on "attempts" ("key")
  where attempts.state in ('accepted', 'broadcast');

create unique index "attempts_one_live_per_nonce" on "attempts" ("lane", "nonce")
  where attempts.state in ('accepted', 'broadcast');

create index "attempts_waiting" on "attempts" ("role", "seq") where attempts.state = 'accepted';
create index "attempts_by_end" on "attempts" ("ended_at_ms", "seq");
create index "nonces_open" on "nonces" ("lane", "nonce") where nonces.state = 'open';
create index "transactions_of_attempt" on "transactions" ("attempt_key", "attempt_number", "seq");

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
  "id" integer primary key,
  "chain_id" text,
  "genesis_hash" text,
  "last_block" integer,
  constraint "chain_one_row" check (id = 1),
  constraint "chain_whole" check ((chain_id is null) = (genesis_hash is null)),
  constraint "chain_last_block" check (last_block >= 0)
) strict;

insert into chain (id) values (1);
