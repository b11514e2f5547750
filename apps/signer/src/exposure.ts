import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { attempt } from '@sotto/settings';

/** Owner and permission bits of a file or folder. */
export interface Permissions {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** User of this process. @param trustedGroup trusted in addition to the user; null for no group */
interface Owner {
  readonly uid: number;
  readonly trustedGroup: number | null;
}

/** Reads permissions; null if the path does not exist. */
export type PermissionsOf = (path: string) => Permissions | null;

export const permissionsOf: PermissionsOf = (path) => attempt(() => statSync(path));

const ANYTHING = 0o7;
const WRITE = 0o2;
/** In a folder with this bit, such as `/tmp`, only the owner of a file can replace it. */
const STICKY = 0o1000;
const ROOT = 0;

/** Returns true if anyone except the owner, root and the trusted group has one of these rights. */
function isOpen({ uid, gid, mode }: Permissions, right: number, owner: Owner): boolean {
  const ofGroup = gid === owner.trustedGroup ? 0 : (mode >> 3) & right;
  return (uid !== owner.uid && uid !== ROOT) || ofGroup !== 0 || (mode & right) !== 0;
}

/** Returns true if others can read or change the file. A missing file is not exposed. */
export function isExposed(path: string, owner: Owner, find: PermissionsOf): boolean {
  const file = find(path);
  return file !== null && isOpen(file, ANYTHING, owner);
}

/** Returns true if others can change the file, or put another one in its place. */
export function isReplaceable(path: string, owner: Owner, find: PermissionsOf): boolean {
  const file = find(path);
  if (file !== null && isOpen(file, WRITE, owner)) return true;
  return isFolderOpen(path, owner, find);
}

/**
 * Returns true if others can put a file at this path, regardless of the permissions of an existing
 * file.
 */
export function isFolderOpen(path: string, owner: Owner, find: PermissionsOf): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const found = find(folder);
    if (found !== null && (found.mode & STICKY) === 0 && isOpen(found, WRITE, owner)) return true;
    if (folder === dirname(folder)) return false;
  }
}
