import { StarknetConsentCheck } from '@sotto/adapter-starknet';
import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { describeConsentCheckContract } from '@sotto/relayer-core/testing/contracts';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';
import { startedOn } from '../support/relayed-deposits.js';

describePortsOnChain((chain) => {
  describeConsentCheckContract(runner, chain.name, async () => {
    const { stack, untrusted, question, signed, breakDown, stop } = await startedOn(chain);
    return {
      subject: new StarknetConsentCheck(stack.node, untrusted),
      signed,
      noAccount: question.token,
      breakDown,
      stop,
    };
  });
});

describeOnChain((chain) => {
  describe('deposit check', () => {
    it('the checks of a deposit share one HTTP request and return the chain state', async () => {
      const { stack, reader, question, balance, lastRoot, depositorClass, stop } =
        await startedOn(chain);
      try {
        expect([balance > 0n, lastRoot > 0n, depositorClass]).toEqual([
          true,
          true,
          expect.stringMatching(/^0x/),
        ]);
        stack.resetCounters();
        await reader.depositFacts(question);
        expect(stack.counters().httpRequests).toBe(1);
      } finally {
        await stop();
      }
    });

    it('the consent check accepts the return value 1 only from the configured account classes', async () => {
      const { stack, untrusted, signed, stop } = await startedOn(chain);
      try {
        const legacy = new StarknetConsentCheck(stack.node, untrusted, [signed.depositorClass]);
        expect(await legacy.isGiven(signed)).toBe(false);
      } finally {
        await stop();
      }
    });

    it('T10: the consent check does not call an account of an unknown class', async () => {
      const { stack, untrusted, signed, stop } = await startedOn(chain);
      try {
        const consents = new StarknetConsentCheck(stack.node, untrusted);
        const known = { ...signed, isKnownClass: true };
        expect(await consents.isGiven(known)).toBe(true);
        expect(await consents.isGiven({ ...known, signature: Felts.of([1n, 2n]) })).toBe(false);
        stack.resetCounters();
        const replaced = { ...known, depositorClass: toFelt('0xc1a55') };
        await expect(consents.isGiven(replaced)).rejects.toMatchObject({
          code: 'DEPOSIT_SIGNATURE_UNCHECKED',
        });
        expect(stack.counters().calls['starknet_call'] ?? 0).toBe(0);
      } finally {
        await stop();
      }
    });
  });
});
