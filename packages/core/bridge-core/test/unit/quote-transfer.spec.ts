import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  BRIDGE_CHAINS,
  ListRoutes,
  QuoteTransfer,
  STRK,
  type BridgeProtocol,
  type QuoteTransferInput,
  type QuoteTransferOptions,
  type TransferQuote,
} from '../../src/index.js';
import { ManualClock } from '@sotto/kernel/testing';
import { FakeBridgeProtocol, InMemoryTransferStore } from '../../src/testing/index.js';

const STARKNET_ADDRESS = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

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

const NOW_SECONDS = 1_800_000_000;
const quoting = (protocol: BridgeProtocol, options: QuoteTransferOptions = {}): QuoteTransfer =>
  new QuoteTransfer(
    protocol,
    new InMemoryTransferStore(),
    new ManualClock(NOW_SECONDS * 1_000),
    options,
  );

describe('QuoteTransfer', () => {
  let protocol: FakeBridgeProtocol;
  let quoteTransfer: QuoteTransfer;
  beforeEach(() => {
    protocol = new FakeBridgeProtocol();
    quoteTransfer = quoting(protocol);
  });

  it('returns a bridge estimate without a deposit address if the request has no recipient', async () => {
    const { recipient: _, ...dry } = { ...inwards, dryRun: true };
    const quote = await quoteTransfer.execute(dry);
    expect(quote).toMatchObject({ deposit: null, estimatedOutput: 997_000_000_000_000_000n });
  });

  it.each([
    ['in', inwards, /^0x[0-9a-f]{40}$/],
    ['out', outwards, /^0x[0-9a-f]{60}$/],
  ])(
    'returns a deposit address of the source chain for a transfer that is no dry run: %s',
    async (_, input, address) => {
      const { deposit } = await quoteTransfer.execute(input);
      expect(deposit?.address).toMatch(address);
      expect(deposit?.transactionId).not.toBe('');
    },
  );

  it('converts between the decimals of the two tokens of a bridge transfer', async () => {
    const { estimatedOutput } = await quoteTransfer.execute({
      ...outwards,
      amount: (10n ** 19n).toString(),
    });
    expect(estimatedOutput).toBe(9_970_000n);
  });

  const rejections: readonly (readonly [string, Partial<QuoteTransferInput>, object])[] = [
    [
      'an unknown source chain',
      { fromChain: 'bitcoin' },
      { code: 'CHAIN_NOT_SUPPORTED', details: { end: 'from' } },
    ],
    ['a chain in other case', { fromChain: 'Ethereum' }, { code: 'CHAIN_NOT_SUPPORTED' }],
    [
      'an unknown destination chain',
      { toChain: '__proto__' },
      { code: 'CHAIN_NOT_SUPPORTED', details: { end: 'to' } },
    ],
    [
      'a token of another chain',
      { fromToken: 'SOL' },
      { code: 'TOKEN_NOT_SUPPORTED', details: { end: 'from' } },
    ],
    [
      'another token of Starknet',
      { toToken: 'ETH' },
      { code: 'TOKEN_NOT_SUPPORTED', details: { end: 'to' } },
    ],
    [
      'a route that does not touch Starknet',
      { toChain: 'base', toToken: 'ETH' },
      { code: 'ROUTE_NOT_SUPPORTED' },
    ],
    [
      'a route within Starknet',
      { fromChain: 'starknet', fromToken: 'STRK' },
      { code: 'ROUTE_NOT_SUPPORTED' },
    ],
    [
      'a route within another chain',
      { toChain: 'ethereum', toToken: 'USDC' },
      { code: 'ROUTE_NOT_SUPPORTED' },
    ],
    ['an amount of zero', { amount: '0' }, { code: 'AMOUNT_INVALID', kind: 'invalid' }],
    ['an amount with a fraction', { amount: '1.5' }, { code: 'AMOUNT_INVALID' }],
    [
      'no recipient',
      { recipient: undefined },
      { code: 'BRIDGE_RECIPIENT_INVALID', details: { reason: 'missing' } },
    ],
    [
      'a recipient of another chain',
      { recipient: 'alice.near' },
      { code: 'BRIDGE_RECIPIENT_INVALID', details: { reason: 'format' } },
    ],
    [
      'a recipient of another chain in a dry run',
      { recipient: 'alice.near', dryRun: true },
      { code: 'BRIDGE_RECIPIENT_INVALID', details: { reason: 'format' } },
    ],
    [
      'a refund address of another chain',
      { refundTo: 'alice.near' },
      { code: 'REFUND_ADDRESS_INVALID', details: { reason: 'format' } },
    ],
  ];

  it.each(rejections)(
    'rejects %s without a request to the bridge protocol',
    async (_, changes, failure) => {
      protocol.fail();
      await expect(quoteTransfer.execute({ ...inwards, ...changes })).rejects.toMatchObject(
        failure,
      );
    },
  );

  it('lists the supported chains in the error for an unknown chain', async () => {
    await expect(quoteTransfer.execute({ ...inwards, fromChain: 'bitcoin' })).rejects.toMatchObject(
      {
        details: { chains: ['starknet', ...BRIDGE_CHAINS.map(({ id }) => id)].join(', ') },
      },
    );
  });

  it('the error of a rejected bridge quote contains the bridge protocol’s text in addition to the error code', async () => {
    protocol.refuse({ kind: 'no_route', text: 'No liquidity on Sundays' });
    await expect(quoteTransfer.execute(inwards)).rejects.toMatchObject({
      code: 'NO_BRIDGE_ROUTE',
      details: { text: 'No liquidity on Sundays' },
    });
  });

  it('rejects a bridge transfer in a direction that the chain does not allow', async () => {
    const chains = BRIDGE_CHAINS.map((chain) => ({ ...chain, directions: ['in' as const] }));
    const inwardsOnly = quoting(protocol, { chains });
    await expect(inwardsOnly.execute(inwards)).resolves.toBeDefined();
    await expect(inwardsOnly.execute(outwards)).rejects.toMatchObject({
      code: 'ROUTE_NOT_SUPPORTED',
    });
  });

  it.each([
    [{ kind: 'no_route' } as const, { code: 'NO_BRIDGE_ROUTE', kind: 'unprocessable' }],
    [
      { kind: 'amount_too_low', minimum: 5n } as const,
      { code: 'AMOUNT_TOO_LOW', details: { minimum: '5' } },
    ],
    [{ kind: 'amount_too_low', minimum: null } as const, { code: 'AMOUNT_TOO_LOW', details: {} }],
    [
      { kind: 'recipient_refused' } as const,
      { code: 'BRIDGE_RECIPIENT_INVALID', details: { reason: 'refused' } },
    ],
    [
      { kind: 'refund_address_needed' } as const,
      { code: 'REFUND_ADDRESS_INVALID', details: { reason: 'missing' } },
    ],
  ])('the bridge protocol’s refusal %p has its own error code', async (rejection, failure) => {
    protocol.refuse(rejection);
    await expect(quoteTransfer.execute(inwards)).rejects.toMatchObject(failure);
  });

  it('requires a refund address if the bridge protocol needs a refund address', async () => {
    protocol.needRefundAddress();
    await expect(quoteTransfer.execute(inwards)).rejects.toMatchObject({
      code: 'REFUND_ADDRESS_INVALID',
    });
    await expect(
      quoteTransfer.execute({ ...inwards, refundTo: EVM_ADDRESS }),
    ).resolves.toBeDefined();
    await expect(quoteTransfer.execute({ ...inwards, dryRun: true })).resolves.toBeDefined();
  });

  const deposit = { transactionId: 'id', address: EVM_ADDRESS, memo: null, deadlineSeconds: null };
  const answers: readonly (readonly [string, Partial<TransferQuote>, boolean])[] = [
    ['a deposit address for a dry run', { deposit }, true],
    ['no deposit address', { deposit: null }, false],
    [
      'a deposit address of another chain',
      { deposit: { ...deposit, address: 'alice.near' } },
      false,
    ],
    [
      'a deposit address with a wrong checksum',
      { deposit: { ...deposit, address: EVM_ADDRESS.replace('5aA', '5AA') } },
      false,
    ],
    ['an output of zero', { deposit, estimatedOutput: 0n }, false],
  ];

  it.each(answers)('rejects a bridge quote with %s', async (_, changes, dryRun) => {
    const fees = { bridgeFee: null, gasEstimate: null, swapFees: null };
    const quote: TransferQuote = {
      estimatedOutput: 1n,
      route: [],
      fees,
      durationSeconds: null,
      deposit: null,
      ...changes,
    };
    const hostile = quoting({
      quote: async () => ({ kind: 'quoted', quote }),
      status: async () => null,
    });
    await expect(hostile.execute({ ...inwards, dryRun })).rejects.toMatchObject({
      code: 'BRIDGE_QUOTE_UNUSABLE',
      kind: 'upstream_failed',
    });
  });

  /**
   * Output of the fake protocol for this transfer in smallest units: the input, reduced by 0.3 %.
   */
  const ARRIVES = 997_000_000_000_000_000n;
  it.each([
    ['a hundredth of', 100n * ARRIVES],
    ['a hundred times', ARRIVES / 100n],
    ['less than a tenth of', 10n * ARRIVES + 1n],
    ['more than ten times', ARRIVES / 10n - 1n],
  ])(
    'rejects a bridge quote whose output is worth %s the market value of the input',
    async (_, value) => {
      const valued = quoting(protocol, { marketValue: async () => value });
      for (const dryRun of [true, false])
        await expect(valued.execute({ ...inwards, dryRun })).rejects.toMatchObject({
          code: 'BRIDGE_QUOTE_UNUSABLE',
          details: { reason: 'market_value' },
        });
    },
  );

  it.each([
    ['worth the same', ARRIVES],
    ['a tenth of the value', 10n * ARRIVES],
    ['ten times the value', ARRIVES / 10n],
    ['of unknown value', null],
    ['worth less than the smallest unit', 0n],
  ])('accepts a bridge quote whose output is %s', async (_, value) => {
    const requested: unknown[] = [];
    const valued = quoting(protocol, {
      marketValue: async (...terms) => {
        requested.push(terms);
        return value;
      },
    });
    await expect(valued.execute(inwards)).resolves.toMatchObject({ estimatedOutput: ARRIVES });
    expect(requested).toEqual([
      [expect.objectContaining({ symbol: 'ETH' }), BigInt(inwards.amount), STRK],
    ]);
  });

  it('a bridge quote fails with the error of the bridge protocol', async () => {
    protocol.fail();
    await expect(quoteTransfer.execute(inwards)).rejects.toMatchObject({
      code: 'FAKE_UPSTREAM_DOWN',
    });
  });

  it('errors of bridge quotes contain neither the recipient nor the refund address', async () => {
    const secrets = ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'alice.near'];
    for (const recipient of [`0x${secrets[0]}`, 'alice.near']) {
      const error: unknown = await quoteTransfer
        .execute({ ...outwards, recipient, refundTo: 'alice.near' })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'BRIDGE_RECIPIENT_INVALID' });
      for (const word of secrets) expect(JSON.stringify(error) + String(error)).not.toContain(word);
    }
  });
});

