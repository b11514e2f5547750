import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import iconUrl from './icon.svg';
import type { Failure, FeeEstimate, Pool, PoolStatus, Pools, Read, Reading } from './service.js';
import type { SignedStatus } from './service.js';
import {
  chainName,
  counted,
  duration,
  either,
  inTokens,
  inclusionWords,
  percentOf,
  poolState,
  serviceState,
  smallAmount,
} from './words.js';

interface PageProps {
  readonly reading: ReadonlySignal<Reading | null>;
  readonly news: ReadonlySignal<string>;
  readonly isReading: ReadonlySignal<boolean>;
  readonly onRefresh: () => void;
  /** Where the development wallet is; empty in production. */
  readonly wallet: string;
}

export function Page({ reading, news, isReading, onRefresh, wallet }: PageProps): JSX.Element {
  const now = reading.value;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="name" href="/">
          <img src={iconUrl} alt="" />
          Sotto
        </a>
        <nav aria-label="Pages">
          <ul>
            {wallet === '' ? null : (
              <li>
                <a href={wallet}>Try a wallet</a>
              </li>
            )}
            <li>
              <a href="/docs">Interface</a>
            </li>
            <li>
              <a href="/docs/errors">Errors</a>
            </li>
            <li>
              <a href="/openapi.json">OpenAPI</a>
            </li>
          </ul>
        </nav>
      </header>
      <main id="content">
        <Introduction />
        <section aria-labelledby="service">
          <h2 id="service">This service</h2>
          {now === null ? <Waiting /> : <Status reading={now} />}
          <div class="read">
            <button type="button" class="plain" onClick={onRefresh} aria-disabled={isReading}>
              Read again
            </button>
            <p class="quiet small">
              {now === null
                ? 'Reading for the first time.'
                : `Read at ${now.at.toLocaleTimeString()}, and again every 15 seconds.`}
            </p>
          </div>
          <p class="hidden" role="status">
            {news}
          </p>
        </section>
        <section aria-labelledby="pools">
          <h2 id="pools">Pools</h2>
          {now === null ? <Waiting /> : <PoolTable pools={now.pools} crowds={now.crowds} />}
        </section>
        <section aria-labelledby="fees">
          <h2 id="fees">Fees</h2>
          {now === null ? <Waiting /> : <Fees fees={now.fees} />}
        </section>
      </main>
      <footer class="quiet small">
        <p>
          This page asks this service alone. It sets no cookie and keeps nothing about you. Sotto is
          free software under the MIT licence.
        </p>
      </footer>
    </>
  );
}

function Introduction(): JSX.Element {
  return (
    <section class="lead" aria-labelledby="title">
      <h1 id="title">Withdraw without being seen to</h1>
      <p>
        A shielded pool on Starknet holds many deposits of the same size. A proof shows that one of
        them is yours, and not which. Sotto puts that proof on chain from an account of its own, so
        that the wallet which gets the money never appears as a sender.
      </p>
      <ol class="steps">
        <li>
          <h2>Deposit</h2>
          <p>Your wallet makes a secret note and pays the pool’s fixed amount for it.</p>
        </li>
        <li>
          <h2>Wait in a crowd</h2>
          <p>Deposits enter in batches. The more of them there are, the better yours is hidden.</p>
        </li>
        <li>
          <h2>Withdraw by proof</h2>
          <p>
            Your wallet proves the note at home and names who is paid. The fee comes out of the
            payment.
          </p>
        </li>
      </ol>
    </section>
  );
}

const Waiting = (): JSX.Element => <p class="quiet">Reading …</p>;

function Unread({
  what,
  failure,
}: {
  readonly what: string;
  readonly failure: Failure;
}): JSX.Element {
  return (
    <div class="notice">
      <p>
        {what} can’t be read now: {failure.message}.{' '}
        {failure.code === null ? null : (
          <>
            The service calls it <a href={`/docs/errors#${failure.code}`}>{failure.code}</a>.
          </>
        )}{' '}
        The page tries again by itself.
      </p>
    </div>
  );
}

function Status({ reading }: { readonly reading: Reading }): JSX.Element {
  const { tone, text } = serviceState(reading);
  const { status } = reading;
  return (
    <>
      <p class={`state ${tone}`}>{text}</p>
      {'failure' in status ? (
        <Unread what="Its signed status" failure={status.failure} />
      ) : (
        <StatusFacts signed={status.value} />
      )}
    </>
  );
}

