import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HOSTILE_DEEDS,
  buildGenesis,
  sandboxWorld,
  startSandbox,
  type HostileDeed,
  type Sandbox,
} from '../../../src/index.js';
import { toHex } from '../../../src/engine/felt.js';
import { trapdoorKey } from '../contracts/trapdoor.js';
import { AggregatorClient, ETH, TAKER, USDC, WBTC, type Call } from './client.js';

const { router, exchanges, tokens } = sandboxWorld;
const ROUTER = toHex(router);
const FIRST = toHex(exchanges.first.address);
const SECOND = toHex(exchanges.second.address);
/** Amount of ETH, in wei, that is worth 19,600 sats: 19.6 USD at 3,500 USD per ETH. */
const QUOTED = 5_600_000_000_000_000n;
const MINIMUM = 5_544_000_000_000_000n;
const WHOLE = '0xe8d4a51000';
const BRANCH = '0x6272616e6368';

describe('builds of the aggregator', () => {
  let sandbox: Sandbox;
  let client: AggregatorClient;
  beforeEach(async () => {
    sandbox = await startSandbox({
      genesis: buildGenesis({ verificationKey: trapdoorKey }),
      cadence: 'manual',
    });
    client = new AggregatorClient(sandbox.aggregatorUrl);
  });
  afterEach(() => sandbox.stop());

  const approve: Call = {
    contractAddress: WBTC,
    entrypoint: 'approve',
    calldata: [ROUTER, '0x4c90', '0x0'],
  };
  const swapOver = (...routes: readonly string[]): Call => ({
    contractAddress: ROUTER,
    entrypoint: 'multi_route_swap',
    calldata: [
      WBTC,
      '0x4c90',
      '0x0',
      ETH,
      toHex(QUOTED),
      '0x0',
      toHex(MINIMUM),
      '0x0',
      TAKER,
      '0x0',
      '0x0',
      ...routes,
    ],
  });
  const direct = swapOver('0x1', WBTC, ETH, FIRST, WHOLE, '0x0');

  it('a build of the aggregator returns the specified array of calls: approve, then multi_route_swap', async () => {
    expect(await client.build((await client.quote()).quoteId)).toEqual({
      status: 200,
      body: [approve, direct],
    });
  });

  it('a build of the aggregator returns AVNU’s object if `buildShape` is `avnu`', async () => {
    sandbox.control.aggregator.configure({ buildShape: 'avnu' });
    expect((await client.build((await client.quote()).quoteId, { private: true })).body).toEqual({
      chainId: toHex(BigInt(`0x${Buffer.from('SN_SOTTO_SANDBOX').toString('hex')}`)),
      calls: [approve, direct],
      executorAddress: null,
    });
  });

  it('a build omits the approval if `includeApprove` is false', async () => {
    expect(await client.calls({ includeApprove: false })).toEqual([direct]);
  });

  it('a build of the aggregator contains routes in the configured form', async () => {
    sandbox.control.aggregator.configure({ routeForm: 'branch' });
    expect((await client.calls())[1]).toEqual(
      swapOver(
        '0x1',
        WBTC,
        ETH,
        BRANCH,
        FIRST,
        WHOLE,
        '0x0',
        '0x1',
        SECOND,
        toHex(200_000_000_000n),
        '0x0',
      ),
    );
    sandbox.control.aggregator.configure({ routeForm: 'split' });
    const [, split] = await client.calls();
    expect(split?.calldata.slice(11)).toEqual([
      '0x2',
      WBTC,
      ETH,
      FIRST,
      toHex(600_000_000_000n),
      '0x0',
      WBTC,
      ETH,
      SECOND,
      WHOLE,
      '0x0',
    ]);
  });

  it.each([
    [0, QUOTED],
    [0.005, 5_572_000_000_000_000n],
    [0.0157, 5_512_080_000_000_000n],
    [0.1, 5_040_000_000_000_000n],
    [1, 0n],
  ])(
    'the minimum output of a build is the quoted amount minus the slippage of %p',
    async (slippage, minimum) => {
      expect((await client.calls({ slippage }))[1]?.calldata[6]).toBe(toHex(minimum));
    },
  );

  it('a build uses the taker address of its quote by default', async () => {
    const { quoteId } = await client.quote();
    expect((await client.build(quoteId, { takerAddress: undefined })).body).toEqual([
      approve,
      direct,
    ]);
    const { body } = await client.get({
      sellTokenAddress: WBTC,
      buyTokenAddress: ETH,
      sellAmount: '0x1',
    });
    const [nobodys] = Array.isArray(body) ? body : [];
    expect(await client.build(nobodys.quoteId, { takerAddress: undefined })).toEqual({
      status: 400,
      body: { messages: ['takerAddress is required'] },
    });
  });

  it.each([
    ['a slippage above one', { slippage: 1.1 }],
    ['a slippage as text', { slippage: '0.01' }],
    ['no quote id', { quoteId: undefined }],
    ['a taker that is no address', { takerAddress: 'me' }],
  ])('the aggregator rejects a build request with %s', async (_name, changes) => {
    const { quoteId } = await client.quote();
    expect(await client.build(quoteId, changes)).toEqual({
      status: 400,
      body: { messages: [expect.stringMatching(/./)] },
    });
  });

  describe('expired quotes', () => {
    const refused = { status: 400, body: { messages: ['Invalid quote id'] } };

    it('a build of an expired quote gets the same error as a build of an unknown quote', async () => {
      sandbox.control.freezeClock();
      const { quoteId } = await client.quote();
      sandbox.control.moveClock(29_999);
      expect(await client.build(quoteId)).toMatchObject({ status: 200 });
      sandbox.control.moveClock(1);
      expect(await client.build(quoteId)).toEqual(refused);
      expect(await client.build('00000000-0000-4000-8000-000000000000')).toEqual(refused);
    });

    it('a build is rejected after a test has expired its quote', async () => {
      const { quoteId } = await client.quote();
      sandbox.control.aggregator.expireQuotes();
      expect(await client.build(quoteId)).toEqual(refused);
      expect(await client.build((await client.quote()).quoteId)).toMatchObject({ status: 200 });
    });

    it('a build is rejected after the configured lifetime of its quote', async () => {
      sandbox.control.aggregator.configure({ quoteLifetimeMs: 0 });
      expect(await client.build((await client.quote()).quoteId)).toEqual(refused);
    });
  });

  it('the minimum output of a build does not change if the price changes after the quote', async () => {
    const pair = { sellToken: tokens.WBTC.address, buyToken: tokens.ETH.address };
    const { quoteId } = await client.quote();
    sandbox.control.aggregator.moveRate(pair, -500);
    expect((await client.build(quoteId)).body).toEqual([approve, direct]);
    expect((await client.quote()).buyAmount).toBe(toHex((QUOTED * 95n) / 100n));
    sandbox.control.aggregator.moveRate(pair, -1_000, 'after-build');
    expect((await client.quote()).buyAmount).toBe(toHex((QUOTED * 95n) / 100n));
    await client.build(quoteId);
    await client.build(quoteId);
    expect((await client.quote()).buyAmount).toBe(toHex((QUOTED * 855n) / 1_000n));
  });

  describe('hostile builds', () => {
    const THIEF = toHex(BigInt(`0x${Buffer.from('thief').toString('hex')}`));
    const at = (index: number, felt: string): Call => ({
      ...direct,
      calldata: direct.calldata.with(index, felt),
    });
    const transfer: Call = {
      contractAddress: WBTC,
      entrypoint: 'transfer',
      calldata: [THIEF, '0x4c90', '0x0'],
    };
    const answers: Readonly<Record<HostileDeed, readonly Call[]>> = {
      'wrong-spender': [{ ...approve, calldata: [THIEF, '0x4c90', '0x0'] }, direct],
      'unlimited-approval': [
        { ...approve, calldata: [ROUTER, `0x${'f'.repeat(32)}`, `0x${'f'.repeat(32)}`] },
        direct,
      ],
      'wrong-beneficiary': [approve, at(8, THIEF)],
      'lower-minimum': [approve, at(6, '0x1')],
      'unknown-router': [
        { ...approve, calldata: [THIEF, '0x4c90', '0x0'] },
        { ...direct, contractAddress: THIEF },
      ],
      'integrator-fee': [
        approve,
        { ...direct, calldata: direct.calldata.with(9, '0x64').with(10, THIEF) },
      ],
      'other-sell-token': [{ ...approve, contractAddress: USDC }, at(0, USDC)],
      'other-buy-token': [approve, at(3, USDC)],
      'other-amount': [{ ...approve, calldata: [ROUTER, '0x9920', '0x0'] }, at(1, '0x9920')],
      'unknown-exchange': [approve, at(14, THIEF)],
      'unknown-route-form': [
        approve,
        { ...direct, calldata: direct.calldata.toSpliced(14, 0, '0x74776967') },
      ],
      'extra-call': [approve, direct, transfer],
      'no-swap': [approve],
      'garbage-calldata': [
        approve,
        {
          ...direct,
          calldata: direct.calldata.map((_, index) => toHex(BigInt(index * 1_000_003))),
        },
      ],
      'no-felts': [approve, { ...direct, calldata: direct.calldata.map(() => 'not a felt') }],
    };

    it.each(HOSTILE_DEEDS)(
      'a build of the hostile aggregator contains exactly one manipulated part: %s',
      async (deed) => {
        sandbox.control.aggregator.addFault({
          endpoint: 'build',
          fault: { kind: 'hostile', deed },
        });
        expect(await client.calls()).toEqual(answers[deed]);
        expect(await client.calls()).toEqual([approve, direct]);
      },
    );
  });
});
