import type { DatabaseSync } from 'node:sqlite';
import type { Felt } from '@sotto/kernel';
import { z } from 'zod';
import { Refused } from '../refusal.js';
import { openBook } from './open-book.js';
import { SignatureCount } from './signature-count.js';
import { DAY_MS, Spending, type Charge, type Entry } from './spending.js';

/** A signature as stored in the book. Of each call, only contract and entry point are stored. */
export interface Recorded {
  readonly kind: 'invoke' | 'message';
  readonly account: Felt;
  /** Nonce of the transaction; null if a message was signed. */
  readonly nonce: bigint | null;
  readonly hash: Felt;
  /** Contract and entry point of each call, or the kind of the message. */
  readonly what: readonly string[];
  /** Maximum cost of the transaction, in fri. */
  readonly boundFri: bigint;
}

/** Limits on the number of stored signatures, so that endless requests do not fill the disk. */
export interface BookLimits {
  /**
   * Maximum number of signatures with a charge per day. When it is reached, only requests that add
   * no charge are signed.
   */
  readonly perDay: number;
  /**
   * Number of newest signatures with a charge that are never deleted. Signatures of the last day
   * are not deleted either, even if there are more.
   */
  readonly charged: number;
  /** Number of newest signatures without a charge, including messages, that are never deleted. */
  readonly free: number;
}

/** Default limits. 300,000 stored signatures need about 200 MB. */
const LIMITS: BookLimits = { perDay: 100_000, charged: 200_000, free: 100_000 };
/**
 * Resource name of the charge that counts signatures. A signature that has any other charge also
 * has this charge.
 */
const LINE = 'lines';
/**
 * Number of lines by which a limit may be exceeded before the oldest lines are deleted. Lines are
 * deleted in groups, because the search for the oldest line needs more time than a signature.
 */
const SLACK = 1_000;

const IS_CHARGED = 'exists (select 1 from charges where signature_id = signatures.id)';
const COUNT = `select count(*) filter (where ${IS_CHARGED}) as charged,
  count(*) filter (where not ${IS_CHARGED}) as free from signatures`;
const OLDEST = {
  charged: `select id from signatures where ${IS_CHARGED} and at_ms <= ? order by id limit ?`,
  free: `select id from signatures where not ${IS_CHARGED} and at_ms <= ? order by id limit ?`,
};

const Lines = z.object({ charged: z.number(), free: z.number() });
const Line = z.object({ id: z.number() });
const Newest = z.object({ at_ms: z.number().nullable(), id: z.number().nullable() });
const StoredCharge = z.object({
  at_ms: z.number(),
  what: z.string(),
  slot: z.string(),
  added: z.string().transform(BigInt),
});

/**
 * Record of the signer's signatures and their charges, in a separate file. A signature leaves the
 * process only after its line is on disk. Therefore the spent budget remains spent after a restart
 * or a power cut. A clock that is set back does not restore budget either, because no line gets an
 * earlier time than the previous line. Only one process at a time can open the file.
 */
export class Book {
  /**
   * True if the book contains no signatures and the file with their count does not exist. The
   * signer can't distinguish a first start from the loss of both files.
   */
  readonly isNew: boolean;
  readonly #database: DatabaseSync;
  readonly #spending = new Spending();
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #line: Charge;
  readonly #count: SignatureCount;
  #lastMs: number;
  #lines: { charged: number; free: number };

