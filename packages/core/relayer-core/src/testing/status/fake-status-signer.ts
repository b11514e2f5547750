import { createHmac, randomBytes } from 'node:crypto';
import { FIELD_PRIME, toFelt, type DomainError, type Felt } from '@sotto/kernel';
import { statusTypedData, type StatusDigest } from '../../status/domain/status-typed-data.js';
import type { StatusSignature, StatusSigner } from '../../status/ports/status-signer.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/**
 * Signs the typed data of statuses with a key that only it has; no curve is involved, so only it
 * can verify.
 */
export class FakeStatusSigner implements StatusSigner {
  readonly #key = randomBytes(32);
  readonly #account = toFelt('0x51');
  #failure: DomainError | null = null;
  /** How often it has signed. */
  signatures = 0;

  /** Every signature rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('no key to sign with')): void {
    this.#failure = failure;
  }

  async signStatus(digest: StatusDigest): Promise<StatusSignature> {
    if (this.#failure !== null) throw this.#failure;
    this.signatures += 1;
    return { signature: this.#signature(digest), signer: this.#account };
  }

  /** Whether it signed exactly this. */
  verifies(digest: StatusDigest, { signature: [r, s], signer }: StatusSignature): boolean {
    const [expectedR, expectedS] = this.#signature(digest);
    return signer === this.#account && r === expectedR && s === expectedS;
  }

  #signature(digest: StatusDigest): readonly [r: Felt, s: Felt] {
    const signed = JSON.stringify([this.#account, statusTypedData(digest)]);
    const half = (name: string): Felt => {
      const hash = createHmac('sha256', this.#key).update(`${name}|${signed}`).digest('hex');
      return toFelt(BigInt(`0x${hash}`) % FIELD_PRIME);
    };
    return [half('r'), half('s')];
  }
}
