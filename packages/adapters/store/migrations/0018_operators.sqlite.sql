-- What operators did: a row is written before its action takes effect, gets its outcome once, and
-- stays as it is. And indexes for their list of submissions, newest first by each of its filters.
-- What is live has one of its own, which those that read it in this order take too.
create table "operator_actions" (
  "id" integer primary key autoincrement,
  "at_ms" integer not null,
  "holder" text not null,
  "action" text not null,
  "subject" text not null,
  "reason" text,
  "outcome" text
) strict;

create trigger "operator_actions_stay" before delete on "operator_actions"
  begin select raise(abort, 'constraint failed: the log of operators stays'); end;

create trigger "operator_actions_get_an_outcome" before update on "operator_actions"
  when old.outcome is not null or new.outcome is null or old.id <> new.id
    or old.at_ms <> new.at_ms or old.holder <> new.holder or old.action <> new.action
    or old.subject <> new.subject or old.reason is not new.reason
  begin select raise(abort, 'constraint failed: an action gets its outcome, once'); end;

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
