import type { JSX } from 'preact';
import { Unread } from './parts.js';
import type { FeeEstimate, Read } from './service.js';
import { counted, usd } from './words.js';

const SATS_PER_BTC = 100_000_000;

/** Section with the estimated fee of a withdrawal and its components. */
export function Fees({ fees }: { readonly fees: Read<FeeEstimate> }): JSX.Element {
  if ('failure' in fees) return <Unread what="The fee" failure={fees.failure} />;
  const { feeSats, feeBreakdown, prices } = fees.value;
  const rows = [
    ['Deposit', feeBreakdown.depositGasStrk],
    ['Share of a batch', feeBreakdown.deployBatchGasStrk],
    ['Withdrawal', feeBreakdown.withdrawGasStrk],
  ] as const;
  return (
    <>
      <p>
        The fee pays for the gas of the whole way in and out, plus {feeBreakdown.marginPercent} %,
        and never for more than the pool allows. Now that is about{' '}
        <strong class="number">{usd((feeSats / SATS_PER_BTC) * prices.btcUsd)}</strong>, which is{' '}
        <span class="number">{counted(feeSats, 'sat')}</span> of WBTC. Your proof fixes the fee: the
        service can’t charge more.
      </p>
      <table class="sums">
        <caption>
          Cost of the gas, at {usd(prices.strkUsd)} for one STRK and {usd(prices.btcUsd)} for one
          BTC
        </caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">STRK</th>
            <th scope="col">US dollars</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, strk]) => (
            <Sum key={name} name={name} strk={strk} strkUsd={prices.strkUsd} />
          ))}
          <Sum name="Together" strk={feeBreakdown.totalGasStrk} strkUsd={prices.strkUsd} />
        </tbody>
      </table>
    </>
  );
}

function Sum({
  name,
  strk,
  strkUsd,
}: {
  readonly name: string;
  readonly strk: number;
  readonly strkUsd: number;
}): JSX.Element {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{strk.toFixed(4)}</td>
      <td class="number">{(strk * strkUsd).toFixed(4)}</td>
    </tr>
  );
}
