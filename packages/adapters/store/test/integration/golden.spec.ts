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
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { bigintOf, goldenOf, numberOf, numberOrNull, textOf } from '../support/golden.js';
import { MigratedRows, attemptOf, transactionOf } from '../support/migrated-rows.js';
import {
  describeWithPostgres,
  temporaryDatabase,
  type TemporaryDatabase,
} from '../support/postgres.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const golden = goldenOf('abe371d');
const migrated = new MigratedRows(golden);
const { nonceOf, ownerOf, transactionsUnder } = migrated;
const ROLES: readonly LaneRole[] = ['relay', 'swap_owner', 'curator'];

/** Shows what the ledger reads for an event, and writes nothing. */
class Looking {
  view: MachineState | null = null;

  readonly decide = (_event: SubmissionCommand, view: MachineState): Decision => {
    this.view = view;
    return { applied: false, because: 'proves_nothing' };
  };

  /** The rows of a nonce, settled ones too, which no other call of the port returns. */
  async at({ ledger }: OpenedStore, lane: Felt, nonce: bigint): Promise<MachineState> {
    this.view = null;
    await ledger.apply({ type: 'observe', lane, nonce, hash: toFelt('0x0'), seen: null });
    if (this.view === null) throw new Error('nothing was read');
    return this.view;
  }
}

interface Opened {
  readonly store: OpenedStore;
  readonly looking: Looking;
}

describe('the ledger that the first release left on SQLite', () => {
  let file: TemporaryLedgerFile;
  let store: OpenedStore;
  const looking = new Looking();
  beforeAll(async () => {
    file = temporaryLedgerFile();
    golden.copyTo(file.path);
    store = await openSqliteStore({ path: file.path, decide: looking.decide });
  });
  afterAll(async () => {
    await store.close();
    file.remove();
  });

  isReadAsItWasWritten(() => ({ store, looking }));
});

