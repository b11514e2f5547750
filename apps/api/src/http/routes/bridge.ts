import {
  formatAmountOf,
  listedAsset,
  type BridgeAsset,
  type BridgeRoute,
  type QuotedTerms,
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

type StatusDto = BodyOf<typeof routes.bridgeStatus>;

function toStatusDto({ status, steps, amounts, terms, ...rest }: TransferStatus): StatusDto {
  return {
    status,
    steps: steps.map((step) => ({
      step: step.step,
      status: step.status,
      timestamp: step.timestampSeconds,
      ...whenKnown('tx_hash', step.txHash),
    })),
    ...whenKnown('refund', rest.refund),
    ...whenKnown('output_amount', amounts.output),
    ...whenKnown('reason', rest.reason),
    ...whenKnown('shortfall', amounts.shortfall),
    ...whenKnown('deposited_amount', amounts.deposited),
    ...whenKnown('missing_amount', amounts.missing),
    ...whenKnown('refunded_amount', amounts.refunded),
    ...whenKnown('bridge_message', rest.reasonText),
    ...whenKnown('deposit_deadline', rest.deadlineSeconds),
    ...whenKnown('transfer', terms === null ? null : toTransferDto(terms)),
  };
}

function toTransferDto({ from, to, ...terms }: QuotedTerms): NonNullable<StatusDto['transfer']> {
  return {
    from_chain: from.chain,
    from_token: from.symbol,
    to_chain: to.chain,
    to_token: to.symbol,
    amount: formatAmountOf(terms.amount, from),
    estimated_output: formatAmountOf(terms.estimatedOutput, to),
    recipient: terms.recipient,
    deposit_address: terms.depositAddress,
    ...whenKnown('deposit_memo', terms.depositMemo),
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

/** Returns an object with the named field, or an empty object if the value is null. */
function whenKnown<Name extends string, Value>(
  name: Name,
  value: Value | null,
): { readonly [Key in Name]?: Value } {
  // CAST: a computed key of a type parameter widens to an index signature; the object has exactly
  // this key.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

/** @throws an Error if the ERC-20 token is not listed; the use case rejects such tokens earlier */
function decimalsOf(chainId: string, symbol: string): number {
  const asset = listedAsset(chainId, symbol);
  if (asset === undefined) throw new Error('a transfer was quoted to a token that is not listed');
  return asset.decimals;
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
