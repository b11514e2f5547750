import { z } from 'zod';
import { sandboxWorld } from '../../../src/index.js';
import { toHex } from '../../../src/engine/felt.js';
import { postJson } from '../../support/rpc.js';

const { tokens, swapPool } = sandboxWorld;
export const WBTC = toHex(tokens.WBTC.address);
export const ETH = toHex(tokens.ETH.address);
export const USDC = toHex(tokens.USDC.address);
export const STRK = toHex(tokens.STRK.address);
export const TAKER = toHex(swapPool.address);

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const Quote = z.looseObject({ quoteId: z.string(), buyAmount: z.string() });
const Call = z.strictObject({
  contractAddress: z.string(),
  entrypoint: z.string(),
  calldata: z.array(z.string()),
});
export type Call = z.output<typeof Call>;

/** Client of the aggregator over plain HTTP. */
export class AggregatorClient {
  constructor(private readonly url: string) {}

  async get(query: Readonly<Record<string, string>>): Promise<Reply> {
    const response = await fetch(
      `${this.url}/swap/v3/quotes?${String(new URLSearchParams(query))}`,
    );
    return { status: response.status, body: await response.json() };
  }

  async post(path: string, body: unknown): Promise<Reply> {
    const response = await postJson(`${this.url}${path}`, body);
    return { status: response.status, body: await response.json() };
  }

  /** Returns the best quote to sell this many sats. */
  async quote(buyTokenAddress = ETH, sellAmount = 19_600n): Promise<z.output<typeof Quote>> {
    const query = {
      sellTokenAddress: WBTC,
      buyTokenAddress,
      sellAmount: toHex(sellAmount),
      takerAddress: TAKER,
    };
    const [best] = z.array(Quote).parse((await this.get(query)).body);
    if (best === undefined) throw new Error('no quote');
    return best;
  }

  build(quoteId: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return this.post('/swap/v3/build', {
      quoteId,
      takerAddress: TAKER,
      slippage: 0.01,
      includeApprove: true,
      ...changes,
    });
  }

  /** Requests a new quote and returns the calls of its build, in the specification's format. */
  async calls(changes: Readonly<Record<string, unknown>> = {}): Promise<Call[]> {
    const { body } = await this.build((await this.quote()).quoteId, changes);
    return z.array(Call).parse(body);
  }
}