describeWithPostgres('the ledger that the first release left on PostgreSQL', () => {
  let database: TemporaryDatabase;
  let store: OpenedStore;
  const looking = new Looking();
  beforeAll(async () => {
    database = await temporaryDatabase();
    await database.ask(golden.statements);
    store = await openPostgresStore({ url: database.url, decide: looking.decide });
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  isReadAsItWasWritten(() => ({ store, looking }));
});

function isReadAsItWasWritten(opened: () => Opened): void {
  it('has an attempt in every state', () => {
    const states = new Set(golden.rows('attempts').map((row) => textOf(row, 'state')));
    expect([...states].toSorted()).toEqual([
      'accepted',
      'broadcast',
      'expired',
      'prepared',
      'refused',
      'reverted',
      'succeeded',
    ]);
  });

  it.each(golden.rows('attempts').map((row) => [textOf(row, 'id'), row] as const))(
    'has the attempt %s',
    async (id, row) => {
      const { ledger } = opened().store;
      const [key, attempt] = [textOf(row, 'key'), numberOf(row, 'attempt')];
      const last = golden.rows('attempts').findLast((other) => other['key'] === key);
      expect(await ledger.attemptById(id)).toEqual(attemptOf(row));
      expect(await ledger.attempt({ key, attempt })).toMatchObject(attemptOf(row));
      expect(await ledger.lastAttempt(key)).toMatchObject(attemptOf(last ?? row));
      expect(await ledger.transactionsOf({ key, attempt })).toEqual(
        migrated.transactionsBy(row).map(transactionOf),
      );
      const words = golden.rows('calldata').find((other) => other['submission_id'] === id);
      expect(hexOf((await ledger.calldata(id))?.toBytes())).toBe(words?.['words'] ?? null);
    },
  );

  it.each(ROLES)('has what waits for lanes of role %s, oldest first', async (role) => {
    const { ledger } = opened().store;
    const waiting = golden
      .rows('attempts')
      .filter((row) => row['state'] === 'accepted' && row['role'] === role);
    expect(await ledger.waiting(role, 100)).toMatchObject(waiting.map(attemptOf));
    expect(await ledger.countWaiting(role)).toBe(waiting.length);
  });

  it.each(
    golden.rows('nonces').map((row) => [textOf(row, 'lane'), textOf(row, 'nonce'), row] as const),
  )('has what stands on lane %s under nonce %s', async (address, nonce, row) => {
    const { store, looking } = opened();
    const under = transactionsUnder(row);
    const view = await looking.at(store, toFelt(address), BigInt(nonce));
    expect(view.nonce).toEqual(nonceOf(row));
    expect(view.transactions).toEqual(under.map(transactionOf));
    expect(ownerIn(view)).toEqual(ownerOf(row));
    for (const transaction of under) {
      const hash = textOf(transaction, 'hash');
      const signed = golden.rows('signed_bytes').find((other) => other['hash'] === hash);
      expect(hexOf(await store.ledger.signedBytes(toFelt(hash)))).toBe(signed?.['bytes'] ?? null);
    }
  });

  it.each(golden.rows('lanes').map((row) => [textOf(row, 'address'), row] as const))(
    'has lane %s',
    async (address, row) => {
      const { store, looking } = opened();
      const lane = toFelt(address);
      const nonces = golden.rows('nonces').filter((nonce) => nonce['lane'] === address);
      const { lane: read } = await looking.at(store, lane, 0n);
      const highest = nonces.at(-1);
      const nextNonce = highest === undefined ? null : bigintOf(highest, 'nonce') + 1n;
      const asBefore = {
        address,
        role: row['role'],
        leasedTo: row['leased_to'],
        fence: bigintOf(row, 'fence'),
      };
      expect(read).toEqual({ ...asBefore, nextNonce, quarantine: null, pausedFor: null });
      expect(await store.ledger.unfinalNonces(lane, 'oldest', 100)).toEqual([]);
      const open = nonces.filter((nonce) => nonce['state'] === 'open');
      expect(await store.ledger.openNonces(lane)).toMatchObject(
        open.map((nonce) => ({
          row: nonceOf(nonce),
          owner: ownerOf(nonce),
          transactions: transactionsUnder(nonce).map(transactionOf),
        })),
      );
    },
  );

  it('belongs to no chain yet, and has disproved no refusal', async () => {
    expect(await opened().store.ledger.state()).toMatchObject({
      chain: null,
      lastBlock: null,
      disprovedRefusals: 0,
    });
  });

  it('has the quotes, and those that have served', async () => {
    const { quotes } = opened().store;
    for (const row of golden.rows('quotes')) {
      const [id, expiresAtMs] = [textOf(row, 'id'), numberOf(row, 'expires_at_ms')];
      const { chain_id: chainId, pool, relayer } = row;
      expect(await quotes.find(id)).toMatchObject({
        id,
        chainId,
        pool,
        relayer,
        feeAmount: bigintOf(row, 'fee_amount'),
        expiresAtMs,
      });
      // At its end a quote serves only what it has served before.
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

  it('has the transfers', async () => {
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
      });
    }
  });

  it('has what was decided about pools', async () => {
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

  it('has the claims', async () => {
    const { claims } = opened().store;
    for (const row of golden.rows('claims')) {
      const standing = { holder: row['holder'], sinceMs: numberOf(row, 'since_ms') };
      expect(await claims.take(textOf(row, 'name'), 'another', standing.sinceMs + 1)).toMatchObject(
        standing,
      );
    }
  });

  it('has what ended and what is under way in the books', async () => {
    const { money } = opened().store;
    const live = golden.rows('attempts').filter((row) => row['ended_at_ms'] === null);
    const ended = golden.rows('attempts').filter((row) => row['ended_at_ms'] !== null);
    expect((await money.ended(0, 100)).map(({ id }) => id).toSorted()).toEqual(
      ended.map((row) => textOf(row, 'id')).toSorted(),
    );
    expect((await money.live()).map(({ key }) => key).toSorted()).toEqual(
      live.map((row) => textOf(row, 'key')).toSorted(),
    );
  });
}

const hexOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString('hex');
