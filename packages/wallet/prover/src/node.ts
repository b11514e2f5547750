import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import type { Prover } from '@sotto/wallet';

import type { Fetch, WorkerProverOptions } from './artefacts.js';
import { ProverError } from './errors.js';
import type { ProvingArtefacts } from './proof.js';
import type { Groth16Proof } from './snark.js';
import { parseVerificationKey, type VerificationKey } from './verification-key.js';
import { WorkerProver, type RunningWorker, type WorkerListener } from './worker/worker-prover.js';

/**
 * Proves in a worker thread, which lives as long as its proof. Artefacts may be files, are read
 * once and stay in memory. Otherwise as the one for browsers.
 */
export function createWorkerProver(options: WorkerProverOptions): Prover {
  return new WorkerProver(options, { start, fetch: fetchOrRead });
}

/** Built: a worker thread cannot load TypeScript. From src/ and from dist/ it is the same file. */
const WORKER_FILE = fileURLToPath(new URL('../dist/worker/node-worker.js', import.meta.url));

/**
 * snarkjs imports the package web-worker, which takes every worker thread for one of its own and
 * loads this module there; an empty one.
 */
const WORKER_DATA = { type: 'module', mod: 'data:text/javascript,' };

function start({ message, failed }: WorkerListener): RunningWorker {
  // Conditions and loaders of the caller's process are not the worker's.
  const worker = new Worker(WORKER_FILE, { execArgv: [], workerData: WORKER_DATA });
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

/** Proving artefacts held in memory, and the key that belongs to them. */
export interface DevelopmentKeys extends ProvingArtefacts {
  readonly wasm: Uint8Array;
  readonly zkey: Uint8Array;
  readonly verificationKey: VerificationKey;
}

/**
 * The committed development keys of keys/. Their toxic waste is known: anybody can forge proofs for
 * them.
 * @throws ProverError ARTEFACT_UNAVAILABLE when a file is missing.
 */
export async function loadDevelopmentKeys(): Promise<DevelopmentKeys> {
  const [wasm, zkey, verificationKey] = await Promise.all([
    read('keys/withdraw.wasm'),
    read('keys/withdraw.zkey'),
    readText('keys/verification_key.json'),
  ]);
  return { wasm, zkey, verificationKey: parseVerificationKey(JSON.parse(verificationKey)) };
}

/**
 * One proven withdrawal with everything around it, for the tests of other packages. Integers are
 * decimal strings.
 */
export interface WithdrawalVector {
  readonly verificationKey: VerificationKey;
  readonly proof: Groth16Proof;
  /** In the order of PUBLIC_INPUTS. */
  readonly publicInputs: string[];
  /** 0x hex, with the length felt. */
  readonly calldata: string[];
  /** (−A, −B, C): the same statement, other felts. */
  readonly malleatedProof: Groth16Proof;
  readonly malleatedCalldata: string[];
  readonly note: {
    readonly text: string;
    readonly nullifier: string;
    readonly secret: string;
    readonly commitment: string;
    readonly nullifierHash: string;
  };
  /** All commitments of the tree, in order; the note is at `leafIndex`. */
  readonly leaves: string[];
  readonly leafIndex: number;
  /** 0x hex. */
  readonly recipient: string;
  /** 0x hex. */
  readonly relayer: string;
  readonly feeSats: string;
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * The vector of test/vectors/withdrawal.json, made with the development keys.
 * @throws ProverError ARTEFACT_UNAVAILABLE.
 */
export async function loadWithdrawalVector(): Promise<WithdrawalVector> {
  // A file of this package, not something from outside: scripts/make-vectors.mjs writes it and a
  // test pins its content.
  const vector: WithdrawalVector = JSON.parse(await readText('test/vectors/withdrawal.json'));
  return vector;
}

async function read(path: string): Promise<Uint8Array> {
  try {
    // The same relative place from src/ and from dist/.
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
