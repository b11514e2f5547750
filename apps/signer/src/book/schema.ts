/**
 * Tables of the book. Lines are inserted and never updated, so a changed line proves that another
 * program has changed the file. A line is deleted only if it has no charge, or if its charges are
 * older than a day and no longer counted for a budget.
 */
export const SCHEMA = `
create table if not exists signatures (
  id integer primary key,
  at_ms integer not null,
  kind text not null,
  account text not null,
  nonce text,
  hash text not null,
  what text not null,
  bound_fri text not null
) strict;
create table if not exists charges (
  id integer primary key,
  signature_id integer not null references signatures (id),
  at_ms integer not null,
  what text not null,
  slot text not null,
  added text not null
) strict;
create index if not exists charges_at on charges (at_ms);
create index if not exists charges_of on charges (signature_id);
create index if not exists signatures_of on signatures (hash);
create trigger if not exists signatures_stay before update on signatures
  begin select raise(abort, 'the record is append-only'); end;
create trigger if not exists charges_stay before update on charges
  begin select raise(abort, 'the record is append-only'); end;
drop trigger if exists signatures_remain;
drop trigger if exists charges_remain;
create trigger if not exists charged_remain before delete on signatures
  when exists (select 1 from charges where signature_id = old.id)
  begin select raise(abort, 'the record is append-only'); end;
create trigger if not exists counted_remain before delete on charges
  when old.at_ms > (select at_ms from signatures order by id desc limit 1) - 86400000
  begin select raise(abort, 'the record is append-only'); end;
`;
