import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { feltToBigInt, toFelt } from '@sotto/kernel';
import type { StatusDigest } from '../../status/domain/status-typed-data.js';
import type { StatusSignature, StatusSigner } from '../../status/ports/status-signer.port.js';

export interface StatusSignerHarness {
  readonly subject: StatusSigner;
  /**
   * Whether the signer's account signed exactly this digest, checked without the subject where the
   * signature allows it.
   */
  verifies(digest: StatusDigest, signature: StatusSignature): Promise<boolean>;
  stop(): Promise<void>;
}

const digest: StatusDigest = {
  chainId: toFelt('0x534e5f5345504f4c4941'),
  issuedAt: 1_760_000_000,
  digest: 2n ** 255n + 7n,
};

const forgeries: readonly (readonly [string, Partial<StatusDigest>])[] = [
  ['another chain', { chainId: toFelt('0x534e5f4d41494e') }],
  ['a later moment', { issuedAt: digest.issuedAt + 1 }],
  ['another digest', { digest: digest.digest + 1n }],
  ['a digest that differs in its high half', { digest: digest.digest ^ (1n << 200n) }],
];

export function describeStatusSignerContract(
  name: string,
  start: () => Promise<StatusSignerHarness>,
): void {
  describe(`StatusSigner contract (${name})`, () => {
    let harness: StatusSignerHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('signs what anybody can verify, any number of times', async () => {
      expect(await harness.verifies(digest, await harness.subject.signStatus(digest))).toBe(true);
      expect(await harness.verifies(digest, await harness.subject.signStatus(digest))).toBe(true);
    });

    it.each(forgeries)('binds its signature: %s does not verify', async (_, change) => {
      expect(
        await harness.verifies({ ...digest, ...change }, await harness.subject.signStatus(digest)),
      ).toBe(false);
    });

    it('does not verify for another account, nor with a signature of another making', async () => {
      const signed = await harness.subject.signStatus(digest);
      const [r, s] = signed.signature;
      expect(await harness.verifies(digest, { ...signed, signer: toFelt('0x99') })).toBe(false);
      expect(
        await harness.verifies(digest, { ...signed, signature: [r, toFelt(feltToBigInt(s) ^ 1n)] }),
      ).toBe(false);
    });
  });
}
