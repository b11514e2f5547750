import type { ComponentChildren, JSX } from 'preact';
import { Fact, Unread } from './parts.js';
import type { FeeEstimate, Pool, PoolStatus, Pools, Read, Reading } from './service.js';
import {
  counted,
  crowdWords,
  deposits,
  duration,
  either,
  inTokens,
  inUsd,
  percentOf,
  poolName,
  poolState,
  smallAmount,
} from './words.js';

const COLUMNS = [
  'Pool',
  'Each deposit',
  'Hidden among',
  'Active',
  'Waiting',
  'Fee now',
  'State',
] as const;

/** Table of the pools, with the anonymity set of a withdrawal from each. */
export function PoolTable({
  pools,
  crowds,
  fees,
}: {
  readonly pools: Read<Pools>;
  readonly crowds: Reading['crowds'];
  readonly fees: Read<FeeEstimate>;
}): JSX.Element {
  if ('failure' in pools) return <Unread what="The list of pools" failure={pools.failure} />;
  const failed = [...crowds.values()].find((crowd) => 'failure' in crowd);
  const { swapOutputs } = pools.value;
  return (
    <>
      {failed === undefined || !('failure' in failed) ? null : (
        <Unread what="How many deposits some pools hold" failure={failed.failure} />
      )}
      {/* Explicit roles, because the layout for phones would remove the implicit ones. */}
      <table class="pools" role="table">
        <caption>
          Deposits become active in batches. A withdrawal shows which batch its deposit is of, and
          not which one of it: it is hidden among the deposits of that batch, and no others.
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((name) => (
              <th key={name} role="columnheader" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {pools.value.pools.map((pool) => (
            <PoolRow
              key={pool.address}
              name={poolName(pool, pools.value.pools)}
              pool={pool}
              crowd={crowds.get(pool.address)}
              prices={'value' in fees ? fees.value.prices : null}
            />
          ))}
        </tbody>
      </table>
      <Swaps outputs={swapOutputs} swap={pools.value.privateSwap} />
      <details>
        <summary>Addresses of the pools</summary>
        <dl>
          {[...pools.value.pools, ...(swapOutputs === null ? [] : [swapOutputs])].map(
            ({ key, address }) => (
              <Fact key={address} name={key}>
                <code>{address}</code>
              </Fact>
            ),
          )}
        </dl>
      </details>
    </>
  );
}

const UNKNOWN = 'not known';

const PURPOSES: Readonly<Record<Pool['kind'], string>> = {
  withdraw: 'withdrawals',
  swap_input: 'withdrawals, private swaps',
  stable: 'withdrawals',
};

function PoolRow({
  name,
  pool,
  crowd,
  prices,
}: {
  readonly name: string;
  readonly pool: Pool;
  /** Prices in US dollars. Null if they are unknown. */
  readonly prices: FeeEstimate['prices'] | null;
  readonly crowd: Read<PoolStatus> | undefined;
}): JSX.Element {
  const { symbol, decimals } = pool.token;
  const { denominationAmount: size, fee } = pool;
  const inside = crowd === undefined || 'failure' in crowd ? null : crowd.value;
  const waiting = inside?.undeployedCount ?? pool.undeployedCount;
  const { tone, text } = poolState(pool, crowd);
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {name}
        <span class="small quiet">{PURPOSES[pool.kind]}</span>
      </th>
      <Cell name="Each deposit">
        {size === null ? UNKNOWN : `${inTokens(size, decimals)} ${symbol}`}
      </Cell>
      <Cell name="Hidden among" more={`full batches: ${either(pool.batchSizes)}`}>
        {inside === null ? UNKNOWN : crowdWords(inside)}
      </Cell>
      <Cell name="Active">{inside === null ? UNKNOWN : deposits(inside.activeDeposits)}</Cell>
      <Cell name="Waiting" more={waitingSince(inside)}>
        {waiting === null ? UNKNOWN : deposits(waiting)}
      </Cell>
      <Cell name="Fee now" more={fee === null || size === null ? null : feeParts(fee, size, pool)}>
        {fee === null
          ? UNKNOWN
          : ((prices && inUsd(fee, pool.token, prices)) ?? smallAmount(fee, pool.token))}
      </Cell>
      <Cell name="State" tone={tone}>
        {text}
      </Cell>
    </tr>
  );
}

function Cell({
  name,
  tone,
  more = null,
  children,
}: {
  readonly name: (typeof COLUMNS)[number];
  readonly tone?: string;
  readonly more?: string | null;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <td role="cell" data-name={name}>
      <span class={`number ${tone ?? ''}`}>{children}</span>
      {more === null ? null : <span class="small quiet">{more}</span>}
    </td>
  );
}

/** Returns the fee in tokens and its share of the deposit. */
const feeParts = (fee: string, size: string, { token }: Pool): string =>
  [smallAmount(fee, token), percentOf(fee, size)].filter((part) => part !== null).join(', ');

function waitingSince(status: PoolStatus | null): string | null {
  const seconds = status?.crowd?.oldestWaitingSeconds ?? null;
  if (seconds === null) return null;
  return seconds < 60 ? 'for less than a minute' : `for up to ${duration(seconds)}`;
}

function Swaps({
  outputs,
  swap,
}: {
  readonly outputs: Pools['swapOutputs'];
  readonly swap: Pools['privateSwap'];
}): JSX.Element | null {
  if (outputs === null || swap === null) return null;
  const { activeDeposits, totalSwaps } = outputs;
  const crowd =
    activeDeposits === null || totalSwaps === null
      ? ''
      : ` Its pool has seen ${counted(totalSwaps, 'swap')} and holds ${counted(activeDeposits, 'note')}.`;
  return (
    <p class="after">
      A private swap turns a deposit into {either(swap.outputTokens.map(({ symbol }) => symbol))}{' '}
      when it is withdrawn.{crowd}
    </p>
  );
}
