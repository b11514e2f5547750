import { readFileSync } from 'node:fs';
import { attempt } from './read-variables.js';

/**
 * Whether the system may write this process's memory, and any key in it, to a disk when it crashes.
 * False where the limit can't be found out, as on other systems than Linux.
 */
export function mayDumpCore(
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): boolean {
  const limits = attempt(() => readFile('/proc/self/limits')) ?? '';
  const [, soft = '0'] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  return soft !== '0';
}
