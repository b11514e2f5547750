import { fileURLToPath } from 'node:url';
import type { Felts } from '@sotto/kernel';
import { Piscina } from 'piscina';
import { z } from 'zod';

const HexNumber = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt);

export interface CalldataHasherSettings {
  /** Worker threads, kept alive. @default 1 */
  readonly threads?: number;
}

/** Poseidon of long calldata in worker threads, so that the event loop never computes it. */
export class CalldataHasher {
  readonly #pool: Piscina;

  constructor({ threads = 1 }: CalldataHasherSettings = {}) {
    this.#pool = new Piscina({
      // The same file from src and from dist.
      filename: fileURLToPath(new URL('../dist/calldata-hash-worker.js', import.meta.url)),
      name: 'hashWords',
      minThreads: threads,
      maxThreads: threads,
    });
  }

  /** Poseidon of all parts, one after the other. */
  async hash(...parts: readonly Felts[]): Promise<bigint> {
    const words = Buffer.concat(parts.map((part) => part.toBytes()));
    // A buffer of its own: what Buffer.concat gives may stand in a shared pool, which can't be given away.
    const owned = Uint8Array.from(words);
    return HexNumber.parse(await this.#pool.run(owned, { transferList: [owned.buffer] }));
  }

  /** Computes once, so that the first call finds warm threads. */
  async warmUp(...parts: readonly Felts[]): Promise<void> {
    await Promise.all(this.#pool.threads.map(async () => this.hash(...parts)));
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
