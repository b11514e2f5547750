import { statfs } from 'node:fs/promises';
import { WorkerProofVerifier } from '@sotto/groth16';
import { openParts, type NodeParts, type Parts } from '@sotto/relayer/operation';
import { mayDumpCore } from '@sotto/settings';
import type { Settings } from '../environment.js';

/** Access of the doctor to the machine. */
export interface Machine {
  readonly nowMs: () => number;
  /** True if the memory of a crashing process may be written to a disk. */
  readonly mayDumpCore: () => boolean;
  /** Free bytes for the service in a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Starts a thread that verifies proofs with the key, and ends it. */
  readonly tryProofWorker: (settings: Settings) => Promise<void>;
  /** Does the same for the thread that hashes calldata. */
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

/** Maximum duration of a read in ms; an operator waits for it. */
const READ_MS = 5_000;

/** Subject of the checks. */
export interface Site {
  readonly settings: Settings;
  readonly machine: Machine;
  /** Parts that the service itself would use. */
  readonly parts: Parts;
}

/** Site with a usable node. */
export interface ConnectedSite extends Site {
  readonly node: NodeParts;
}

/** Opens the service's parts, with timeouts for a waiting operator. */
export const partsOf = (settings: Settings): Parts =>
  openParts(settings, {
    readTimeoutMs: Math.min(settings.node.readTimeoutMs, READ_MS),
    sendTimeoutMs: READ_MS,
  });

/** Host of an address. The rest is never shown, since it may contain a key. */
export const hostOf = (url: string): string => new URL(url).host;