function StatusFacts({ signed: { status, signer } }: { readonly signed: SignedStatus }) {
  const { success, inclusion, chainId, relayer } = status;
  return (
    <dl class="facts">
      <Fact name="Chain">{chainName(chainId)}</Fact>
      <Fact name={`Succeeded within ${duration(success.windowSeconds)}`}>
        {success.percent === null ? 'too few to say' : `at least ${success.percent} of 100`}
      </Fact>
      <Fact name="On chain after">{inclusionWords(inclusion) ?? 'too few to say'}</Fact>
      <Fact isWide name="Relayer that a proof names">
        <code>{relayer}</code>
      </Fact>
      <Fact isWide name="This status is signed by">
        <code>{signer}</code>
      </Fact>
    </dl>
  );
}

function Fact({
  name,
  isWide = false,
  children,
}: {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={isWide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const COLUMNS = [
  'Pool',
  'Each deposit',
  'Hidden among',
  'Waiting',
  'Batches',
  'Fee now',
  'State',
] as const;

function PoolTable({
  pools,
  crowds,
}: {
  readonly pools: Read<Pools>;
  readonly crowds: Reading['crowds'];
}): JSX.Element {
  if ('failure' in pools) return <Unread what="The list of pools" failure={pools.failure} />;
  const failed = [...crowds.values()].find((crowd) => 'failure' in crowd);
  const { swapOutputs } = pools.value;
  return (
    <>
      {failed === undefined || !('failure' in failed) ? null : (
        <Unread what="How many deposits some pools hold" failure={failed.failure} />
      )}
      {/* Roles, because the layout for phones would take them from the elements. */}
      <table class="pools" role="table">
        <caption>
          A withdrawal is hidden among the active deposits of its pool, and seen to be one of its
          batch.
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
            <PoolRow key={pool.address} pool={pool} crowd={crowds.get(pool.address)} />
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

const deposits = (count: number): string => (count === 0 ? 'none' : counted(count, 'deposit'));

const PURPOSES: Readonly<Record<Pool['kind'], string>> = {
  withdraw: 'withdrawals',
  swap_input: 'withdrawals, private swaps',
  stable: 'withdrawals',
};

function PoolRow({
  pool,
  crowd,
}: {
  readonly pool: Pool;
  readonly crowd: Read<PoolStatus> | undefined;
}): JSX.Element {
  const { symbol, decimals } = pool.token;
  const { denominationAmount: size, fee } = pool;
  const inside = crowd === undefined || 'failure' in crowd ? null : crowd.value;
  const waiting = inside?.undeployedCount ?? pool.undeployedCount;
  const { tone, text } = poolState(pool);
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {pool.key}
        <span class="small quiet">{PURPOSES[pool.kind]}</span>
      </th>
      <Cell name="Each deposit">
        {size === null ? UNKNOWN : `${inTokens(size, decimals)} ${symbol}`}
      </Cell>
      <Cell name="Hidden among">{inside === null ? UNKNOWN : deposits(inside.activeDeposits)}</Cell>
      <Cell name="Waiting" more={waitingSince(inside)}>
        {waiting === null ? UNKNOWN : deposits(waiting)}
      </Cell>
      <Cell name="Batches" more={smallestBatch(inside)}>
        of {either(pool.batchSizes)}
      </Cell>
      <Cell name="Fee now" more={fee === null || size === null ? null : percentOf(fee, size)}>
        {fee === null ? UNKNOWN : smallAmount(fee, pool.token)}
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

function waitingSince(status: PoolStatus | null): string | null {
  const seconds = status?.crowd?.oldestWaitingSeconds ?? null;
  if (seconds === null) return null;
  return seconds < 60 ? 'for less than a minute' : `for up to ${duration(seconds)}`;
}

function smallestBatch(status: PoolStatus | null): string | null {
  const size = status?.crowd?.smallestBatchSize ?? null;
  return size === null ? null : `smallest so far: ${size}`;
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
      A private swap turns a deposit into {either(swap.outputTokens.map(({ symbol }) => symbol))} on
      its way out.{crowd}
    </p>
  );
}

function Fees({ fees }: { readonly fees: Read<FeeEstimate> }): JSX.Element {
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
        <strong class="number">{counted(feeSats, 'sat')}</strong> of WBTC. Your proof fixes it: the
        service can’t take more.
      </p>
      <table class="sums">
        <caption>
          What the gas costs, at {usd(prices.strkUsd)} for one STRK and {usd(prices.btcUsd)} for one
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

const usd = (amount: number): string =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: amount < 10 ? 4 : 2 })}`;
