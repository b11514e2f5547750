import { statfs } from 'node:fs/promises';
import { WorkerProofVerifier } from '@sotto/groth16';
import { openParts, type NodeParts, type Parts } from '@sotto/relayer/operation';
import { mayDumpCore } from '@sotto/settings';
import type { Settings } from '../environment.js';

/** What the doctor asks of the machine. */
export interface Machine {
  readonly nowMs: () => number;
  /** Whether the memory of a process that crashes may be written to a disk. */
  readonly mayDumpCore: () => boolean;
  /** Bytes that the service may still write in a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
  /** Starts a thread that checks proofs under the key, and ends it. */
  readonly tryProofWorker: (settings: Settings) => Promise<void>;
  /** The same of the one that hashes calldata. */
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

/** Longest read of a check: an operator waits for it. */
const READ_MS = 5_000;

/** What checks look at. */
export interface Site {
  readonly settings: Settings;
  readonly machine: Machine;
  /** Parts that the service itself would use. */
  readonly parts: Parts;
}

/** The same with a node that answers as it should. */
export interface ConnectedSite extends Site {
  readonly node: NodeParts;
}

/** The service's parts, whose reads an operator waits for. */
export const partsOf = (settings: Settings): Parts =>
  openParts(settings, {
    readTimeoutMs: Math.min(settings.node.readTimeoutMs, READ_MS),
    sendTimeoutMs: READ_MS,
  });

/** Of an address only its host is shown: the rest may hold a key. */
export const hostOf = (url: string): string => new URL(url).host;
