import { statfs } from 'node:fs/promises';
import { HeldKeys, NodeClient, StarknetAccountSigner } from '@sotto/adapter-starknet';
import { WorkerProofVerifier } from '@sotto/groth16';
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
  async tryHashWorker({ network }) {
    const signer = new StarknetAccountSigner({ chainId: network.chainId, keys: new HeldKeys([]) });
    try {
      await signer.warmUp();
    } finally {
      await signer.close();
    }
  },
};

/** Longest read of a check: an operator waits for it. */
const READ_MS = 5_000;

/** One of the service's nodes. */
export interface Endpoint {
  /** Secret: it may hold an access key. */
  readonly url: string;
  readonly client: NodeClient;
}

/** What checks look at. */
export interface Site {
  readonly settings: Settings;
  readonly machine: Machine;
}

/** The same with a node that answers as it should. */
export interface ConnectedSite extends Site {
  readonly nodeUrl: string;
  readonly node: NodeClient;
}

/** In the order of the settings. */
export function endpointsOf({ node }: Settings): readonly Endpoint[] {
  return node.endpoints.map(({ url }) => ({
    url: url.reveal(),
    client: new NodeClient({
      url: url.reveal(),
      readTimeoutMs: Math.min(node.readTimeoutMs, READ_MS),
      sendTimeoutMs: READ_MS,
    }),
  }));
}

/** Of an address only its host is shown: the rest may hold a key. */
export const hostOf = (url: string): string => new URL(url).host;
