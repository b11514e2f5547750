import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STEP_NAMES } from '@sotto/bridge-core';
import { toFelt, type Felt } from '@sotto/kernel';
import {
  ownerOf as ownerIn,
  type Decision,
  type LaneRole,
  type SubmissionCommand,
  type MachineState,
} from '@sotto/submission-core';
import { keptBytes } from '@sotto/submission-core/testing';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import {
  bigintOf,
  goldenOf,
  numberOf,
  numberOrNull,
  textOf,
  type Golden,
} from '../support/golden.js';
import {
  FirstRows,
  SettledRows,
  purposeInColumns,
  type ReadRows,
} from '../support/migrated-rows.js';
import {
  POOL_SIZE,
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { SharedClock } from '../support/staged-clock.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

/** Every release of which a ledger is stored in `test/golden`. */
const RELEASES: readonly (readonly [string, Golden, ReadRows])[] = [
  ['abe371d', goldenOf('abe371d'), new FirstRows(goldenOf('abe371d'))],
  ['aeb97e9', goldenOf('aeb97e9'), new SettledRows(goldenOf('aeb97e9'))],
  ...['7b81a73', 'a78d10d'].map((release) => {
    const golden = goldenOf(release);
    return [release, golden, new SettledRows(golden, purposeInColumns)] as const;
  }),
];
/** Time in milliseconds, shortly after the newest time in the rows that the releases wrote. */
const OPENED_AT_MS = 1_790_000_150_000;
/** Nullifier of a note whose swap has a pin. */
const SWAPPED = {
  nullifierHash: BigInt(
    `0x${createHash('sha256').update('nullifier of swap-done').digest('hex').slice(4)}`,
  ),
};
const ROLES: readonly LaneRole[] = ['relay', 'swap_owner', 'curator', 'keeper', 'treasury'];

/**
 * Captures the rows that the ledger reads for a command. Then rejects the command, so that nothing
 * is written.
 */
class Looking {
  view: MachineState | null = null;

  readonly decide = (_event: SubmissionCommand, view: MachineState): Decision => {
    this.view = view;
    return { applied: false, because: 'proves_nothing' };
  };

  /**
   * Reads the rows of a nonce, including settled nonces, which the port's own calls do not return.
   */
  async at({ ledger }: OpenedStore, lane: Felt, nonce: bigint): Promise<MachineState> {
    this.view = null;
    const hash = toFelt('0x0');
    await ledger.apply({ type: 'claim', lane, nonce, fence: 0n, hash, node: 'none' });
    if (this.view === null) throw new Error('nothing was read');
    return this.view;
  }
}

interface Opened {
  readonly store: OpenedStore;
  readonly looking: Looking;
}

describe.each(RELEASES)('SQLite ledger of release %s', (_release, golden, read) => {
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  const looking = new Looking();
  beforeAll(async () => {
    file = temporaryLedgerFile();
    golden.copyTo(file.path);
    const clock = new SharedClock();
    clock.set(OPENED_AT_MS);
    // The store is first opened with the real clock. At the time in the rows, instances of the old
    // release would still have leases, and a start would wait for these instances.
    await (await openSqliteStore({ path: file.path })).close();
    store = await openSqliteStore({ path: file.path, decide: looking.decide, clock });
  });
  afterAll(async () => {
    await store.close();
    file.remove();
  });

  isReadAsItWasWritten(golden, read, () => ({ store, looking }));
});

describe.each(RELEASES)('ledger of release %s', (_release, golden, read) => {
  describeWithPostgres('on PostgreSQL', () => {
    let database: TemporaryDatabase;
    let store: OpenedStore;
    const looking = new Looking();
    beforeAll(async () => {
      database = await temporaryDatabase();
      await database.query(golden.statements);
      const clock = new SharedClock();
      clock.set(OPENED_AT_MS);
      store = await openPostgresStore({
        url: database.url,
        clock,
        decide: looking.decide,
        poolSize: POOL_SIZE,
      });
    });
    afterAll(async () => {
      await store.close();
      await database.remove();
    });

    isReadAsItWasWritten(golden, read, () => ({ store, looking }));
  });
});

function isReadAsItWasWritten(golden: Golden, read: ReadRows, opened: () => Opened): void {
  const { attemptOf, nonceOf, ownerOf, transactionsUnder } = read;

  it('the stored ledger of an earlier release has an attempt in every state', () => {
    const states = new Set(golden.rows('attempts').map((row) => textOf(row, 'state')));
    expect([...states].toSorted()).toEqual(read.states);
  });

  it.each(golden.rows('attempts').map((row) => [textOf(row, 'id'), row] as const))(
    'the upgraded ledger contains the attempt %s',
    async (id, row) => {
      const { ledger } = opened().store;
      const [key, attempt] = [textOf(row, 'key'), numberOf(row, 'attempt')];
      const last = golden.rows('attempts').findLast((other) => other['key'] === key);
      expect(await ledger.attemptById(id)).toEqual(attemptOf(row));
      expect(await ledger.attempt({ key, attempt })).toMatchObject(attemptOf(row));
      expect(await ledger.lastAttempt(key)).toMatchObject(attemptOf(last ?? row));
      expect(await ledger.transactionsOf({ key, attempt })).toEqual(read.transactionsBy(row));
      const words = golden.rows('calldata').find((other) => other['submission_id'] === id);
      expect(hexOf((await ledger.calldata(id))?.toBytes())).toBe(words?.['words'] ?? null);
    },
  );

  it.each(ROLES)(
    'the upgraded ledger contains the waiting attempts of role %s, oldest first',
    async (role) => {
      const { ledger } = opened().store;
      const waiting = golden
        .rows('attempts')
        .filter((row) => row['state'] === 'accepted' && row['role'] === role);
      expect(await ledger.waiting(role, 100)).toMatchObject(waiting.map(attemptOf));
      expect(await ledger.countWaiting(role)).toBe(waiting.length);
    },
  );

  it.each(
    golden.rows('nonces').map((row) => [textOf(row, 'lane'), textOf(row, 'nonce'), row] as const),
  )('the upgraded ledger contains the rows of lane %s at nonce %s', async (address, nonce, row) => {
    const { store, looking } = opened();
    const view = await looking.at(store, toFelt(address), BigInt(nonce));
    expect(view.nonce).toEqual(nonceOf(row));
    expect(view.transactions).toEqual(transactionsUnder(row));
    expect(ownerIn(view)).toEqual(ownerOf(row));
    for (const transaction of golden.rows('transactions')) {
      if (transaction['lane'] !== address || transaction['nonce'] !== nonce) continue;
      const hash = textOf(transaction, 'hash');
      const signed = golden.rows('signed_bytes').find((other) => other['hash'] === hash);
      expect(hexOf(await keptBytes(store.ledger, toFelt(hash)))).toBe(signed?.['bytes'] ?? null);
    }
  });

  it.each(golden.rows('lanes').map((row) => [textOf(row, 'address'), row] as const))(
    'the upgraded ledger contains the lane %s',
    async (address, row) => {
      const { store, looking } = opened();
      const lane = toFelt(address);
      const nonces = golden.rows('nonces').filter((nonce) => nonce['lane'] === address);
      const { lane: known } = await looking.at(store, lane, 0n);
      expect(known).toEqual(read.laneOf(row));
      const unfinal = nonces
        .filter((nonce) => nonce['is_final'] === '0')
        .toSorted((a, b) => numberOf(a, 'block_number') - numberOf(b, 'block_number'))
        .map(nonceOf);
      expect(await store.ledger.unfinalNonces(lane, 'oldest', 100)).toMatchObject(unfinal);
      const open = nonces.filter((nonce) => nonce['state'] === 'open');
      expect(await store.ledger.openNonces(lane)).toMatchObject(
        open.map((nonce) => ({
          row: nonceOf(nonce),
          owner: ownerOf(nonce),
          transactions: transactionsUnder(nonce),
        })),
      );
    },
  );

  it('the upgraded ledger still contains its chain and the number of disproved refusals', async () => {
    expect(await opened().store.ledger.state()).toMatchObject(read.ledger);
  });

  it('the upgraded store contains the quotes, including used quotes', async () => {
    const { quotes } = opened().store;
    for (const row of golden.rows('quotes')) {
      const [id, expiresAtMs] = [textOf(row, 'id'), numberOf(row, 'expires_at_ms')];
      expect(await quotes.find(id)).toEqual(read.quoteOf(row));
      // An expired quote can be redeemed only by the key that used it before.
      expect((await quotes.redeem(id, 'another', expiresAtMs)).kind).toBe(
        row['served_key'] === null ? 'expired' : 'used',
      );
    }
    for (const row of golden.rows('quotes').filter(({ served_key }) => served_key !== null)) {
      const redeemed = await quotes.redeem(
        textOf(row, 'id'),
        textOf(row, 'served_key'),
        numberOf(row, 'expires_at_ms'),
      );
      expect(redeemed.kind).toBe('redeemed');
    }
  });

  it('the upgraded store contains the bridge transfers', async () => {
    const { transfers } = opened().store;
    for (const row of golden.rows('transfers')) {
      const hashes = STEP_NAMES.flatMap((step) =>
        row[`${step}_tx`] === null ? [] : [[step, row[`${step}_tx`]]],
      );
      expect(await transfers.get(textOf(row, 'transaction_id'))).toMatchObject({
        completedAtSeconds: STEP_NAMES.flatMap((step) => numberOrNull(row, `${step}_at`) ?? []),
        next: row['next'],
        txHashes: Object.fromEntries(hashes),
        refunded: row['refunded'] === '1',
        amounts: { output: row['output_amount'] ?? null, shortfall: null },
        terms: null,
        unconfirmedSinceSeconds: null,
      });
    }
  });

  it('the upgraded store contains the operators’ decisions about pools', async () => {
    const { poolControls } = opened().store;
    expect(await poolControls.all()).toMatchObject(
      golden.rows('pool_controls').map((row) => ({
        pool: row['pool'],
        paused:
          row['pause_reason'] === null
            ? null
            : { reason: row['pause_reason'], sinceMs: numberOf(row, 'paused_at_ms') },
        resumedAtMs: numberOf(row, 'resumed_at_ms'),
        upstream: {
          failures: numberOf(row, 'upstream_failures'),
          lastAtMs: numberOf(row, 'upstream_failed_at_ms'),
        },
      })),
    );
  });

  it('the upgraded store contains the submission locks', async () => {
    const { locks } = opened().store;
    for (const row of golden.rows('claims')) {
      const standing = { holder: row['holder'], sinceMs: numberOf(row, 'since_ms') };
      expect(await locks.take(textOf(row, 'name'), 'another', standing.sinceMs + 1)).toMatchObject(
        standing,
      );
    }
  });

  it('the upgraded store contains the gas observations', async () => {
    const uses = await opened().store.gas.uses();
    expect(uses.toSorted((a, b) => (a.transactionHash < b.transactionHash ? -1 : 1))).toEqual(
      golden.rowsIfAny('gas_uses').map((row) => ({
        transactionHash: row['transaction_hash'],
        pool: row['pool'],
        operation: row['operation'],
        l2Gas: bigintOf(row, 'l2_gas'),
        l1DataGas: bigintOf(row, 'l1_data_gas'),
        endedAtMs: numberOf(row, 'ended_at_ms'),
      })),
    );
  });

  it('the upgraded store contains the pins of swaps and the last read nonce of each swap owner’s account', async () => {
    const { swapPins, swapRecords } = opened().store;
    const note = { chainId: toFelt('0x534e5f4d41494e'), pool: toFelt('0xa001') };
    const { nullifierHash } = SWAPPED;
    const [pin] = golden.rowsIfAny('swap_pins');
    expect(await swapPins.find({ ...note, nullifierHash })).toEqual(
      pin === undefined
        ? null
        : {
            ...note,
            nullifierHash,
            newCommitment: BigInt(textOf(pin, 'new_commitment')),
            outputToken: pin['output_token'],
            floor: bigintOf(pin, 'floor'),
          },
    );
    for (const row of golden.rowsIfAny('swap_owners'))
      expect(await swapRecords.readUpTo(toFelt(textOf(row, 'address')))).toBe(
        bigintOf(row, 'read_up_to'),
      );
  });

  it('the upgraded store contains the leases, pauses and last polls of keeper tasks', async () => {
    const { taskLeases, taskBook } = opened().store;
    const held = [...(await taskLeases.holders()), ...(await taskLeases.lapsed())];
    expect(held.toSorted((a, b) => (a.task < b.task ? -1 : 1))).toMatchObject(
      golden.rowsIfAny('task_leases').map((row) => ({
        task: row['task'],
        instance: row['holder'],
        untilMs: numberOf(row, 'until_ms'),
      })),
    );
    expect(await taskBook.controls()).toEqual(
      golden.rowsIfAny('task_controls').map((row) => ({
        task: row['task'],
        subject: row['subject'] === '' ? null : row['subject'],
        paused:
          row['pause_reason'] === null
            ? null
            : { reason: row['pause_reason'], sinceMs: numberOf(row, 'paused_at_ms') },
        resumedAtMs: numberOf(row, 'resumed_at_ms'),
      })),
    );
    expect(await taskBook.looks()).toMatchObject(
      golden.rowsIfAny('task_looks').map((row) => ({
        task: row['task'],
        subject: row['subject'],
        atMs: numberOf(row, 'at_ms'),
        sinceMs: numberOf(row, 'since_ms'),
        report: {
          outcome: 'skipped',
          reason: row['reason'],
          dueAtMs: numberOrNull(row, 'due_at_ms'),
          details: JSON.parse(textOf(row, 'details')),
        },
        lastActed:
          row['acted_submission_id'] === null
            ? null
            : {
                atMs: numberOf(row, 'acted_at_ms'),
                submissionId: row['acted_submission_id'],
                isSettled: true,
              },
      })),
    );
  });

  it('the upgraded store contains the purchase orders, daily closing prices and leverage targets', async () => {
    const { purchaseOrders, dailyCloses, leverageTargets } = opened().store;
    for (const row of golden.rowsIfAny('purchase_progress')) {
      const contract = toFelt(textOf(row, 'contract'));
      expect(await purchaseOrders.progress(contract)).toEqual({
        nextBlock: numberOf(row, 'next_block'),
        safe: { number: numberOf(row, 'safe_number'), hash: row['safe_hash'] },
      });
      const open = golden
        .rowsIfAny('purchase_orders')
        .filter((order) => order['contract'] === row['contract'] && order['has_ended'] === '0');
      expect(await purchaseOrders.open(contract, null, 10)).toEqual(
        open.map((order) => bigintOf(order, 'order_id')),
      );
    }
    expect(await dailyCloses.closes(0, 99_999)).toEqual(
      golden.rowsIfAny('daily_closes').map((row) => ({
        day: numberOf(row, 'day'),
        source: row['source'],
        usdE8: bigintOf(row, 'usd_e8'),
      })),
    );
    for (const row of golden.rowsIfAny('leverage_targets'))
      expect(await leverageTargets.of(toFelt(textOf(row, 'vault')))).toMatchObject({
        targetBps: numberOf(row, 'target_bps'),
        setAtMs: numberOf(row, 'set_at_ms'),
      });
  });

  it('the upgraded store contains the log of operators’ actions', async () => {
    expect(await opened().store.operatorLog.page(null, 10)).toEqual(
      golden
        .rowsIfAny('operator_actions')
        .toReversed()
        .map((row) => ({
          id: numberOf(row, 'id'),
          atMs: numberOf(row, 'at_ms'),
          holder: row['holder'],
          action: row['action'],
          subject: row['subject'],
          reason: row['reason'],
          outcome: row['outcome'],
        })),
    );
  });

  it('the upgraded store contains the notifications of webhook endpoints, and the alerts of each instance', async () => {
    const { webhookDeliveries, webhookAlerts } = opened().store;
    const kept = [
      ...(await webhookDeliveries.ofKind('submission')),
      ...(await webhookDeliveries.ofKind('alert')),
    ];
    const rows = golden.rowsIfAny('webhook_deliveries');
    expect(kept).toHaveLength(rows.length);
    for (const row of rows) {
      const topic = {
        kind: row['kind'] === 'alert' ? ('alert' as const) : ('submission' as const),
        subject: textOf(row, 'subject'),
        component: textOf(row, 'component'),
      };
      const wantedSinceMs = numberOrNull(row, 'wanted_since_ms');
      expect(kept).toContainEqual({
        ...topic,
        id: row['id'],
        endpoint: row['endpoint'],
        version: numberOf(row, 'version'),
        sequence: numberOf(row, 'sequence'),
        deliveredState: row['delivered_state'],
        wantedState: row['wanted_state'],
        waitedMs: wantedSinceMs === null ? null : OPENED_AT_MS - wantedSinceMs,
        failures: numberOf(row, 'failures'),
      });
    }
    const alerts = golden.rowsIfAny('webhook_alerts');
    for (const { code, component } of alerts) {
      const { sightings } = await webhookAlerts.sightings({
        code: code ?? '',
        component: component ?? '',
      });
      expect(sightings.toSorted((a, b) => a.sinceMs - b.sinceMs)).toEqual(
        alerts
          .filter((row) => row['code'] === code && row['component'] === component)
          .map((row) => ({
            sinceMs: numberOf(row, 'since_ms'),
            lastSeenMs: numberOf(row, 'seen_at_ms'),
          })),
      );
    }
  });

  it('the upgraded store still has the last archived nonce of each lane, and accepts writes', async () => {
    const { archive, audit, health } = opened().store;
    for (const row of golden.rows('lanes')) {
      if ((row['archived_through'] ?? null) === null) continue;
      expect(await audit.firstNonce(toFelt(textOf(row, 'address')))).toBe(
        bigintOf(row, 'archived_through') + 1n,
      );
    }
    const most = Number.MAX_SAFE_INTEGER;
    expect(await archive.archive(most, async () => Promise.reject(new Error('kept')))).toBe(0);
    await expect(health.probe()).resolves.toBeUndefined();
  });

  it('the upgraded settlement history contains attempts that have ended and attempts that have not ended', async () => {
    const { settlements } = opened().store;
    const live = golden.rows('attempts').filter((row) => row['ended_at_ms'] === null);
    const ended = golden.rows('attempts').filter((row) => row['ended_at_ms'] !== null);
    expect((await settlements.ended(0, 100)).map(({ id }) => id).toSorted()).toEqual(
      ended.map((row) => textOf(row, 'id')).toSorted(),
    );
    expect((await settlements.live()).map(({ key }) => key).toSorted()).toEqual(
      live.map((row) => textOf(row, 'key')).toSorted(),
    );
  });
}

const hexOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString('hex');