describe('ListRoutes', () => {
  const routes = new ListRoutes().execute();
  const named = routes.map(
    ({ direction, from, to }) =>
      `${direction} ${from.symbol}@${from.chain} ${to.symbol}@${to.chain}`,
  );

  it('the list of bridge routes contains all assets of the specification in both directions', () => {
    expect(routes).toHaveLength(2 * 22);
    expect(new Set(named).size).toBe(named.length);
    for (const asset of [
      'DAI@ethereum',
      'USDT@solana',
      'ETH@base',
      'ARB@arbitrum',
      'MATIC@polygon',
      'AVAX@avalanche',
      'OP@optimism',
      'NEAR@near',
    ]) {
      expect(named).toContain(`in ${asset} STRK@starknet`);
      expect(named).toContain(`out STRK@starknet ${asset}`);
    }
  });

  it('the list of bridge routes contains only routes for which quotes are possible', async () => {
    const quoteTransfer = quoting(new FakeBridgeProtocol());
    for (const { from, to } of routes) {
      const input = {
        fromChain: from.chain,
        fromToken: from.symbol,
        toChain: to.chain,
        toToken: to.symbol,
      };
      const amount = (10n ** BigInt(from.decimals)).toString();
      await expect(
        quoteTransfer.execute({ ...input, amount, dryRun: true }),
      ).resolves.toMatchObject({ deposit: null });
    }
  });

  it('the list of bridge routes contains no route in a direction that a chain does not allow', () => {
    const [ethereum] = BRIDGE_CHAINS;
    if (ethereum === undefined) throw new Error('no chain');
    const listed = new ListRoutes([{ ...ethereum, directions: ['out'] }]).execute();
    expect(listed.map(({ direction, from }) => [direction, from])).toEqual(
      ethereum.tokens.map(() => ['out', STRK]),
    );
  });
});
