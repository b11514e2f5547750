import { eventually } from '@sotto/process-kit';
import { Client } from 'pg';

/** Event in which a lane's lease moves from one instance to another. */
export interface Handover {
  readonly lane: string;
  readonly to: string;
  readonly atMs: number;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Triggers that record how instances change leases and claims. The triggers run in the database, in
 * the transactions of the changes.
 */
const TRIGGERS = `
  create table audit_stale (hash text, claim_fence bigint, fence bigint);
  create table audit_leases (lane text, holder text, at timestamptz);
  create function audit_claim() returns trigger language plpgsql as $$
    declare current_fence bigint;
    begin
      select fence into current_fence from lanes where address = new.lane;
      if new.claims > 0 and (tg_op = 'INSERT' or new.claims <> old.claims or new.claim_fence is distinct from old.claim_fence)
        and new.claim_fence is distinct from current_fence
      then insert into audit_stale values (new.hash, new.claim_fence, current_fence); end if;
      return new;
    end $$;
  create trigger audit_claim before insert or update on transactions for each row execute function audit_claim();
  create function audit_lease() returns trigger language plpgsql as $$
    begin
      if new.fence <> old.fence then insert into audit_leases values (new.address, new.leased_to, clock_timestamp()); end if;
      return new;
    end $$;
  create trigger audit_lease before update on lanes for each row execute function audit_lease();`;

/** Queries of tests on the database that several instances share. */
export class StoreAudit {
  constructor(private readonly url: string) {}

  /** Starts to record claims and leases. The schema must exist. */
  async begin(): Promise<void> {
    await this.query(TRIGGERS);
  }

  /**
   * Returns those claims whose fence, at the time of writing, differed from the fence of the lane.
   */
  async staleClaims(): Promise<readonly Row[]> {
    return this.query('select * from audit_stale');
  }

  async handovers(): Promise<readonly Handover[]> {
    const rows = await this.query(
      `select lane, holder, extract(epoch from at) * 1000 as at_ms from audit_leases order by at`,
    );
    return rows.map(({ lane, holder, at_ms }) => ({
      lane: String(lane),
      to: String(holder),
      atMs: Number(at_ms),
    }));
  }

  /** Returns the addresses of the lanes whose lease this instance has. */
  async heldBy(instance: string): Promise<readonly string[]> {
    return (await this.query('select address from lanes where leased_to = $1', [instance])).map(
      ({ address }) => String(address),
    );
  }

  /** Returns the number of attempts in each state. */
  async attempts(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.query(
      'select state, count(*)::int as count from attempts group by state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]));
  }

  /** Returns the hashes of the calls of each attempt. */
  async callsByAttempt(): Promise<readonly (readonly string[])[]> {
    const rows = await this.query(
      `select array_agg(hash) as hashes from transactions where kind = 'call' group by attempt_key, attempt_number`,
    );
    return rows.map(({ hashes }) => (Array.isArray(hashes) ? hashes.map(String) : []));
  }

  /** Returns the lanes that have a missing nonce or a nonce that is not settled. */
  async holes(): Promise<readonly Row[]> {
    return this.query(
      `select lane, max(nonce) - min(nonce) + 1 as nonces, count(*) as rows, count(*) filter (where state = 'settled') as settled
       from nonces group by lane having max(nonce) - min(nonce) + 1 <> count(*) or count(*) <> count(*) filter (where state = 'settled')`,
    );
  }

  /** Runs the query in a separate session, and retries while the database is unavailable. */
  async query(statement: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    return eventually('the database to answer', async () => {
      const client = new Client({ connectionString: this.url });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch {
        return undefined;
      }
      try {
        const result: { rows: readonly Row[] } | readonly unknown[] = await client.query(
          statement,
          [...parameters],
        );
        // Several statements return several results, and no caller needs rows from several
        // statements.
        return 'rows' in result ? result.rows : [];
      } finally {
        await client.end();
      }
    });
  }
}
