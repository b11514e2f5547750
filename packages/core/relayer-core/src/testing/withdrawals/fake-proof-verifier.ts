import type { DomainError } from '@sotto/kernel';
import type { G1Point, G2Point, Groth16Proof } from '@sotto/groth16/layout';
import type { ProofVerifier } from '../../withdrawals/ports/proof-verifier.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Prime of BN254's base field. */
const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * Accepts the proofs that a test has named. The twins (−A, −B, C) of these are valid as well, as on
 * the curve.
 */
export class FakeProofVerifier implements ProofVerifier {
  readonly #sound = new Set<string>();
  #failure: DomainError | null = null;
  #checks = 0;
  #held: Promise<void> = Promise.resolve();
  /** Network names passed to the checks, in order. */
  readonly names: (string | undefined)[] = [];

  /** Number of checks so far. */
  get checks(): number {
    return this.#checks;
  }

  accept(proof: Groth16Proof): void {
    this.#sound.add(nameOf(proof));
  }

  /** Makes every check reject with this error. Null ends it. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no thread to check with')): void {
    this.#failure = failure;
  }

  /** Delays all later checks until the returned function is called. */
  hold(): () => void {
    const released = new AbortController();
    this.#held = new Promise((resolve) => {
      released.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return () => released.abort();
  }

  async holds(proof: Groth16Proof, name?: string): Promise<boolean> {
    this.#checks += 1;
    this.names.push(name);
    await this.#held;
    if (this.#failure !== null) throw this.#failure;
    return this.#sound.has(nameOf(proof));
  }
}

/**
 * Returns a name that is equal for a proof and its twin, and different for any other two proofs.
 */
function nameOf({ a, b, c, publicInputs }: Groth16Proof): string {
  const flip = a.y > BASE_FIELD / 2n;
  const points = [flip ? minusG1(a) : a, flip ? minusG2(b) : b, c];
  return JSON.stringify([points, publicInputs], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

const minusG1 = ({ x, y }: G1Point): G1Point => ({ x, y: BASE_FIELD - y });
const minusG2 = ({ x, y: [c0, c1] }: G2Point): G2Point => ({
  x,
  y: [BASE_FIELD - c0, BASE_FIELD - c1],
});
