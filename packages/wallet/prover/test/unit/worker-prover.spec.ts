import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ProvingProgress, WithdrawalRequest } from '@sotto/wallet/advanced';

import { developmentArtefacts } from '../../src/development-keys.js';
import { createWorkerProver, loadDevelopmentKeys } from '../../src/node.js';
import { runJob, type WorkerMessage } from '../../src/worker/job.js';
import { WORKER_SILENCE_MS, WorkerProver } from '../../src/worker/worker-prover.js';
import { aRequest, codeOf, noteAt } from '../support/builders.js';
import { proofIn } from '../support/calldata.js';
import { bytesOf, FakePlatform, PINS } from '../support/platform.js';
import { verifies } from '../support/snarkjs.js';

const threads = (): string[] =>
  process.getActiveResourcesInfo().filter((resource) => /messageport|worker/i.test(resource));

describe('a worker prover in Node', () => {
  it('a worker prover in Node ends its thread after the proof', async () => {
    const steps: ProvingProgress[] = [];
    const prover = createWorkerProver({ artefacts: developmentArtefacts });
    const calldata = await prover.prove(aRequest(), { onProgress: (one) => steps.push(one) });
    const proof = proofIn(calldata);
    expect(proof.publicInputs.slice(1, 5).map(BigInt)).toEqual([
      noteAt(4).nullifierHash,
      0xa11cen,
      0xbe1a7n,
      150n,
    ]);
    expect(await verifies(proof, (await loadDevelopmentKeys()).verificationKey)).toBe(true);
    expect(steps.filter(({ step }) => step === 'proof')).toHaveLength(10);
    expect(steps.at(-1)).toEqual({ step: 'calldata', fraction: 1 });
    await untilNoThreads();
  });

  it('a worker prover in Node ends its thread at once when the caller cancels', async () => {
    const user = new AbortController();
    const prover = createWorkerProver({ artefacts: developmentArtefacts });
    const onProgress = ({ step }: ProvingProgress): void => {
      if (step === 'proof') user.abort(new Error('the user has left'));
    };
    await expect(prover.prove(aRequest(), { signal: user.signal, onProgress })).rejects.toThrow(
      'the user has left',
    );
    await untilNoThreads();
  });

  it('a worker prover rejects artefacts that do not match their pins', async () => {
    const zkey = { ...developmentArtefacts.zkey, sha256: '0'.repeat(64) };
    const prover = createWorkerProver({ artefacts: { ...developmentArtefacts, zkey } });
    expect(await codeOf(async () => prover.prove(aRequest()))).toBe('ARTEFACT_MISMATCH');
  });
});

