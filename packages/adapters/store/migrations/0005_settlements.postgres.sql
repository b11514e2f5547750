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

update lanes set
  next_nonce = (select max(nonce) + 1 from nonces where nonces.lane = lanes.address);

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

update nonces set
  through = nonce,
  version = 1,
  settled_by = nullif(settled_by, 'stranger'),
  is_foreign = case state when 'settled' then (settled_by = 'stranger')::int end,
  execution = case (select attempts.state from attempts where attempts.key = nonces.owner_key
    and attempts.attempt = nonces.owner_attempt) when 'succeeded' then 'SUCCEEDED'
    when 'reverted' then 'REVERTED' end,
  disproves_refusal = case state when 'settled' then 0 end,
  settled_at_ms = case state when 'settled' then coalesce((select attempts.ended_at_ms
    from attempts where attempts.key = nonces.owner_key
    and attempts.attempt = nonces.owner_attempt), 0) end,
  is_final = case state when 'settled' then 1 end,
  wiped = case when nonces.state = 'open' or exists (select 1 from transactions
    join signed_bytes on signed_bytes.hash = transactions.hash
    where transactions.lane = nonces.lane and transactions.nonce = nonces.nonce) then 0 else 1 end;

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

update transactions set
  gone = case when dead = 0 then null when refusal_code is not null then 'refused'
    when (select nonces.state from nonces where nonces.lane = transactions.lane
    and nonces.nonce = transactions.nonce) = 'settled' then 'lost' else 'refused' end
    where dead = 1;

alter table transactions
  drop column dead,
  add constraint transactions_gone check (gone in ('refused', 'lost'));

update attempts set
  state = case state when 'prepared' then 'broadcast' else state end,
  replay_protected = case role when 'curator' then 0 else 1 end,
  is_final = case when state in ('succeeded', 'reverted') then 1 else 0 end,
  wiped = case when exists (select 1 from calldata where calldata.submission_id = attempts.id)
    or exists (select 1 from transactions
    join signed_bytes on signed_bytes.hash = transactions.hash
    where transactions.attempt_key = attempts.key
    and transactions.attempt_number = attempts.attempt) or ended_at_ms is null then 0 else 2 end;

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

insert into chain (id) values (1);
