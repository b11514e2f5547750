import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STEP_NAMES } from '@sotto/bridge-core';
import { toFelt, type Felt } from '@sotto/kernel';
import { LIVE_STATES, type Decision, type LaneRole, type SubmissionEvent, type View } from '@sotto/submission-core';
import { openPostgresStore, openSqliteStore, type OpenedStore } from '../../src/index.js';
import { bigintOf, bigintOrNull, goldenOf, numberOf, numberOrNull, textOf, textOrNull, type GoldenRow } from '../support/golden.js';
import { describeWithPostgres, temporaryDatabase, type TemporaryDatabase } from '../support/postgres.js';
import { temporaryLedgerFile, type TemporaryLedgerFile } from '../temporary-ledger-file.js';

const golden = goldenOf('abe371d');
const ROLES: readonly LaneRole[] = ['relay', 'swap_owner', 'curator'];

/** Shows what the ledger reads for an event, and writes nothing. */
class Looking {
  view: View | null = null;

  readonly decide = (_event: SubmissionEvent, view: View): Decision => {
    this.view = view;
    return { written: false, because: 'proves_nothing' };
  };

  /** The rows of a nonce, settled ones too, which no other call of the port returns. */
  async at({ ledger }: OpenedStore, lane: Felt, nonce: bigint): Promise<View> {
    this.view = null;
    await ledger.record({ type: 'catch_up', lane, nonce, fence: 0n });
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
    expect([...states].toSorted()).toEqual(['accepted', 'broadcast', 'expired', 'prepared', 'refused', 'reverted', 'succeeded']);
  });

  it.each(golden.rows('attempts').map((row) => [textOf(row, 'id'), row] as const))('has the attempt %s', async (id, row) => {
    const { ledger } = opened().store;
    const [key, attempt] = [textOf(row, 'key'), numberOf(row, 'attempt')];
    const last = golden.rows('attempts').findLast((other) => other['key'] === key);
    expect(await ledger.attemptById(id)).toMatchObject(attemptOf(row));
    expect(await ledger.attempt({ key, attempt })).toMatchObject(attemptOf(row));
    expect(await ledger.lastAttempt(key)).toMatchObject(attemptOf(last ?? row));
    const own = golden.rows('transactions').filter((other) => other['attempt_key'] === key && other['attempt_number'] === String(attempt));
    expect(await ledger.transactionsOf({ key, attempt })).toMatchObject(own.map(transactionOf));
    const words = golden.rows('calldata').find((other) => other['submission_id'] === id);
    expect(hexOf((await ledger.calldata(id))?.toBytes())).toBe(words?.['words'] ?? null);
  });

  it.each(ROLES)('has what waits for lanes of role %s, oldest first', async (role) => {
    const { ledger } = opened().store;
    const waiting = golden.rows('attempts').filter((row) => row['state'] === 'accepted' && row['role'] === role);
    expect(await ledger.waiting(role, 100)).toMatchObject(waiting.map(attemptOf));
    expect(await ledger.countWaiting(role)).toBe(waiting.length);
  });

  it.each(golden.rows('nonces').map((row) => [textOf(row, 'lane'), textOf(row, 'nonce'), row] as const))(
    'has what stands on lane %s under nonce %s',
    async (address, nonce, row) => {
      const { store, looking } = opened();
      const under = transactionsUnder(row);
      expect(await looking.at(store, toFelt(address), BigInt(nonce))).toMatchObject({
        nonce: nonceOf(row),
        owner: ownerOf(row),
        transactions: under.map(transactionOf),
      });
      for (const transaction of under) {
        const hash = textOf(transaction, 'hash');
        const signed = golden.rows('signed_bytes').find((other) => other['hash'] === hash);
        expect(hexOf(await store.ledger.signedBytes(toFelt(hash)))).toBe(signed?.['bytes'] ?? null);
      }
    },
  );

  it.each(golden.rows('lanes').map((row) => [textOf(row, 'address'), row] as const))('has lane %s', async (address, row) => {
    const { store, looking } = opened();
    const lane = toFelt(address);
    const nonces = golden.rows('nonces').filter((nonce) => nonce['lane'] === address);
    const { lane: read } = await looking.at(store, lane, 0n);
    expect(read).toMatchObject({ address, role: row['role'], leasedTo: row['leased_to'], fence: bigintOf(row, 'fence') });
    const highest = nonces.at(-1);
    expect(await store.ledger.nextNonce(lane)).toBe(highest === undefined ? null : bigintOf(highest, 'nonce') + 1n);
    const open = nonces.filter((nonce) => nonce['state'] === 'open');
    expect(await store.ledger.openNonces(lane)).toMatchObject(
      open.map((nonce) => ({ row: nonceOf(nonce), owner: ownerOf(nonce), transactions: transactionsUnder(nonce).map(transactionOf) })),
    );
  });

  it('has the quotes, and those that have served', async () => {
    const { quotes } = opened().store;
    for (const row of golden.rows('quotes')) {
      const [id, expiresAtMs] = [textOf(row, 'id'), numberOf(row, 'expires_at_ms')];
      const { chain_id: chainId, pool, relayer } = row;
      expect(await quotes.find(id)).toMatchObject({ id, chainId, pool, relayer, feeAmount: bigintOf(row, 'fee_amount'), expiresAtMs });
      // At its end a quote serves nobody but whom it has served before.
      expect((await quotes.redeem(id, 'somebody else', expiresAtMs)).kind).toBe(row['served_key'] === null ? 'expired' : 'used');
    }
    for (const row of golden.rows('quotes').filter(({ served_key }) => served_key !== null)) {
      const redeemed = await quotes.redeem(textOf(row, 'id'), textOf(row, 'served_key'), numberOf(row, 'expires_at_ms'));
      expect(redeemed.kind).toBe('redeemed');
    }
  });

  it('has the transfers', async () => {
    const { transfers } = opened().store;
    for (const row of golden.rows('transfers')) {
      const hashes = STEP_NAMES.flatMap((step) => (row[`${step}_tx`] === null ? [] : [[step, row[`${step}_tx`]]]));
      expect(await transfers.recall(textOf(row, 'transaction_id'))).toMatchObject({
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
        paused: row['pause_reason'] === null ? null : { reason: row['pause_reason'], sinceMs: numberOf(row, 'paused_at_ms') },
        resumedAtMs: numberOf(row, 'resumed_at_ms'),
        upstream: { failures: numberOf(row, 'upstream_failures'), lastAtMs: numberOf(row, 'upstream_failed_at_ms') },
      })),
    );
  });

  it('has the claims', async () => {
    const { claims } = opened().store;
    for (const row of golden.rows('claims')) {
      const standing = { holder: row['holder'], sinceMs: numberOf(row, 'since_ms') };
      expect(await claims.take(textOf(row, 'name'), 'somebody else', standing.sinceMs + 1)).toMatchObject(standing);
    }
  });

  it('has what ended and what is under way in the books', async () => {
    const { money } = opened().store;
    const live = golden.rows('attempts').filter(isLive);
    const ended = golden.rows('attempts').filter((row) => !isLive(row));
    expect((await money.ended(0, 100)).map(({ id }) => id).toSorted()).toEqual(ended.map((row) => textOf(row, 'id')).toSorted());
    expect((await money.live()).map(({ key }) => key).toSorted()).toEqual(live.map((row) => textOf(row, 'key')).toSorted());
  });
}