describe('a worker prover', () => {
  let platform: FakePlatform;
  let prover: WorkerProver;
  beforeEach(() => {
    platform = new FakePlatform();
    prover = new WorkerProver({ artefacts: PINS }, platform);
  });
  const finish = async (index: number, calldata: string[]): Promise<void> => {
    const { listener } = await platform.worker(index);
    listener.message({ kind: 'ready' });
    listener.message({ kind: 'proven', calldata });
  };

  it('a worker prover sends the note to a worker only when the worker is ready', async () => {
    const request = aRequest();
    const proving = prover.prove(request);
    const worker = await platform.worker(0);
    expect(worker.jobs).toEqual([]);
    worker.listener.message({ kind: 'ready' });
    expect(worker.jobs.map((job) => job.request)).toEqual([request]);
    expect(worker.jobs[0]?.artefacts.zkey).toEqual(bytesOf('the proving key'));
    worker.listener.message({ kind: 'proven', calldata: ['0x1'] });
    expect(await proving).toEqual(['0x1']);
    expect(worker.ended).toBe(true);
  });

  it('a worker prover creates one proof at a time, in the order of the calls', async () => {
    const first = prover.prove(aRequest());
    const second = prover.prove(aRequest({ feeAmount: 2n }));
    await platform.worker(0);
    await pause();
    expect(platform.workers).toHaveLength(1);
    await finish(0, ['0x1']);
    await finish(1, ['0x2']);
    expect(await Promise.all([first, second])).toEqual([['0x1'], ['0x2']]);
    expect(platform.fetched).toHaveLength(3);
  });

  it('a cancelled proof that is still waiting is dropped, and the proof in progress continues', async () => {
    const user = new AbortController();
    const first = prover.prove(aRequest());
    const second = prover.prove(aRequest(), { signal: user.signal });
    await platform.worker(0);
    user.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    await finish(0, ['0x1']);
    expect(await first).toEqual(['0x1']);
    await pause();
    expect(platform.workers).toHaveLength(1);
  });

  it('a worker prover starts a new worker for the next proof after it has ended a cancelled worker', async () => {
    const user = new AbortController();
    const steps: ProvingProgress[] = [];
    const proving = prover.prove(aRequest(), {
      signal: user.signal,
      onProgress: (one) => steps.push(one),
    });
    const worker = await platform.worker(0);
    worker.listener.message({ kind: 'ready' });
    user.abort(new Error('left'));
    const heard = steps.length;
    worker.listener.message({ kind: 'progress', step: 'proof', fraction: 0.5 });
    await expect(proving).rejects.toThrow('left');
    expect(worker.ended).toBe(true);
    expect(steps).toHaveLength(heard);
    const next = prover.prove(aRequest());
    await finish(1, ['0x2']);
    expect(await next).toEqual(['0x2']);
  });

  it('the error of a failed worker contains no cause if the worker had already received the note', async () => {
    const refused = prover.prove(aRequest());
    (await platform.worker(0)).listener.failed(new Error('no such file'));
    await expect(refused).rejects.toMatchObject({
      code: 'WORKER_FAILED',
      cause: { message: 'no such file' },
    });
    const crashed = prover.prove(aRequest());
    const worker = await platform.worker(1);
    worker.listener.message({ kind: 'ready' });
    worker.listener.failed(new Error(`out of memory at ${noteAt(4).secret}`));
    const error: unknown = await crashed.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'WORKER_FAILED' });
    expect(error).not.toHaveProperty('cause');
    expect(worker.ended).toBe(true);
  });

  it.each(['before it is ready', 'while it proves'])(
    'a worker prover ends a worker that hangs %s, and then serves the next call',
    async (when) => {
      const clock = jest.spyOn(globalThis, 'setTimeout');
      const hanging = prover.prove(aRequest());
      const next = prover.prove(aRequest());
      const { listener } = await platform.worker(0);
      if (when === 'while it proves') listener.message({ kind: 'ready' });
      const waits = clock.mock.calls.filter(([, ms]) => ms === WORKER_SILENCE_MS);
      clock.mockRestore();
      const [expire] = waits.at(-1) ?? [];
      expire?.();
      await expect(hanging).rejects.toMatchObject({
        code: 'WORKER_FAILED',
        message: 'the worker was not heard of for 5 minutes',
      });
      expect(platform.workers[0]?.ended).toBe(true);
      await finish(1, ['0x2']);
      expect(await next).toEqual(['0x2']);
    },
  );

  it('several callers can cancel their proofs with one signal', async () => {
    const user = new AbortController();
    const both = [1, 2].map(async () => prover.prove(aRequest(), { signal: user.signal }));
    await platform.worker(0);
    user.abort(new Error('left'));
    user.abort(new Error('left again'));
    for (const proving of both) await expect(proving).rejects.toThrow('left');
    const next = prover.prove(aRequest());
    await finish(1, ['0x2']);
    expect(await next).toEqual(['0x2']);
    expect(platform.workers).toHaveLength(2);
  });

  it('a worker prover ends its worker if the caller’s progress handler throws', async () => {
    const proving = prover.prove(aRequest(), {
      onProgress: ({ step }) => {
        if (step === 'proof') throw new Error('the bar is gone');
      },
    });
    const worker = await platform.worker(0);
    worker.listener.message({ kind: 'ready' });
    worker.listener.message({ kind: 'progress', step: 'proof', fraction: 0 });
    await expect(proving).rejects.toThrow('the bar is gone');
    expect(worker.ended).toBe(true);
  });

  it('a worker prover loads its artefacts again after an artefact did not match its pin', async () => {
    platform.bodies.set('wasm', 'something else');
    expect(await codeOf(async () => prover.prove(aRequest()))).toBe('ARTEFACT_MISMATCH');
    expect(platform.workers).toEqual([]);
    platform.bodies.set('wasm', 'the witness generator');
    const proving = prover.prove(aRequest());
    await finish(0, ['0x1']);
    expect(await proving).toEqual(['0x1']);
  });
});

const SECRET = 987_654_321_987_654_321n;

