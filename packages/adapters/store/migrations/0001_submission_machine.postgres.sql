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