function attemptOf(row: GoldenRow): object {
  return {
    key: row['key'],
    attempt: numberOf(row, 'attempt'),
    id: row['id'],
    state: row['state'],
    fingerprint: row['fingerprint'],
    role: row['role'],
    target: { to: row['target_to'], entrypoint: row['target_entrypoint'] },
    limits: {
      l2Gas: bigintOf(row, 'limit_l2_gas'),
      l1Gas: bigintOf(row, 'limit_l1_gas'),
      l1DataGas: bigintOf(row, 'limit_l1_data_gas'),
      priceMultiplier: bigintOf(row, 'price_multiplier'),
    },
    terms:
      row['fee_amount'] === null
        ? null
        : {
            feeAmount: bigintOf(row, 'fee_amount'),
            feeToken: row['fee_token'],
            costFri: bigintOf(row, 'cost_fri'),
            strkUsdE8: bigintOf(row, 'strk_usd_e8'),
            feeTokenUsdE8: bigintOf(row, 'fee_token_usd_e8'),
          },
    lane: row['lane'],
    nonce: bigintOrNull(row, 'nonce'),
    readmit: row['readmit'] === '1',
    acceptedAtMs: numberOf(row, 'accepted_at_ms'),
    deadlineMs: numberOf(row, 'deadline_ms'),
    endedAtMs: numberOrNull(row, 'ended_at_ms'),
    refusalCode: row['refusal_code'],
    transactionHash: row['transaction_hash'],
    revertReason: row['revert_reason'],
    gasPaidFri: bigintOrNull(row, 'gas_paid_fri'),
  };
}

function nonceOf(row: GoldenRow): object {
  return {
    lane: row['lane'],
    nonce: bigintOf(row, 'nonce'),
    state: row['state'],
    owner: refOrNull(row, 'owner_key', 'owner_attempt'),
    settledBy: row['settled_by'],
    gasPaidFri: bigintOrNull(row, 'gas_paid_fri'),
  };
}

function transactionOf(row: GoldenRow): object {
  return {
    hash: row['hash'],
    lane: row['lane'],
    nonce: bigintOf(row, 'nonce'),
    kind: row['kind'],
    attempt: refOrNull(row, 'attempt_key', 'attempt_number'),
    priceStep: numberOf(row, 'price_step'),
    bounds: {
      l2Gas: { maxAmount: bigintOf(row, 'l2_max_amount'), maxPriceFri: bigintOf(row, 'l2_max_price_fri') },
      l1Gas: { maxAmount: bigintOf(row, 'l1_max_amount'), maxPriceFri: bigintOf(row, 'l1_max_price_fri') },
      l1DataGas: { maxAmount: bigintOf(row, 'l1_data_max_amount'), maxPriceFri: bigintOf(row, 'l1_data_max_price_fri') },
      tipFri: bigintOf(row, 'tip_fri'),
    },
    claims: numberOf(row, 'claims'),
    claimFence: bigintOrNull(row, 'claim_fence'),
    claimedAtMs: numberOrNull(row, 'claimed_at_ms'),
    dead: row['dead'] === '1',
    refusalCode: row['refusal_code'],
    seen: row['seen_execution'] === null ? null : { execution: row['seen_execution'], revertReason: row['seen_revert_reason'] },
  };
}

function ownerOf(nonce: GoldenRow): object | null {
  const key = textOrNull(nonce, 'owner_key');
  const owner = golden.rows('attempts').find((row) => row['key'] === key && row['attempt'] === nonce['owner_attempt']);
  return owner === undefined ? null : attemptOf(owner);
}

function transactionsUnder(nonce: GoldenRow): readonly GoldenRow[] {
  return golden.rows('transactions').filter((row) => row['lane'] === nonce['lane'] && row['nonce'] === nonce['nonce']);
}

function refOrNull(row: GoldenRow, key: string, attempt: string): object | null {
  return row[key] === null ? null : { key: row[key], attempt: numberOf(row, attempt) };
}

const isLive = (row: GoldenRow): boolean => LIVE_STATES.some((state) => state === row['state']);

const hexOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString('hex');
