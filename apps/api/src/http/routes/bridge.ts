import {
  BRIDGE_CHAINS,
  STRK,
  formatAmountOf,
  type BridgeAsset,
  type BridgeRoute,
  type TransferQuote,
  type TransferStatus,
} from '@sotto/bridge-core';
import { implement, implementCached, type BodyOf, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';

export const bridgeStatusRoute = ({ getTransferStatus }: UseCases): Route =>
  implementCached(routes.bridgeStatus, {
    cacheKey: ({ query }) => query.transaction_id,
    answer: async (transactionId, caller) =>
      toStatusDto(await getTransferStatus.execute({ transactionId, caller })),
  });

function toStatusDto({
  status,
  steps,
  refund,
  outputAmount,
}: TransferStatus): BodyOf<typeof routes.bridgeStatus> {
  return {
    status,
    steps: steps.map((step) => ({
      step: step.step,
      status: step.status,
      timestamp: step.timestampSeconds,
      ...(step.txHash === null ? {} : { tx_hash: step.txHash }),
    })),
    ...(refund === null ? {} : { refund }),
    ...(outputAmount === null ? {} : { output_amount: outputAmount }),
  };
}

export const bridgeQuoteRoute = ({ quoteTransfer }: UseCases): Route =>
  implement(routes.bridgeQuote, async ({ body, caller }) => {
    const quote = await quoteTransfer.execute({
      fromChain: body.from_chain,
      fromToken: body.from_token,
      toChain: body.to_chain,
      toToken: body.to_token,
      amount: body.amount,
      dryRun: body.dry_run,
      recipient: body.recipient,
      refundTo: body.refund_to,
      caller,
    });
    return { status: 200, body: toBridgeQuoteDto(quote, body.to_chain, body.to_token) };
  });

function toBridgeQuoteDto(
  { deposit, route, fees, ...quote }: TransferQuote,
  chain: string,
  symbol: string,
): BodyOf<typeof routes.bridgeQuote> {
  return {
    ...(deposit === null
      ? {}
      : {
          transaction_id: deposit.transactionId,
          deposit_address: deposit.address,
          ...whenKnown('deposit_memo', deposit.memo),
          ...whenKnown('deposit_deadline', deposit.deadlineSeconds),
        }),
    estimated_output: formatAmountOf(quote.estimatedOutput, {
      symbol,
      decimals: decimalsOf(chain, symbol),
    }),
    estimated_output_amount: String(quote.estimatedOutput),
    ...whenKnown('estimated_seconds', quote.durationSeconds),
    route: route.map(({ step, from, to, dex }) => ({ step, from, to, ...whenKnown('dex', dex) })),
    fees: {
      ...whenKnown('bridge_fee', fees.bridgeFee),
      ...whenKnown('gas_estimate', fees.gasEstimate),
      ...whenKnown('swap_fees', fees.swapFees),
    },
  };
}

/** The field with its value; nothing where that is not known. */
function whenKnown<Name extends string, Value>(
  name: Name,
  value: Value | null,
): { readonly [Key in Name]?: Value } {
  // CAST: a computed key of a type parameter widens to an index signature; the object has exactly
  // this key.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

/** @throws Error for a token that is not listed: the use case refuses those before */
function decimalsOf(chainId: string, symbol: string): number {
  const tokens =
    chainId === STRK.chain
      ? [STRK]
      : BRIDGE_CHAINS.filter(({ id }) => id === chainId).flatMap((chain) => chain.tokens);
  const token = tokens.find((candidate) => candidate.symbol === symbol);
  if (token === undefined) throw new Error('a transfer was quoted to a token that is not listed');
  return token.decimals;
}

export const bridgeRoutesRoute = ({ listRoutes }: UseCases): Route =>
  implementCached(routes.bridgeRoutes, {
    cacheKey: () => null,
    answer: async () => ({ routes: listRoutes.execute().map(toRouteDto) }),
  });

type RouteDto = BodyOf<typeof routes.bridgeRoutes>['routes'][number];

function toRouteDto({ direction, from, to }: BridgeRoute): RouteDto {
  return { direction, from: endOf(from), to: endOf(to) };
}

function endOf({ chain, symbol, decimals }: BridgeAsset): RouteDto['from'] {
  return { chain, token: symbol, decimals };
}
