import type { DomainError } from '@sotto/kernel';
import type { G1Point, G2Point, Groth16Proof } from '@sotto/groth16/layout';
import type { ProofVerifier } from '../../withdrawals/ports/proof-verifier.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Prime of the base field of BN254. */
const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * Accepts only the proofs (A, B, C) that a test has registered, and their variants (−A, −B, C).
 * These variants are valid on the curve as well.
 */
export class FakeProofVerifier implements ProofVerifier {
  readonly #sound = new Set<string>();
  #failure: DomainError | null = null;
  #checks = 0;
  #held: Promise<void> = Promise.resolve();
  /** Network names that were passed to the checks, in the order of the checks. */
  readonly names: (string | undefined)[] = [];

  /** Number of checks so far. */
  get checks(): number {
    return this.#checks;
  }

  accept(proof: Groth16Proof): void {
    this.#sound.add(nameOf(proof));
  }

  /** Makes every check reject with this error. Null makes later checks succeed again. */
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
 * Returns a name for a proof. A proof (A, B, C) and its variant (−A, −B, C) get the same name. Any
 * other two proofs get different names.
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
