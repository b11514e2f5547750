import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { startDoubles, type Doubles } from '@sotto/sandbox';
import { shortString } from 'starknet';
import { z } from 'zod';
import { findDevnet } from '../../src/index.js';
import { DevnetStack } from '../../src/testing/index.js';

const Quotes = z
  .array(z.object({ quoteId: z.string(), buyAmount: z.string().transform(BigInt) }))
  .min(1);
const Calls = z.array(
  z.object({
    contractAddress: z.string().transform(BigInt),
    entrypoint: z.string(),
    calldata: z.array(z.string().transform(BigInt)),
  }),
);
const SATS = 20_000n;
const onDevnet = findDevnet() === undefined ? describe.skip : describe;

onDevnet('the aggregator beside devnet', () => {
  let devnet: DevnetStack;
  let doubles: Doubles;

  beforeAll(async () => {
    devnet = await DevnetStack.start();
    const chainId = BigInt(shortString.encodeShortString(devnet.stack.chainId));
    doubles = await startDoubles({ ...devnet.stack, chainId });
  });

  afterAll(async () => {
    await doubles.stop();
    await devnet.stop();
  });

  it.each(['USDC', 'STRK', 'ETH'] as const)(
    'the aggregator builds a swap from WBTC to %s that pays the quoted amount on chain',
    async (symbol) => {
      const { tokens, accounts } = devnet.stack;
      const { address } = accounts.crowd1;
      const buy = tokens[symbol].address;
      const balance = async (): Promise<bigint> => {
        const [low = 0n, high = 0n] = await devnet.view({
          contract: buy,
          entrypoint: 'balance_of',
          calldata: [address],
        });
        return u256FromHalves(low, high);
      };
      const quote = await quoted(doubles.aggregatorUrl, {
        sell: tokens.WBTC.address,
        buy,
        taker: address,
      });
      const calls = await built(doubles.aggregatorUrl, quote.quoteId);
      const before = await balance();
      const gas = symbol === 'STRK' ? 10n ** 18n : 0n;
      await devnet.send(
        accounts.crowd1,
        calls.map(({ contractAddress, entrypoint, calldata }) => ({
          contract: contractAddress,
          entrypoint,
          calldata,
        })),
      );
      const gained = (await balance()) - before;
      expect(gained).toBeLessThanOrEqual(quote.buyAmount);
      expect(gained).toBeGreaterThanOrEqual(quote.buyAmount - gas);
    },
  );

  it('the aggregator quotes the same price as the exchange on chain', async () => {
    const { tokens, exchanges } = devnet.stack;
    const calldata = [tokens.WBTC.address, tokens.USDC.address, ...u256ToHalves(SATS)];
    const [low = 0n, high = 0n] = await devnet.view({
      contract: exchanges.first.address,
      entrypoint: 'quote',
      calldata,
    });
    const quote = await quoted(doubles.aggregatorUrl, {
      sell: tokens.WBTC.address,
      buy: tokens.USDC.address,
      taker: 1n,
    });
    expect(quote.buyAmount).toBe(u256FromHalves(low, high));
  });
});

interface Wish {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly taker: bigint;
}

async function quoted(
  aggregatorUrl: string,
  { sell, buy, taker }: Wish,
): Promise<z.output<typeof Quotes>[number]> {
  const query = new URLSearchParams({
    sellTokenAddress: hex(sell),
    buyTokenAddress: hex(buy),
    sellAmount: hex(SATS),
    takerAddress: hex(taker),
  });
  const response = await fetch(`${aggregatorUrl}/swap/v3/quotes?${query.toString()}`);
  const [best] = Quotes.parse(await response.json());
  if (best === undefined) throw new Error('there is no quote');
  return best;
}

async function built(aggregatorUrl: string, quoteId: string): Promise<z.output<typeof Calls>> {
  const response = await fetch(`${aggregatorUrl}/swap/v3/build`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quoteId, slippage: 0.01 }),
  });
  return Calls.parse(await response.json());
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
