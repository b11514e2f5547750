import { u256FromHalves, type Felt, type Felts } from '@sotto/kernel';

/** Entrypoint of the router. */
export const ROUTER_ENTRYPOINT = 'multi_route_swap';

/** Indexes in the calldata of {@link ROUTER_ENTRYPOINT}. */
const AT = { sellToken: 0, sellAmount: 1, buyToken: 3 } as const;
const HALF_BITS = 128n;

interface RouterCall {
  readonly to: Felt;
  readonly calldata: Felts;
}

interface Sale {
  readonly routers: readonly Felt[];
  readonly sellToken: Felt;
  readonly buyToken: Felt;
}

/**
 * Returns the amount that a simulated swap sold, including accrued yield. Null if the simulation
 * contains no router call that sells and buys these tokens.
 * @param calls router calls of the transaction, in the sequence of their execution
 */
export function soldAmount(
  calls: readonly RouterCall[],
  { routers, sellToken, buyToken }: Sale,
): bigint | null {
  const sale = calls.find(
    ({ to, calldata }) =>
      routers.includes(to) &&
      calldata.length > AT.buyToken &&
      calldata.feltAt(AT.sellToken) === sellToken &&
      calldata.feltAt(AT.buyToken) === buyToken,
  );
  if (sale === undefined) return null;
  const [low, high] = [sale.calldata.at(AT.sellAmount), sale.calldata.at(AT.sellAmount + 1)];
  const isU256 = low >> HALF_BITS === 0n && high >> HALF_BITS === 0n;
  return isU256 ? u256FromHalves(low, high) : null;
}
