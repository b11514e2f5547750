import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { attempt } from '@sotto/settings';

/** Owner and permission bits of a file or folder. */
export interface Permissions {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * User id of this process. @param trustedGroup group id that is trusted in addition to the user;
 * null for no group
 */
interface Owner {
  readonly uid: number;
  readonly trustedGroup: number | null;
}

/** Returns the permissions of a path. Null if the path does not exist. */
export type PermissionsOf = (path: string) => Permissions | null;

export const permissionsOf: PermissionsOf = (path) => attempt(() => statSync(path));

const ANYTHING = 0o7;
const WRITE = 0o2;
/**
 * Sticky bit. In a folder with this bit, such as `/tmp`, only the owner of a file can replace the
 * file.
 */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Returns true if a user other than the owner, root and the trusted group has one of these rights.
 */
function isOpen({ uid, gid, mode }: Permissions, right: number, owner: Owner): boolean {
  const ofGroup = gid === owner.trustedGroup ? 0 : (mode >> 3) & right;
  return (uid !== owner.uid && uid !== ROOT) || ofGroup !== 0 || (mode & right) !== 0;
}

/** Returns true if other users can read or change the file. A missing file is not exposed. */
export function isExposed(path: string, owner: Owner, find: PermissionsOf): boolean {
  const file = find(path);
  return file !== null && isOpen(file, ANYTHING, owner);
}

/** Returns true if other users can change the file, or replace it by another file. */
export function isReplaceable(path: string, owner: Owner, find: PermissionsOf): boolean {
  const file = find(path);
  if (file !== null && isOpen(file, WRITE, owner)) return true;
  return isFolderOpen(path, owner, find);
}

/**
 * Returns true if other users can create or replace a file at this path. The permissions of an
 * existing file are ignored.
 */
export function isFolderOpen(path: string, owner: Owner, find: PermissionsOf): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const found = find(folder);
    if (found !== null && (found.mode & STICKY) === 0 && isOpen(found, WRITE, owner)) return true;
    if (folder === dirname(folder)) return false;
  }
}