  /** @throws CannotStart if the file is damaged, incomplete or in use by another signer */
  constructor(
    path: string,
    private readonly nowMs: () => number = Date.now,
    private readonly limits: BookLimits = LIMITS,
  ) {
    const perDay = BigInt(limits.perDay);
    this.#line = { what: LINE, amount: 1n, limits: { perHour: null, perDay } };
    this.#database = openBook(path);
    this.#statements = statementsOf(this.#database);
    const newest = Newest.parse(
      this.#database.prepare('select max(at_ms) as at_ms, max(id) as id from signatures').get(),
    );
    this.#lastMs = newest.at_ms ?? 0;
    try {
      this.#count = new SignatureCount(path, newest.id ?? 0);
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.isNew = this.#count.isNew && newest.id === null;
    const since = this.#time() - DAY_MS;
    const rows = this.#database
      .prepare('select at_ms, what, slot, added from charges where at_ms > ? order by id')
      .all(since);
    for (const row of rows) {
      const { at_ms: atMs, what, slot, added } = StoredCharge.parse(row);
      this.#spending.add({ atMs, what, slot, added });
    }
    this.#lines = Lines.parse(this.#database.prepare(COUNT).get());
    this.#prune(0);
  }

  /**
   * Stores a signature and its charges before the signature is made.
   * @throws Refused if a limit would be exceeded or the record can't be written; no signature is
   *   made then
   */
  record(signature: Recorded, charges: readonly Charge[] = []): void {
    const atMs = this.#time();
    this.#spending.expire(atMs);
    const slot = `${signature.account}|${signature.nonce ?? ''}`;
    const added = charges.map((charge) => this.#spending.added(charge, slot));
    if (!charges.every((charge, index) => this.#spending.fits(charge, added[index] ?? 0n)))
      throw new Refused('SIGNER_REFUSED_BUDGET');
    const entries = charges.flatMap(({ what }, index): Entry[] => {
      const amount = added[index] ?? 0n;
      return amount === 0n ? [] : [{ atMs, what, slot, added: amount }];
    });
    if (entries.length === 0) {
      if (this.#has(signature)) return;
    } else {
      if (!this.#spending.fits(this.#line, 1n)) throw new Refused('SIGNER_REFUSED_BUDGET');
      entries.push({ atMs, what: LINE, slot: signature.hash, added: 1n });
    }
    this.#write(atMs, signature, entries);
    this.#lastMs = atMs;
    for (const entry of entries) this.#spending.add(entry);
    this.#lines[entries.length === 0 ? 'free' : 'charged'] += 1;
    this.#prune(SLACK);
  }

  close(): void {
    this.#database.close();
    this.#count.close();
  }

  /**
   * Returns true if the book already contains the signature. A repeated request that adds no charge
   * needs no new line.
   */
  #has({ account, hash }: Recorded): boolean {
    try {
      return this.#statements.repeat.get(hash, account) !== undefined;
    } catch {
      throw new Refused('SIGNER_BOOK_UNAVAILABLE');
    }
  }

  /**
   * Deletes the oldest lines above the limits. A line is not deleted while its charge is counted
   * for a budget.
   */
  #prune(slack: number): void {
    for (const [kind, untilMs] of [
      ['free', this.#lastMs],
      ['charged', this.#lastMs - DAY_MS],
    ] as const) {
      const over = this.#lines[kind] - this.limits[kind];
      if (over <= slack) continue;
      const lines = this.#database.prepare(OLDEST[kind]).all(untilMs, over);
      if (this.#delete(lines.map((line) => Line.parse(line).id))) this.#lines[kind] -= lines.length;
    }
  }

  /**
   * @returns false if nothing could be deleted, for example on a full disk; the next signature
   *   tries again
   */
  #delete(ids: readonly number[]): boolean {
    try {
      this.#database.exec('begin immediate');
      const charges = this.#database.prepare('delete from charges where signature_id = ?');
      const signature = this.#database.prepare('delete from signatures where id = ?');
      for (const id of ids) {
        charges.run(id);
        signature.run(id);
      }
      this.#database.exec('commit');
      return true;
    } catch {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      return false;
    }
  }

  #time(): number {
    return Math.max(this.#lastMs, this.nowMs());
  }

  #write(atMs: number, signature: Recorded, entries: readonly Entry[]): void {
    const { kind, account, nonce, hash, what, boundFri } = signature;
    try {
      this.#database.exec('begin immediate');
      const { lastInsertRowid: id } = this.#statements.signature.run(
        atMs,
        kind,
        account,
        nonce === null ? null : String(nonce),
        hash,
        what.join(' '),
        String(boundFri),
      );
      for (const entry of entries)
        this.#statements.charge.run(id, entry.atMs, entry.what, entry.slot, String(entry.added));
      this.#database.exec('commit');
      this.#count.note(Number(id));
    } catch {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw new Refused('SIGNER_BOOK_UNAVAILABLE');
    }
  }
}

/**
 * Prepares the statements that store a signature. The book prepares them once, because each
 * prepared statement uses memory for a while.
 */
const statementsOf = (database: DatabaseSync) => ({
  signature: database.prepare(
    'insert into signatures (at_ms, kind, account, nonce, hash, what, bound_fri) values (?, ?, ?, ?, ?, ?, ?)',
  ),
  charge: database.prepare(
    'insert into charges (signature_id, at_ms, what, slot, added) values (?, ?, ?, ?, ?)',
  ),
  repeat: database.prepare('select 1 from signatures where hash = ? and account = ? limit 1'),
});
