import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { Refused } from '../refusal.js';
import { DAY_MS, Spending, type Charge, type Entry } from './spending.js';

/** A signature as the record keeps it: nothing of a call but where it goes. */
export interface Recorded {
  readonly kind: 'invoke' | 'message';
  readonly account: Felt;
  /** Of a message: null. */
  readonly nonce: bigint | null;
  readonly hash: Felt;
  /** Contracts and entry points, or the kind of message. */
  readonly what: readonly string[];
  /** What it may cost at most. */
  readonly boundFri: bigint;
}

/** Lines are added and never changed: a file that was altered was altered from outside. */
const SCHEMA = `
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
create trigger if not exists signatures_stay before update on signatures
  begin select raise(abort, 'the record is append-only'); end;
create trigger if not exists signatures_remain before delete on signatures
  begin select raise(abort, 'the record is append-only'); end;
create trigger if not exists charges_stay before update on charges
  begin select raise(abort, 'the record is append-only'); end;
create trigger if not exists charges_remain before delete on charges
  begin select raise(abort, 'the record is append-only'); end;
`;

const Newest = z.object({ at_ms: z.number().nullable() });
const StoredCharge = z.object({
  at_ms: z.number(),
  what: z.string(),
  slot: z.string(),
  added: z.string().transform(BigInt),
});

/**
 * The signer's record and budget, in a file of its own. A signature leaves the process only after
 * its line is on disk, so that neither a restart nor a power cut gives anything back; nor does a
 * clock that is set back: no line is older than the one before it. The file belongs to one process
 * at a time.
 */
export class Book {
  readonly #database: DatabaseSync;
  readonly #spending = new Spending();
  #lastMs: number;

  /** @throws Error when the file can't be opened, or another signer has it */
  constructor(
    path: string,
    private readonly nowMs: () => number = Date.now,
  ) {
    // A new file is its owner's only; SQLite gives its companions the mode of the file.
    closeSync(openSync(path, 'a', 0o600));
    this.#database = new DatabaseSync(path, { enableDoubleQuotedStringLiterals: false });
    this.#database.exec(
      'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full',
    );
    this.#database.exec(`begin immediate; ${SCHEMA} commit`);
    const newest = this.#database.prepare('select max(at_ms) as at_ms from signatures').get();
    this.#lastMs = Newest.parse(newest).at_ms ?? 0;
    const since = this.#time() - DAY_MS;
    const rows = this.#database
      .prepare('select at_ms, what, slot, added from charges where at_ms > ? order by id')
      .all(since);
    for (const row of rows) {
      const { at_ms: atMs, what, slot, added } = StoredCharge.parse(row);
      this.#spending.add({ atMs, what, slot, added });
    }
  }

  /**
   * Writes a signature down before it is made, with what it may spend.
   * @throws Refused when a limit would be passed, or nothing can be written: then it is not made
   */
  record(signature: Recorded, charges: readonly Charge[] = []): void {
    const atMs = this.#time();
    this.#spending.expire(atMs);
    const slot = `${signature.account}|${signature.nonce ?? ''}`;
    const added = charges.map((charge) => this.#spending.added(charge, slot));
    if (!charges.every((charge, index) => this.#spending.fits(charge, added[index] ?? 0n)))
      throw new Refused('SIGNER_REFUSED_BUDGET');
    const entries = charges.flatMap(({ what }, index): readonly Entry[] => {
      const amount = added[index] ?? 0n;
      return amount === 0n ? [] : [{ atMs, what, slot, added: amount }];
    });
    this.#write(atMs, signature, entries);
    this.#lastMs = atMs;
    for (const entry of entries) this.#spending.add(entry);
  }

  close(): void {
    this.#database.close();
  }

  #time(): number {
    return Math.max(this.#lastMs, this.nowMs());
  }

  #write(atMs: number, signature: Recorded, entries: readonly Entry[]): void {
    const { kind, account, nonce, hash, what, boundFri } = signature;
    try {
      this.#database.exec('begin immediate');
      const { lastInsertRowid: id } = this.#database
        .prepare(
          'insert into signatures (at_ms, kind, account, nonce, hash, what, bound_fri) values (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(
          atMs,
          kind,
          account,
          nonce === null ? null : String(nonce),
          hash,
          what.join(' '),
          String(boundFri),
        );
      const charge = this.#database.prepare(
        'insert into charges (signature_id, at_ms, what, slot, added) values (?, ?, ?, ?, ?)',
      );
      for (const entry of entries)
        charge.run(id, entry.atMs, entry.what, entry.slot, String(entry.added));
      this.#database.exec('commit');
    } catch {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw new Refused('SIGNER_BOOK_UNAVAILABLE');
    }
  }
}
