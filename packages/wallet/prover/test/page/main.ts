// Page of a wallet for test/browser/worker-prover.spec.ts, which bundles this file with Vite.
import { createWorkerProver } from '@sotto/prover';
import { developmentArtefacts } from '@sotto/prover/development-keys';
import { createPasskey, passkeySeed } from '@sotto/wallet';
import {
  MerkleTree,
  noteOf,
  type ProveOptions,
  type ProvingProgress,
} from '@sotto/wallet/advanced';

const prover = createWorkerProver({ artefacts: developmentArtefacts });
const note = noteOf(1234n, 5678n);

async function prove(options: ProveOptions): Promise<readonly string[]> {
  const path = MerkleTree.of([1n, note.commitment]).path(1);
  return prover.prove(
    { note, path, recipient: 1n, relayer: 2n, feeAmount: 3n, batchStart: 0, batchSize: 2 },
    options,
  );
}

Object.assign(globalThis, {
  prefetchOnce: async () => prover.prefetch(),
  /** Creates a passkey and derives its seed three times, once without naming the passkey. */
  async passkeySeeds() {
    const passkey = await createPasskey({ page: 'a wallet', wallet: 'of this test' });
    const seeds = [await passkeySeed(passkey), await passkeySeed(passkey), await passkeySeed()];
    return seeds.map((seed) => [...seed]);
  },
  /** Returns the error code of a passkey that can't be created. */
  passkeyFailure: async () =>
    createPasskey({ page: 'a wallet', wallet: 'of this test' }).then(
      () => 'created',
      (error: unknown) => Object(error).code,
    ),
  async proveOnce() {
    const progress: ProvingProgress[] = [];
    const calldata = await prove({ onProgress: (one) => progress.push(one) });
    return { calldata, progress };
  },
  /** Cancels the request as soon as the step `proof` has started. */
  async cancelOnce() {
    const user = new AbortController();
    let cancelledAt = 0;
    const onProgress = ({ step }: ProvingProgress): void => {
      if (step !== 'proof') return;
      cancelledAt = performance.now();
      user.abort(new Error('the user has left'));
    };
    try {
      await prove({ signal: user.signal, onProgress });
      return { message: 'not cancelled', afterMs: 0 };
    } catch (error) {
      return { message: String(error), afterMs: performance.now() - cancelledAt };
    }
  },
});
