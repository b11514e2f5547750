import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { QuoteTransfer, type QuoteTransferInput } from '../../src/index.js';
import { FakeBridgeProtocol, InMemoryTransferStore } from '../../src/testing/index.js';

const STARKNET_ADDRESS = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CONTRACT = `0x${'7'.repeat(62)}`;

const inwards: QuoteTransferInput = {
  fromChain: 'ethereum',
  fromToken: 'ETH',
  toChain: 'starknet',
  toToken: 'STRK',
  amount: '1000000000000000000',
  dryRun: false,
  recipient: STARKNET_ADDRESS,
};
const outwards: QuoteTransferInput = {
  ...inwards,
  fromChain: 'starknet',
  fromToken: 'STRK',
  toChain: 'polygon',
  toToken: 'USDC',
  recipient: EVM_ADDRESS,
};

describe('QuoteTransfer to a Starknet address', () => {
  let protocol: FakeBridgeProtocol;
  let quoteTransfer: QuoteTransfer;
  beforeEach(() => {
    protocol = new FakeBridgeProtocol();
    const clock = new ManualClock(1_800_000_000_000);
    quoteTransfer = new QuoteTransfer(protocol, new InMemoryTransferStore(), clock, {
      contracts: [toFelt(CONTRACT)],
    });
  });

  const unspendable: readonly (readonly [string, string, string])[] = [
    ['zero', '0x0', 'zero'],
    ['an Ethereum address', EVM_ADDRESS, 'too_small'],
    ['a small number', '0x7001', 'too_small'],
    ['the largest value that is too small', `0x${'f'.repeat(40)}`, 'too_small'],
    ['a contract of the profile', CONTRACT, 'contract'],
    ['the same contract in another form', CONTRACT.replace('0x', '0x00'), 'contract'],
  ];
  it.each(unspendable)(
    'rejects %s as the recipient of a bridge transfer on Starknet',
    async (_, recipient, reason) => {
      protocol.fail();
      for (const dryRun of [true, false])
        await expect(
          quoteTransfer.execute({ ...inwards, recipient, dryRun }),
        ).rejects.toMatchObject({
          code: 'BRIDGE_RECIPIENT_UNSPENDABLE',
          details: { reason },
        });
    },
  );

  it.each(unspendable.slice(1))(
    'rejects %s as the refund address of a bridge transfer on Starknet',
    async (_, refundTo, reason) => {
      protocol.fail();
      await expect(quoteTransfer.execute({ ...outwards, refundTo })).rejects.toMatchObject({
        code: 'REFUND_ADDRESS_INVALID',
        details: { reason },
      });
    },
  );

  it('accepts the smallest valid Starknet address, and any address on other chains', async () => {
    const recipient = `0x1${'0'.repeat(40)}`;
    await expect(quoteTransfer.execute({ ...inwards, recipient })).resolves.toBeDefined();
    const refundTo = EVM_ADDRESS;
    await expect(quoteTransfer.execute({ ...inwards, refundTo })).resolves.toBeDefined();
    await expect(quoteTransfer.execute(outwards)).resolves.toBeDefined();
  });
});
