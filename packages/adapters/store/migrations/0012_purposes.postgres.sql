-- What an attempt is about stands in columns of its own: its kind, the contract that it is counted
-- under, and one value by which its kind goes on; and its effect, which stood before a dot in the
-- fingerprint. This is the last time that keys and fingerprints
-- are taken apart.
alter table "attempts"
  add column "kind" text,
  add column "subject" text,
  add column "memo" text,
  add column "effect" text;

-- A key is `chain|contract|rest`; the rest is a nullifier's hash, `deposit|commitment`,
-- `deploy|first` or `idle|number`.
with
  parts as (
    select seq, role, target_to, fingerprint, regexp_match(key,
      '^0x[0-9a-f]+[|](0x[0-9a-f]+)[|](.*)$') as part
    from attempts
  ),
  purposes as (
    select seq,
      case
        when part[2] ~ '^0x[0-9a-f]+$'
          then case role when 'swap_owner' then 'private_swap' else 'withdraw' end
        when part[2] ~ '^deposit[|]0x[0-9a-f]+$' then 'deposit'
        when part[2] ~ '^deploy[|][0-9]' then 'deploy_batch'
        when part[2] ~ '^idle[|][0-9]' and fingerprint ~ '^idle[|][0-9].*[|]'
          then 'deploy_idle_funds'
        else 'unknown'
      end as kind,
      coalesce(part[1], target_to) as subject,
      part[2] as rest,
      split_part(fingerprint, '|', 2) as sats
    from parts
  )
update attempts set
  kind = purposes.kind,
  subject = purposes.subject,
  memo = case purposes.kind
    when 'withdraw' then purposes.rest
    when 'private_swap' then purposes.rest
    when 'deposit' then split_part(purposes.rest, '|', 2)
    when 'deploy_idle_funds' then purposes.sats
  end,
  effect = split_part(fingerprint, '.', 1),
  fingerprint = substr(fingerprint, strpos(fingerprint, '.') + 1)
from purposes where purposes.seq = attempts.seq;

alter table "attempts"
  alter column "kind" set not null,
  alter column "subject" set not null,
  alter column "effect" set not null;
