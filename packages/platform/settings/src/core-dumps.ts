import { readFileSync } from 'node:fs';
import { attempt } from './read-variables.js';

/**
 * Returns true if the operating system may write this process's memory to a disk after a crash. The
 * memory can contain a private key. Returns false if the limit is unknown, as on systems other than
 * Linux.
 */
export function mayDumpCore(
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): boolean {
  const limits = attempt(() => readFile('/proc/self/limits')) ?? '';
  const [, soft = '0'] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  return soft !== '0';
}
