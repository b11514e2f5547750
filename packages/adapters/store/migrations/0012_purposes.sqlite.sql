-- What an attempt is about stands in columns of its own: its kind, the contract that it is counted
-- under, and one value by which its kind goes on; and its effect, which stood before a dot in the
-- fingerprint. This is the last time that keys and fingerprints
-- are taken apart. SQLite adds no column without a default; no row is ever written by it.
alter table "attempts" add column "kind" text not null default 'unknown';

alter table "attempts" add column "subject" text not null default '0x0';

alter table "attempts" add column "memo" text;

alter table "attempts" add column "effect" text not null default '';

-- A key is `chain|contract|rest`; the rest is a nullifier's hash, `deposit|commitment`,
-- `deploy|first` or `idle|number`. Digits in hex are looked at by what remains without them.
with
  after_chain as (
    select seq, key, instr(key, '|') as at, substr(key, instr(key, '|') + 1) as text from attempts
  ),
  parts as (
    select seq, substr(text, 1, instr(text, '|') - 1) as contract,
      substr(text, instr(text, '|') + 1) as rest
    from after_chain
    where substr(key, 1, at - 1) glob '0x[0-9a-f]*'
      and ltrim(substr(key, 3, at - 3), '0123456789abcdef') = ''
      and text glob '0x[0-9a-f]*|*'
      and ltrim(substr(text, 3, instr(text, '|') - 3), '0123456789abcdef') = ''
  ),
  purposes as (
    select parts.seq,
      case
        when rest glob '0x[0-9a-f]*' and ltrim(substr(rest, 3), '0123456789abcdef') = ''
          then case role when 'swap_owner' then 'private_swap' else 'withdraw' end
        when rest glob 'deposit|0x[0-9a-f]*' and ltrim(substr(rest, 11), '0123456789abcdef') = ''
          then 'deposit'
        when rest glob 'deploy|[0-9]*' then 'deploy_batch'
        when rest glob 'idle|[0-9]*' and fingerprint glob 'idle|[0-9]*|*'
          then 'deploy_idle_funds'
      end as kind,
      contract,
      rest,
      substr(fingerprint, 6, instr(substr(fingerprint, 6), '|') - 1) as sats
    from parts join attempts on attempts.seq = parts.seq
  )
update attempts set
  kind = coalesce(purposes.kind, 'unknown'),
  subject = purposes.contract,
  memo = case purposes.kind
    when 'withdraw' then purposes.rest
    when 'private_swap' then purposes.rest
    when 'deposit' then substr(purposes.rest, 9)
    when 'deploy_idle_funds' then purposes.sats
  end
from purposes where purposes.seq = attempts.seq;

update attempts set subject = target_to where subject = '0x0';

update attempts set
  effect = case instr(fingerprint, '.')
    when 0 then fingerprint
    else substr(fingerprint, 1, instr(fingerprint, '.') - 1)
  end,
  fingerprint = substr(fingerprint, instr(fingerprint, '.') + 1);
