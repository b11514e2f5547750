import type { JSX } from 'preact';
import { attentionOf } from './attention.js';
import { Age, Chip, Figure, Part, Table } from './parts.js';
import type { PoolVerdict, Reason } from './service.js';
import type { Session } from './session.js';
import { detailsSaid, reasonsOf, staleSaid, strk, wordsOf } from './words.js';

/** View of the verdict on withdrawals and of all reasons why a withdrawal can't succeed. */
export function Now({ session }: { readonly session: Session }): JSX.Element {
  const { value: status } = session.status.value;
  const { verdict } = status;
  const ownOfPools = verdict.pools.filter(({ reasons }) => reasons.length > 0);
  return (
    <>
      <VerdictCard session={session} />
      <Figures session={session} />
      {verdict.reasons.length > 0 ? (
        <Part title="Why" note="Of this instance: every pool is concerned">
          <ReasonList session={session} reasons={verdict.reasons} tone="bad" />
        </Part>
      ) : null}
      {ownOfPools.map(({ key, reasons }) => (
        <Part key={key} title={`Why in ${key}`}>
          <ReasonList session={session} reasons={reasons} tone="bad" />
        </Part>
      ))}
      {verdict.warnings.length > 0 ? (
        <Part title="Warnings" note="Warnings do not block withdrawals">
          <ReasonList session={session} reasons={verdict.warnings} tone="care" />
        </Part>
      ) : null}
      <Part title="Pools now">
        <PoolVerdicts session={session} />
      </Part>
      <Part title="Attention">
        <Attention session={session} />
      </Part>
    </>
  );
}

function VerdictCard({ session }: { readonly session: Session }): JSX.Element {
  const known = session.status.value;
  const { verdict } = known.value;
  const said = session.verdict.value;
  const stale = staleSaid(session.failure.value, verdict, known, session.nowMs.value);
  return (
    <section class={`verdict ${stale === null ? said.tone : 'care'}`} aria-labelledby="verdict">
      <h1 id="verdict">{stale === null ? said.text : 'Not known now'}</h1>
      {stale === null ? null : (
        <p class="stale">
          {stale}. Last known: {said.text.charAt(0).toLowerCase() + said.text.slice(1)}.
        </p>
      )}
      <p class="quiet small">
        {verdict.asOf === 0 ? (
          'The service has made no check yet'
        ) : (
          <>
            Looked at <Age session={session} at={verdict.asOf} /> ago
          </>
        )}
        {' · received '}
        <Received session={session} /> ago
      </p>
    </section>
  );
}

function Received({ session }: { readonly session: Session }): JSX.Element {
  const { receivedAtMs, servedAtMs } = session.status.value;
  return <Age session={session} at={Math.floor((servedAtMs ?? receivedAtMs) / 1_000)} />;
}

function Figures({ session }: { readonly session: Session }): JSX.Element {
  const { lanes, pools, nodes, load, ledger } = session.status.value.value;
  const relays = lanes.filter(({ role }) => role === 'relay');
  const working = relays.filter(({ state }) => ['ready', 'full', 'held_elsewhere'].includes(state));
  const sum = (of: (pool: (typeof pools)[number]) => string): bigint =>
    pools.reduce((total, pool) => total + BigInt(of(pool)), 0n);
  const earned = sum(({ money }) => money.earnedFri);
  const spent = sum(({ money }) => money.spentFri);
  const inUse = nodes.find((node) => node.inUse);
  const { running, waiting } = load.admissions;
  return (
    <dl class="figures" aria-label="Figures">
      <Figure
        name="Accounts that relay"
        value={`${working.length} of ${relays.length}`}
        tone={working.length === 0 ? 'bad' : 'quiet'}
      />
      <Figure
        name="Open nonces"
        value={lanes.reduce((total, { openNonces }) => total + openNonces, 0)}
      />
      <Figure name="Admissions" value={`${running} + ${waiting}`} unit="waiting" />
      <Figure
        name="Earned − paid, last hour"
        value={strk(earned - spent)}
        unit="STRK"
        tone={earned < spent ? 'care' : 'quiet'}
      />
      <Figure name="Block" value={inUse?.headBlock ?? ledger.lastBlock ?? '–'} />
    </dl>
  );
}

function ReasonList({
  session,
  reasons,
  tone,
}: {
  readonly session: Session;
  readonly reasons: readonly Reason[];
  readonly tone: 'bad' | 'care';
}): JSX.Element {
  return (
    <ul class="reasons">
      {reasons.map((reason) => {
        const { headline, mend, runbook } = wordsOf(reason);
        const details = detailsSaid(reason.details);
        return (
          <li key={`${reason.code} ${details}`} class={tone}>
            <h3>
              {headline}{' '}
              <span class="quiet small">
                for <Age session={session} at={reason.since} />
              </span>
            </h3>
            <p>{reason.meaning}</p>
            <p>
              <strong>To do:</strong> {mend}
            </p>
            <p class="quiet small">
              <code>{reason.code}</code>
              {` by ${reason.component}`}
              {details === '' ? null : ` · ${details}`}
              {runbook === null ? null : (
                <>
                  {' · '}
                  <code>docs/{runbook}</code>
                </>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function PoolVerdicts({ session }: { readonly session: Session }): JSX.Element {
  const { verdict } = session.status.value.value;
  return (
    <Table<PoolVerdict>
      caption="Whether a withdrawal can succeed, by pool"
      empty="The network profile has no pool."
      rows={verdict.pools}
      keyOf={({ address }) => address}
      columns={[
        { name: 'Pool', cell: ({ key }) => key },
        {
          name: 'Withdrawals',
          cell: (pool) => (
            <Chip
              said={
                pool.canWithdraw && verdict.reasons.length === 0
                  ? { tone: 'good', text: 'can succeed' }
                  : { tone: 'bad', text: 'cannot succeed' }
              }
            />
          ),
        },
        {
          name: 'Because',
          cell: (pool) => {
            const reasons = reasonsOf(pool, verdict);
            if (reasons.length > 0)
              return reasons.map((reason) => wordsOf(reason).headline).join(' · ');
            return pool.canWithdraw ? '–' : 'The service states no reason';
          },
        },
      ]}
    />
  );
}

function Attention({ session }: { readonly session: Session }): JSX.Element {
  const items = attentionOf(session.status.value.value);
  if (items.length === 0) return <p class="quiet">Nothing waits for an operator.</p>;
  return (
    <ul class="plain-list">
      {items.map(({ tone, text }) => (
        <li key={text} class={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}
