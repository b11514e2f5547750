import { statfs } from 'node:fs/promises';
import { WorkerProofVerifier } from '@sotto/groth16';
import { openParts, type NodeParts, type Parts } from '@sotto/relayer/operation';
import { mayDumpCore } from '@sotto/settings';
import type { Settings } from '../environment.js';

/** Properties of the machine that the doctor reads. */
export interface Machine {
  readonly nowMs: () => number;
  /** Returns true if a crashing process may write its memory to a disk. */
  readonly mayDumpCore: () => boolean;
  /** Returns the number of free bytes in a folder that the service can use. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Starts a worker thread that verifies proofs with the configured key, then ends it. */
  readonly tryProofWorker: (settings: Settings) => Promise<void>;
  /** Starts a worker thread that hashes calldata, then ends it. */
  readonly tryHashWorker: (settings: Settings) => Promise<void>;
}

export const thisMachine: Machine = {
  nowMs: () => Date.now(),
  mayDumpCore: () => mayDumpCore(),
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  async tryProofWorker({ verification }) {
    const verifier = await WorkerProofVerifier.start({
      verificationKey: verification.key,
      threads: 1,
    });
    await verifier.close();
  },
  tryHashWorker: (settings) => openParts(settings).tryHashWorkers(),
};

/** Timeout of a read in ms, which is short because an operator waits for the result. */
const READ_MS = 5_000;

/** Settings of a service, the machine, and the service's components, as the checks examine them. */
export interface Site {
  readonly settings: Settings;
  readonly machine: Machine;
  /** Components that a service with these settings would create. */
  readonly parts: Parts;
}

/** A site whose node is usable. */
export interface ConnectedSite extends Site {
  readonly node: NodeParts;
}

/** Opens the service's parts with short timeouts, because an operator waits for the result. */
export const partsOf = (settings: Settings): Parts =>
  openParts(settings, {
    readTimeoutMs: Math.min(settings.node.readTimeoutMs, READ_MS),
    sendTimeoutMs: READ_MS,
  });

/**
 * Returns the host of a URL. The rest of the URL is never printed, because it may contain a key.
 */
export const hostOf = (url: string): string => new URL(url).host;
