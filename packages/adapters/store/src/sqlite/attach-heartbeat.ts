import { randomInt } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema.js';
import { timeOf, type SqlDialect } from '../sql-dialect.js';
import { headerOf, lineageOf } from './check-files.js';
import { HeartbeatFile, fileIdOf, readHeartbeat, writeHeartbeat } from './heartbeat.js';

/**
 * Number of possible lineages. The header field has 31 bits, and its lowest bit is zero in a
 * lineage.
 */
const LINEAGES = 2 ** 30;

export interface AttachedHeartbeat {
  readonly file: HeartbeatFile;
  readonly lineage: number;
  /**
   * True if the file's header was changed, so that a checkpoint must copy the header from the
   * write-ahead log to the file.
   */
  readonly isHeaderNew: boolean;
  readonly isPossibleCopy: boolean;
}

/**
 * Assigns an identity and a heartbeat file to a checked ledger file. A file that already has an
 * identity is marked as a possible copy unless its heartbeat has the same identity. Reasons for the
 * mark: the heartbeat is missing, the heartbeat belongs to another file, or an operator accepted
 * that commits are missing.
 * @param db database that counts its commits
 * @param isCopy true if the file is a copy, even if its heartbeat matches
 */
export async function attachHeartbeat(
  db: Kysely<StoreSchema>,
  dialect: SqlDialect,
  path: string,
  isCopy: boolean,
): Promise<AttachedHeartbeat> {
  const fileId = fileIdOf(path);
  // The identity is assigned under the write lock, because several processes may open the file for
  // the first time.
  const found = await dialect.write(db, async (within) => {
    const { rows } = await sql<{ user_version: bigint }>`pragma user_version`.execute(within);
    const stored = Number(rows[0]?.user_version ?? 0n);
    const kept = readHeartbeat(path);
    const before = kept === 'accepted' ? null : kept;
    // A start that was aborted leaves a heartbeat without commits. Such a ledger file is still
    // treated as new.
    const isNew = stored === 0 && kept !== 'accepted' && (before?.commits ?? 0n) === 0n;
    const lineage =
      lineageOf(stored) || (isNew ? before?.lineage : undefined) || randomInt(1, LINEAGES) * 2;
    const isKnown = !isCopy && (isNew || (before?.lineage === lineage && before.fileId === fileId));
    if (isNew) writeHeartbeat(path, { lineage, commits: 0n, fileId });
    if (!isKnown)
      await within
        .updateTable('chain')
        .set({ possible_copy_since_ms: timeOf(dialect) })
        .execute();
    await within
      .insertInto('canary')
      .values({ id: 1n, writes: 0n, origin: String(lineage) })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ origin: String(lineage) }))
      .execute();
    const isHeaderNew = stored !== headerOf(lineage, true);
    if (isHeaderNew) await writeHeader(within, lineage, true);
    return { lineage, isKnown, isHeaderNew };
  });
  const { writes } = await db.selectFrom('canary').select('writes').executeTakeFirstOrThrow();
  const heartbeat = { lineage: found.lineage, commits: writes, fileId };
  // The heartbeat is written only after the mark as a possible copy is on disk.
  writeHeartbeat(path, heartbeat);
  return {
    file: new HeartbeatFile(path, heartbeat),
    lineage: found.lineage,
    isHeaderNew: found.isHeaderNew,
    isPossibleCopy: !found.isKnown,
  };
}

/** Writes two facts to the file's header: its lineage, and that a process has the file open. */
export async function writeHeader(
  db: Kysely<StoreSchema>,
  lineage: number,
  isOpen: boolean,
): Promise<void> {
  await sql.raw(`pragma user_version = ${headerOf(lineage, isOpen)}`).execute(db);
}
