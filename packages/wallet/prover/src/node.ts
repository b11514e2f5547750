import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { Fetch, WorkerProverOptions } from './artefacts.js';
import { ProverError } from './errors.js';
import type { PrefetchingProver } from './prefetching-prover.js';
import type { ProvingArtefacts } from './proof.js';
import type { Groth16Proof } from './snark.js';
import { parseVerificationKey, type VerificationKey } from './verification-key.js';
import { WorkerProver, type RunningWorker, type WorkerListener } from './worker/worker-prover.js';

/**
 * Creates a prover that runs each proof in a separate worker thread. Artefacts may be files; they
 * are read once and stay in memory. Otherwise the prover equals the prover for browsers.
 */
export function createWorkerProver(options: WorkerProverOptions): PrefetchingProver {
  return new WorkerProver(options, { start, fetch: fetchOrRead });
}

/**
 * Path of the built file, because a worker thread can't load TypeScript. The relative path is valid
 * from src/ and from dist/.
 */
const WORKER_FILE = fileURLToPath(new URL('../dist/worker/node-worker.js', import.meta.url));

function start({ message, failed }: WorkerListener): RunningWorker {
  // Do not pass the import conditions and loaders of the caller's process to the worker.
  const worker = new Worker(WORKER_FILE, { execArgv: [] });
  worker.on('message', message);
  worker.on('messageerror', () => failed());
  worker.on('error', failed);
  worker.on('exit', () => failed());
  return { post: (job) => worker.postMessage(job), end: () => void worker.terminate() };
}

const fetchOrRead: Fetch = async (url, signal) => {
  const options = signal === undefined ? {} : { signal };
  return url.protocol === 'file:'
    ? new Response(await readFile(url, options))
    : fetch(url, options);
};

/** Proving artefacts and verification key, in memory. */
export interface DevelopmentKeys extends ProvingArtefacts {
  readonly zkey: Uint8Array;
  readonly verificationKey: VerificationKey;
}

/**
 * Reads the committed development keys of keys/. The setup's secrets are public: any reader can
 * forge proofs for these keys.
 * @throws ProverError ARTEFACT_UNAVAILABLE if a file is missing
 */
export async function loadDevelopmentKeys(): Promise<DevelopmentKeys> {
  const [zkey, verificationKey] = await Promise.all([
    read('keys/withdraw.zkey'),
    readText('keys/verification_key.json'),
  ]);
  return { zkey, verificationKey: parseVerificationKey(JSON.parse(verificationKey)) };
}

/**
 * One proven withdrawal with all its inputs, for the tests of other packages. Integers are decimal
 * strings.
 */
export interface WithdrawalVector {
  readonly verificationKey: VerificationKey;
  readonly proof: Groth16Proof;
  /** Public inputs as decimal strings, in the order of PUBLIC_INPUTS. */
  readonly publicInputs: string[];
  /** Calldata as 0x hex, including the length felt. */
  readonly calldata: string[];
  /** Malleated proof (−A, −B, C), which proves the same statement with different felts. */
  readonly malleatedProof: Groth16Proof;
  readonly malleatedCalldata: string[];
  readonly note: {
    readonly text: string;
    readonly nullifier: string;
    readonly secret: string;
    readonly commitment: string;
    readonly nullifierHash: string;
  };
  /** All commitments of the tree, in order. The note's commitment is at `leafIndex`. */
  readonly leaves: string[];
  readonly leafIndex: number;
  /** Recipient address as 0x hex. */
  readonly recipient: string;
  /** Relayer address as 0x hex. */
  readonly relayer: string;
  readonly feeSats: string;
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * Reads the vector of test/vectors/withdrawal.json, made with the development keys.
 * @throws ProverError ARTEFACT_UNAVAILABLE
 */
export async function loadWithdrawalVector(): Promise<WithdrawalVector> {
  // The package trusts this file: scripts/make-vectors.mjs writes it and a test pins its content.
  const vector: WithdrawalVector = JSON.parse(await readText('test/vectors/withdrawal.json'));
  return vector;
}

async function read(path: string): Promise<Uint8Array> {
  try {
    // The relative path is valid from src/ and from dist/.
    return await readFile(new URL(`../${path}`, import.meta.url));
  } catch (cause) {
    throw new ProverError('ARTEFACT_UNAVAILABLE', `${path} of this package cannot be read`, {
      cause,
    });
  }
}

async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await read(path));
}
