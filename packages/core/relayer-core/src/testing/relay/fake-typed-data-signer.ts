import { createHmac, randomBytes } from 'node:crypto';
import { FIELD_PRIME, toFelt, type DomainError, type Felt } from '@sotto/kernel';
import type { TypedData } from '../../relay/domain/typed-data.js';
import type {
  TypedDataSignature,
  TypedDataSigner,
} from '../../relay/ports/typed-data-signer.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/**
 * Signs typed data with a secret key and a hash instead of a curve, so only this fake can verify
 * the signatures.
 */
export class FakeTypedDataSigner implements TypedDataSigner {
  readonly #key = randomBytes(32);
  readonly #account = toFelt('0x51');
  #failure: DomainError | null = null;
  /** Number of signatures made so far. */
  signatures = 0;

  /**
   * Makes every signature request reject with this error. Null makes later requests succeed again.
   */
  fail(failure: DomainError | null = new FakeUpstreamDown('no key to sign with')): void {
    this.#failure = failure;
  }

  async sign(data: TypedData): Promise<TypedDataSignature> {
    if (this.#failure !== null) throw this.#failure;
    this.signatures += 1;
    return { signature: this.#signature(data), signer: this.#account };
  }

  /** True if the signature is this signer's signature of exactly this data. */
  verifies(data: TypedData, { signature: [r, s], signer }: TypedDataSignature): boolean {
    const [expectedR, expectedS] = this.#signature(data);
    return signer === this.#account && r === expectedR && s === expectedS;
  }

  #signature(data: TypedData): readonly [r: Felt, s: Felt] {
    const signed = JSON.stringify([this.#account, data]);
    const half = (name: string): Felt => {
      const digest = createHmac('sha256', this.#key).update(`${name}|${signed}`).digest('hex');
      return toFelt(BigInt(`0x${digest}`) % FIELD_PRIME);
    };
    return [half('r'), half('s')];
  }
}
