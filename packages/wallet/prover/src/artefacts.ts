import { ProverError } from './errors.js';

/** Pinned file that a prover needs. The file's bytes must match the hash. */
export interface Artefact {
  /** URL of the file (in Node also file:), or the bytes of the file. */
  readonly source: URL | Uint8Array;
  /** SHA-256 of the file's bytes, as 64 lower-case hex digits. */
  readonly sha256: string;
  /** Length of the file, in bytes. */
  readonly bytes: number;
}

/**
 * Artefacts of `createWorkerProver`. `T` is the type of a pinned file, or of the bytes after
 * loading.
 */
export interface ProverArtefacts<T = Artefact> {
  /** Witness generator of the circuit, in WebAssembly. */
  readonly wasm: T;
  /** Proving key. */
  readonly zkey: T;
  /** Verification key as exported by snarkjs, in JSON. */
  readonly verificationKey: T;
}

export interface WorkerProverOptions {
  readonly artefacts: ProverArtefacts;
}

/** Storage of fetched artefacts between page loads, by SHA-256. The methods must not reject. */
export interface ArtefactCache {
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  set(sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  delete(sha256: string): Promise<void>;
}

/** Reads a URL on this platform. */
export type Fetch = (url: URL, signal?: AbortSignal) => Promise<Response>;

/** Maximum time in ms in which a download receives no data; after this time the download fails. */
export const DOWNLOAD_SILENCE_MS = 60_000;

interface Surroundings {
  readonly fetch: Fetch;
  readonly cache?: ArtefactCache | undefined;
}

/**
 * Loads all artefacts in parallel, and compares each artefact with its hash and length. The
 * comparison is made for fetched and cached artefacts, and for artefacts that are given as bytes.
 * @param onFraction receives the share of loaded bytes, up to 1
 * @throws ProverError ARTEFACT_MISMATCH, ARTEFACT_UNAVAILABLE; the signal's reason
 */
export async function loadArtefacts(
  { wasm, zkey, verificationKey }: ProverArtefacts,
  surroundings: Surroundings,
  onFraction: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<ProverArtefacts<Uint8Array>> {
  const all = { wasm, zkey, verificationKey };
  const total = wasm.bytes + zkey.bytes + verificationKey.bytes;
  const loaded = { wasm: 0, zkey: 0, verificationKey: 0 };
  // The first failed download aborts the other downloads.
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => ended.abort(new Error('no data arrived')), DOWNLOAD_SILENCE_MS);
  };
  listen();
  const load = async (name: keyof ProverArtefacts): Promise<Uint8Array> =>
    loadArtefact(name, all[name], surroundings, either, (bytes) => {
      if (either.aborted) return;
      listen();
      loaded[name] = bytes;
      onFraction((loaded.wasm + loaded.zkey + loaded.verificationKey) / total);
    });
  try {
    const [wasmBytes, zkeyBytes, keyBytes] = await Promise.all([
      load('wasm'),
      load('zkey'),
      load('verificationKey'),
    ]);
    return { wasm: wasmBytes, zkey: zkeyBytes, verificationKey: keyBytes };
  } catch (error) {
    ended.abort();
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(silence);
  }
}

async function loadArtefact(
  name: string,
  { source, sha256, bytes }: Artefact,
  { fetch, cache }: Surroundings,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  const fits = async (found: Uint8Array<ArrayBuffer>): Promise<boolean> =>
    found.length === bytes && (await digestOf(found)) === sha256;
  const mismatch = (): ProverError =>
    new ProverError('ARTEFACT_MISMATCH', `${name} does not match its pinned SHA-256 and length`);

  if (source instanceof Uint8Array) {
    const copy = Uint8Array.from(source);
    if (!(await fits(copy))) throw mismatch();
    onBytes(bytes);
    return copy;
  }
  const cached = await cache?.get(sha256);
  if (cached !== undefined) {
    if (await fits(cached)) {
      onBytes(bytes);
      return cached;
    }
    await cache?.delete(sha256);
  }
  const fetched = await download(
    name,
    await responseOf(name, source, fetch, signal),
    bytes,
    onBytes,
  );
  if (fetched === undefined || !(await fits(fetched))) throw mismatch();
  await cache?.set(sha256, fetched);
  return fetched;
}

async function responseOf(
  name: string,
  source: URL,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(source, signal);
  } catch (cause) {
    throw new ProverError('ARTEFACT_UNAVAILABLE', `${name} cannot be fetched`, { cause });
  }
  if (response.ok && response.body !== null) return response;
  throw new ProverError(
    'ARTEFACT_UNAVAILABLE',
    `${name} cannot be fetched: status ${response.status}`,
  );
}

/** @returns undefined if the body is longer than expected; the rest of the body is then not read */
async function download(
  name: string,
  response: Response,
  limit: number,
  onBytes: (count: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const result = new Uint8Array(limit);
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await readOf(name, reader);
    if (chunk === undefined) return result.subarray(0, length);
    if (length + chunk.length > limit) {
      await reader?.cancel();
      return undefined;
    }
    result.set(chunk, length);
    length += chunk.length;
    onBytes(length);
  }
}

async function readOf(
  name: string,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<Uint8Array | undefined> {
  try {
    return (await reader?.read())?.value;
  } catch (cause) {
    throw new ProverError('ARTEFACT_UNAVAILABLE', `the download of ${name} broke off`, { cause });
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // `subtle` is available only in secure contexts (https: and localhost).
  const { subtle } = globalThis.crypto;
  if (subtle === undefined)
    throw new ProverError(
      'ARTEFACT_UNAVAILABLE',
      'artefacts cannot be checked: crypto.subtle needs a secure context (https)',
    );
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