describe('the work of a worker', () => {
  it('a worker reports an error code and the limits of a value, but never a value of the request', async () => {
    const note = { ...noteAt(4), secret: SECRET << 248n };
    const outOfRange = await said({ note });
    expect(outOfRange).toMatchObject([{ kind: 'wallet-refused', code: 'NOTE_OUT_OF_RANGE' }]);
    const unknown = await said({ note: { ...noteAt(4), secret: SECRET } });
    expect(unknown).toMatchObject([{ kind: 'refused', code: 'LEAF_UNKNOWN' }]);
    for (const messages of [outOfRange, unknown])
      expect(JSON.stringify(messages)).not.toContain(String(SECRET));
  });

  it('a worker hides the details of unexpected errors', async () => {
    const leaves = new Proxy<bigint[]>([], {
      get: () => {
        throw new Error(`cannot read ${SECRET}`);
      },
    });
    expect(await said({ leaves })).toEqual([{ kind: 'failed' }]);
  });

  it('a worker reports STATEMENT_UNPROVABLE for artefacts of a different circuit', async () => {
    expect((await said({}, bytesOf('no WebAssembly'))).at(-1)).toMatchObject({
      kind: 'refused',
      code: 'STATEMENT_UNPROVABLE',
    });
  });

  it('a worker reports that WebAssembly is forbidden before it starts a proof', async () => {
    const forbidden = await said({}, undefined, async () => {
      throw new Error('violates the Content Security Policy');
    });
    expect(forbidden).toMatchObject([{ kind: 'refused', code: 'ARTEFACT_UNAVAILABLE' }]);
  });
});

describe('prefetching', () => {
  let platform: FakePlatform & { startsAhead?: boolean };
  let prover: WorkerProver;
  beforeEach(() => {
    platform = new FakePlatform();
    platform.startsAhead = true;
    prover = new WorkerProver({ artefacts: PINS }, platform);
  });
  const prefetched = async (): Promise<void> => {
    const prefetching = prover.prefetch();
    (await platform.worker(0)).listener.message({ kind: 'ready' });
    await prefetching;
  };

  it('a prefetching prover starts a worker, which gets the next note without further fetches', async () => {
    await prefetched();
    expect(platform.fetched).toHaveLength(3);
    expect(platform.workers[0]?.jobs).toEqual([]);
    await prover.prefetch();
    platform.bodies.clear();
    const proving = prover.prove(aRequest());
    await pause();
    expect(platform.workers).toHaveLength(1);
    expect(platform.workers[0]?.jobs).toHaveLength(1);
    platform.workers[0]?.listener.message({ kind: 'proven', calldata: ['0x1'] });
    expect(await proving).toEqual(['0x1']);
    expect(platform.workers[0]?.ended).toBe(true);
    expect(platform.fetched).toHaveLength(3);
  });

  it('a worker that failed after prefetching is replaced for the next proof', async () => {
    await prefetched();
    platform.workers[0]?.listener.failed(new Error('out of memory'));
    const proving = prover.prove(aRequest());
    const { listener } = await platform.worker(1);
    expect(platform.workers[0]?.ended).toBe(true);
    listener.message({ kind: 'ready' });
    listener.message({ kind: 'proven', calldata: ['0x2'] });
    expect(await proving).toEqual(['0x2']);
  });

  it('prefetching reports an artefact that can’t be fetched, and can be repeated', async () => {
    const body = platform.bodies.get('zkey') ?? '';
    platform.bodies.delete('zkey');
    expect(await codeOf(async () => prover.prefetch())).toBe('ARTEFACT_UNAVAILABLE');
    expect(platform.workers).toEqual([]);
    platform.bodies.set('zkey', body);
    await prefetched();
  });

  it('prefetching reports a worker that can’t be started, and ends it', async () => {
    const prefetching = prover.prefetch();
    (await platform.worker(0)).listener.failed(new Error('no such file'));
    await expect(prefetching).rejects.toMatchObject({ code: 'WORKER_FAILED' });
    expect(platform.workers[0]?.ended).toBe(true);
  });

  it('prefetching in Node starts no worker', async () => {
    platform.startsAhead = false;
    await prover.prefetch();
    expect(platform.workers).toEqual([]);
    expect(platform.fetched).toHaveLength(3);
  });
});

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Waits until the ended threads no longer exist. The limit is a minute, because the machine may be
 * busy.
 */
async function untilNoThreads(): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (threads().length > 0 && Date.now() < deadline) await pause();
  expect(threads()).toEqual([]);
}

/** Returns the messages that a worker sends for one job. */
async function said(
  change: Partial<WithdrawalRequest>,
  wasm?: Uint8Array,
  loadGaraga = async () => import('garaga'),
): Promise<WorkerMessage[]> {
  const { zkey, ...keys } = await loadDevelopmentKeys();
  const verificationKey = bytesOf(JSON.stringify(keys.verificationKey));
  const messages: WorkerMessage[] = [];
  await runJob(
    { artefacts: { wasm, zkey, verificationKey }, request: aRequest(change) },
    loadGaraga,
    (message) => messages.push(message),
  );
  return messages;
}
