import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK_BYTES = 16 * 1024 * 1024;

/** True if this system allows a process to read the memory of its child process. */
export const canReadMemory = existsSync('/proc/self/mem');

/** Returns true if a process's memory contains these hex digits, as text or as a number. */
export function memoryHas(pid: number, hexDigits: string): boolean {
  const bytes = Buffer.from(hexDigits.padStart(64, '0'), 'hex');
  const forms = [
    Buffer.from(hexDigits, 'latin1'),
    Buffer.from(hexDigits, 'utf16le'),
    Buffer.from(BigInt(`0x${hexDigits}`).toString(), 'latin1'),
    bytes,
    Buffer.from(bytes.toReversed()),
  ];
  const longest = Math.max(...forms.map(({ length }) => length));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (const [from, to] of writableRegions(pid))
      for (let at = from; at < to; at += CHUNK_BYTES - longest) {
        const length = readAt(memory, chunk, at, Math.min(CHUNK_BYTES, to - at));
        const read = chunk.subarray(0, length);
        if (forms.some((form) => read.includes(form))) return true;
      }
    return false;
  } finally {
    closeSync(memory);
  }
}

function writableRegions(pid: number): readonly (readonly [number, number])[] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? [];
      return from === undefined || to === undefined
        ? []
        : [[Number.parseInt(from, 16), Number.parseInt(to, 16)] as const];
    });
}

/** Returns 0 if the memory region was unmapped in the meantime. */
function readAt(memory: number, into: Buffer, position: number, length: number): number {
  try {
    return readSync(memory, into, 0, length, position);
  } catch {
    return 0;
  }
}
