import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MerkleTree } from '@sotto/wallet/advanced';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { FEE_ADDRESS, Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'swap_input_1';
const FEE_SATS = 400n;
const leaves = anyLeaves(6);
const withdrawals = new ForgedWithdrawals(leaves, FEE_SATS);
/** Output of a swap of 19,600 sats at the stack's prices. Each output is worth 19.6 USD. */
const OUTPUTS = { USDC: 19_600_000n, ETH: 5_600_000_000_000_000n } as const;

describeOnChain('a private swap', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start, {
      deposits: { [POOL]: leaves },
      verificationKey: trapdoorKey,
    });
  });
  afterAll(() => site.stop());

  const world = () => site.chain.world;
  const bodyOf = (
    index: number,
    into: keyof typeof OUTPUTS,
    commitment = 0x5a1n + BigInt(index),
  ) => ({
    wbtcPool: toFelt(world().pools[POOL].address),
    proofCalldata: [...withdrawals.calldata(index, world().swapPool.address)],
    newCommitment: toFelt(commitment),
    outputToken: toFelt(world().tokens[into].address),
  });
  const swap = (...body: Parameters<typeof bodyOf>) =>
    site.client.POST('/api/relayer/private-swap', { body: bodyOf(...body) });
  const leafInfo = (leaf: number) =>
    site.chain.client.view(world().swapPool.address, 'get_leaf_info', [BigInt(leaf)]);
  const nonce = () => site.chain.client.nonceOf(world().accounts.swapOwner.address);
  const isSpent = (index: number) => site.chain.isSpent(POOL, withdrawals.nullifierOf(index));

  it.each([
    ['USDC', 0],
    ['ETH', 1],
  ] as const)(
    'the service reports the same leaf and amount for a swap into %s as the chain',
    async (symbol, index) => {
      const [feesBefore, nonceBefore] = [await site.chain.wbtcOf(FEE_ADDRESS), await nonce()];
      const { data, response } = await swap(index, symbol);
      const amount = OUTPUTS[symbol];
      const outcome = {
        execution_status: 'SUCCEEDED',
        leafIndex: index,
        outputAmount: `0x${amount.toString(16)}`,
      };
      expect([response.status, data]).toEqual([
        200,
        {
          ...outcome,
          transaction_hash: expect.stringMatching(/^0x[\da-f]+$/),
          revert_reason: null,
          slippage: 0.01,
          floor: String((amount * 99n) / 100n),
        },
      ]);
      expect(await leafInfo(index)).toEqual([world().tokens[symbol].address, amount, 0n]);
      expect(await site.chain.wbtcOf(FEE_ADDRESS)).toBe(feesBefore + FEE_SATS);
      expect(await isSpent(index)).toBe(true);
      expect(await nonce()).toBe(nonceBefore + 1n);
      expect(await site.settled(response.headers.get('location'), 'succeeded')).toMatchObject(
        outcome,
      );
    },
  );

  it('S4 the swapped ERC-20 token of a private swap reaches a fresh address by a relayed withdrawal', async () => {
    const [pool, token] = [world().swapPool.address, world().tokens.USDC.address];
    const poolAddress = toFelt(pool);
    const [leafIndex, recipient] = [0, 2n ** 250n + 0xf7e54n];
    const { data: quote } = await site.client.POST('/api/relayer/quote', {
      body: { poolAddress, leafIndex },
    });
    expect(quote).toMatchObject({
      pool: poolAddress,
      leafIndex,
      feeToken: toFelt(token),
      maxFeeAmount: String(OUTPUTS.USDC / 20n),
    });
    const fee = BigInt(quote?.fee ?? 0n);
    const { root } = MerkleTree.of([0x5a1n, 0x5a2n]);
    const batch = { batchStart: BigInt(leafIndex), batchSize: 1n };
    const calldata = [
      ...forgedCalldata({
        root,
        nullifierHash: 0x5fa7n,
        recipient,
        relayer: FEE_ADDRESS,
        fee,
        ...batch,
      }),
    ];
    const body = { poolAddress, calldata, quoteId: quote?.quoteId ?? '', leafIndex };
    const { data, response } = await site.client.POST('/api/relayer/withdraw', { body });
    expect([response.status, data]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'SUCCEEDED', revert_reason: null }),
    ]);
    expect(await site.chain.client.balanceOf(token, recipient)).toBe(OUTPUTS.USDC - fee);
    await site.settled(response.headers.get('location'), 'succeeded');
  });

  it('rejects a swap before sending if the note is spent, the commitment exists or the pool is paused', async () => {
    site.proxy.resetCounters();
    const spent = await swap(0, 'USDC', 0x5b1n);
    expect([spent.response.status, spent.error]).toEqual([
      409,
      expect.objectContaining({ code: 'NULLIFIER_SPENT', leafIndex: -1 }),
    ]);
    const known = await swap(2, 'USDC', 0x5a1n);
    expect(known.error).toMatchObject({ code: 'COMMITMENT_EXISTS', leafIndex: -1 });
    await site.chain.setPaused(world().swapPool.address, true);
    const paused = await swap(2, 'USDC');
    expect(paused.error).toMatchObject({
      code: 'SIMULATION_REVERTED',
      details: { reason: expect.stringContaining('paused') },
      leafIndex: -1,
    });
    await site.chain.setPaused(world().swapPool.address, false);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
  });

  it('S3 rejects a swap before it is sent if the aggregator quotes a thousandth of the sold value', async () => {
    const { aggregator } = site.chain.neighbours;
    site.proxy.resetCounters();
    for (const priceImpact of [99.9, 0]) {
      aggregator.configure({ priceImpact });
      aggregator.addFault({
        endpoint: 'quotes',
        fault: { kind: 'hostile-quotes', deed: 'low-quote' },
      });
      const { error, response } = await swap(4, 'ETH');
      const details = {
        fairAmount: String(OUTPUTS.ETH),
        quotedAmount: String(OUTPUTS.ETH / 1_000n),
        maximumImpact: 0.03,
      };
      expect([response.status, error]).toEqual([
        422,
        expect.objectContaining({ code: 'PRICE_IMPACT_TOO_HIGH', details, leafIndex: -1 }),
      ]);
    }
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    expect(await isSpent(4)).toBe(false);
  });

  it('S1: only the swap’s owner may retry a swap that reverted because of a worse price', async () => {
    const { WBTC, USDC } = world().tokens;
    const rate = { sell: WBTC.address, buy: USDC.address, sellAmount: 19_600n };
    site.proxy.addFault({ method: ADD, fault: { kind: 'arrive-late', delayMs: 4_000 } });
    const requested = swap(3, 'USDC');
    await site.proxyStruck('arrive-late', requested);
    await site.chain.setRate({ ...rate, buyAmount: (OUTPUTS.USDC * 9n) / 10n });
    const { data, response } = await requested;
    expect([response.status, data]).toEqual([
      200,
      {
        transaction_hash: expect.any(String),
        execution_status: 'REVERTED',
        revert_reason: expect.stringContaining('Insufficient tokens received'),
        leafIndex: -1,
        outputAmount: '0x0',
        noteAtRisk: { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' },
        slippage: 0.01,
        floor: String((OUTPUTS.USDC * 99n) / 100n),
      },
    ]);
    expect(await isSpent(3)).toBe(false);
    await site.settled(response.headers.get('location'), 'reverted');

    await site.chain.setRate({ ...rate, buyAmount: OUTPUTS.USDC });
    // The proof is public, because the block contains the reverted transaction.
    site.proxy.resetCounters();
    const stolen = await swap(3, 'USDC', 0x7e1fn);
    expect([stolen.response.status, stolen.error]).toEqual([
      409,
      expect.objectContaining({
        code: 'SWAP_PINNED',
        details: { newCommitment: '0x5a4', outputToken: toFelt(world().tokens.USDC.address) },
        leafIndex: -1,
      }),
    ]);
    expect(site.proxy.counters().calls[ADD]).toBeUndefined();
    expect(await isSpent(3)).toBe(false);

    const again = await swap(3, 'USDC');
    expect(again.data).toMatchObject({ execution_status: 'SUCCEEDED', leafIndex: 2 });
    expect(await isSpent(3)).toBe(true);
  });

  it('T1: a swap that is requested again after a revert is signed with the new request’s terms', async () => {
    const { WBTC, ETH } = world().tokens;
    const rate = { sell: WBTC.address, buy: ETH.address, sellAmount: 19_600n };
    /** Sets the exchange rate on chain and the same rate for the aggregator's quotes. */
    const setMarket = async (buyAmount: bigint): Promise<void> => {
      const { sell: sellToken, buy: buyToken, sellAmount } = rate;
      site.chain.neighbours.aggregator.setRate({ sellToken, buyToken, sellAmount, buyAmount });
      await site.chain.setRate({ ...rate, buyAmount });
    };
    /**
     * Requests a swap and lowers the exchange rate to `loss` percent below the quote before the
     * swap is executed.
     */
    const meetWorsePrice = async (slippage: number, quoted: bigint, loss: bigint) => {
      // Remove an earlier fault, which would change the price before the swap is simulated.
      site.proxy.resetCounters();
      site.proxy.addFault({ method: ADD, fault: { kind: 'arrive-late', delayMs: 4_000 } });
      const requested = site.client.POST('/api/relayer/private-swap', {
        body: { ...bodyOf(5, 'ETH'), slippage },
      });
      await site.proxyStruck('arrive-late', requested);
      await site.chain.setRate({ ...rate, buyAmount: (quoted * (100n - loss)) / 100n });
      return requested;
    };
    const nonceBefore = await nonce();
    const first = await meetWorsePrice(0.005, OUTPUTS.ETH, 2n);
    expect(first.error).toBeUndefined();
    expect(first.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.005,
      floor: String((OUTPUTS.ETH * 995n) / 1_000n),
    });
    await site.settled(first.response.headers.get('location'), 'reverted');

    // The route now pays 30 % more. A second caller repeats the public proof with different terms,
    // and the execution price is 24 % below this caller's quote.
    const dearer = (OUTPUTS.ETH * 130n) / 100n;
    await setMarket(dearer);
    const stranger = await meetWorsePrice(0.001, dearer, 24n);
    expect(stranger.error).toBeUndefined();
    expect(stranger.data).toMatchObject({
      execution_status: 'REVERTED',
      slippage: 0.001,
      floor: String((dearer * 999n) / 1_000n),
    });
    await site.settled(stranger.response.headers.get('location'), 'reverted');
    expect(await nonce()).toBe(nonceBefore + 2n);
    expect(await isSpent(5)).toBe(false);

    // The terms of the second caller do not apply to a later request of the owner.
    await setMarket(OUTPUTS.ETH);
    const owner = await swap(5, 'ETH');
    expect(owner.data).toMatchObject({
      execution_status: 'SUCCEEDED',
      slippage: 0.005,
      floor: String((OUTPUTS.ETH * 995n) / 1_000n),
    });
    expect(await isSpent(5)).toBe(true);
  });
});
