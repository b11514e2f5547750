// Made the files beside it at commit 7b81a73, and those of a78d10d at that commit. It is kept to show
// how; a later release, to which it may be adapted, gets a folder of its own. How it is run stands in
// README.md.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { openPostgresStore, openSqliteStore } from '@sotto/adapter-store';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Client } from 'pg';
// The package's own entry point for tests needs jest.
import {
  LedgerDriver,
  aBlock,
  aSignedTransaction,
  aSubmission,
  took,
} from '../../../../../core/submission-core/dist/testing/ledger-driver.js';

const CHAIN = '0x534e5f4d41494e';
const [POOL, OTHER_POOL, SWAP_POOL, VAULT] = ['0xa001', '0xb002', '0x5a9', '0xfa17'];
const FIRST_MS = 1_790_000_000_000;
/** Tables in an order in which each refers to earlier ones only, with their keys. */
const TABLES = {
  chain: 'id',
  lanes: 'address',
  attempts: 'seq',
  nonces: 'lane, nonce',
  transactions: 'seq',
  calldata: 'submission_id',
  signed_bytes: 'hash',
  quotes: 'id',
  transfers: 'transaction_id',
  pool_controls: 'pool',
  claims: 'name',
  gas_uses: 'transaction_hash',
  swap_pins: 'note',
  swap_owners: 'address',
  swap_verdicts: 'attempt_id',
  task_leases: 'task',
  task_controls: 'task, subject',
  task_looks: 'task, subject',
  purchase_progress: 'contract',
  purchase_orders: 'contract, order_id',
  daily_closes: 'day, source',
  leverage_targets: 'vault',
  operator_actions: 'id',
  webhook_deliveries: 'id',
  webhook_alerts: 'code, component, instance',
  canary: 'id',
  migration_hashes: 'name',
  kysely_migration: 'name',
  kysely_migration_lock: 'id',
};

/** Tables whose rows the database counts. */
const COUNTED = { attempts: 'seq', transactions: 'seq', operator_actions: 'id' };

const sha = (text) => createHash('sha256').update(text).digest('hex');
/** 240 bits: a felt, and below the order of the circuit's field. */
const number = (text) => `0x${sha(text).slice(4).replace(/^0+/, '')}`;
const asked = (name) => ({
  effect: sha(`effect of ${name}`),
  fingerprint: sha(`fingerprint of ${name}`),
});

/** The block of a nonce. */
const block = (of) => aBlock(100 + Number(of.nonce));

/** A deployment of a vault. */
const idle = (number_, sats, at) => ({
  key: `${CHAIN}|${VAULT}|idle|${number_}`,
  id: `golden-idle-${number_}-1`,
  effect: 'idle',
  fingerprint: `idle|${sats}|${at}`,
  kind: 'deploy_idle_funds',
  subject: VAULT,
  memo: `${sats}`,
  role: 'curator',
  target: { to: VAULT, entrypoint: 'deploy_idle' },
  terms: null,
  replayProtected: false,
});

/** Stands still, but for the store's calls. */
class Clock {
  ms = FIRST_MS;
  nowMs = () => this.ms;
  monotonicMs = () => this.ms;
}

/** One second later with each event. */
function ticking(ledger, clock) {
  return new Proxy(ledger, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given) => {
        if (name === 'apply') clock.ms += 1_000;
        return value.apply(target, given);
      };
    },
  });
}

async function ok(result) {
  const written = await result;
  if (!written.applied) throw new Error(`the ledger stood back: ${written.because}`);
  return written;
}

const attemptOf = async (result) => (await ok(result)).attempt;

class Writer {
  constructor(store, clock) {
    this.store = store;
    this.clock = clock;
    this.ledger = ticking(store.ledger, clock);
  }

  async run() {
    await this.ledger.bindChain({ chainId: CHAIN, genesisHash: '0x47c3' });
    await this.longEnded();
    await this.relay();
    await this.swaps();
    await this.curator();
    await this.keeper();
    await this.otherLanes();
    await this.books();
    await this.operator();
    await this.ledger.noteBlock(140);
  }

  /** A lane of which two nonces are archived, by a commit that has an archive. */
  async longEnded() {
    const driver = new LedgerDriver(this.ledger, '0xa5c41');
    await driver.lease('instance-a');
    for (const nonce of [5n, 6n, 7n]) {
      const sent = await driver.broadcast(
        `ended-${nonce}`,
        nonce,
        this.withdrawal(`ended-${nonce}`),
      );
      await ok(driver.settle(nonce, took(sent.transaction.hash, { block: block(sent) })));
      if (nonce < 7n) await ok(driver.finalize(nonce));
    }
    this.clock.ms += 1_000;
    await this.ledger.redact(1);
    this.clock.ms += 1_000;
    if (this.store.archive === undefined) return;
    const archived = await this.store.archive.archive(1, async () => {});
    if (archived !== 2) throw new Error(`archived ${archived}`);
  }

  withdrawal(name, number_ = 1, pool = POOL) {
    return {
      key: `${CHAIN}|${pool}|${number(`nullifier of ${name}`)}`,
      id: `golden-${name}-${number_}`,
      ...asked(name),
      kind: 'withdraw',
      subject: pool,
      memo: number(`nullifier of ${name}`),
      target: { to: pool, entrypoint: 'withdraw' },
    };
  }

  deposit(name, number_ = 1) {
    return {
      key: `${CHAIN}|${POOL}|deposit|${number(`commitment of ${name}`)}`,
      id: `golden-${name}-${number_}`,
      ...asked('depositor'),
      kind: 'deposit',
      subject: POOL,
      memo: number(`commitment of ${name}`),
      target: { to: POOL, entrypoint: 'deposit' },
      terms: null,
    };
  }

  batch(name, first, count, entrypoint) {
    return {
      key: `${CHAIN}|${POOL}|deploy|${first}`,
      id: `golden-${name}-1`,
      effect: entrypoint,
      fingerprint: `${entrypoint}|${count}`,
      kind: 'deploy_batch',
      subject: POOL,
      memo: null,
      target: { to: POOL, entrypoint },
      terms: null,
    };
  }

  async relay() {
    const driver = new LedgerDriver(this.ledger, '0x1a2e01');
    await driver.lease('instance-a');
    let nonce = 7n;
    const send = async (name, submission = this.withdrawal(name)) => {
      const broadcast = await driver.broadcast(name, nonce, submission);
      nonce += 1n;
      return broadcast;
    };
    const land = (of, changes = {}) =>
      ok(driver.settle(of.nonce, took(of.transaction.hash, { block: block(of), ...changes })));
    const reverted = { execution: 'REVERTED', revertReason: 'said "no"\n\\ to the pool: 错误' };

    const wiped = await send('wiped');
    await land(wiped);
    await ok(driver.finalize(wiped.nonce));
    this.clock.ms += 1_000;
    await this.ledger.redact(1);

    const succeeded = await send('succeeded');
    await land(succeeded);
    await ok(driver.finalize(succeeded.nonce));

    const replaced = await send('replaced');
    const dearer = aSignedTransaction('replaced', 30_000_000_000n);
    await ok(driver.store(replaced.attempt, replaced.nonce, dearer));
    await land({ ...replaced, transaction: dearer });

    const first = await send('reverted');
    await land(first, reverted);
    await land(await send('reverted 2', { ...this.withdrawal('reverted', 2), terms: null }));

    const refused = await send('refused');
    await ok(driver.refuse(refused.nonce, refused.transaction.hash));
    const reused = await attemptOf(driver.request('reuses', this.withdrawal('reuses')));
    const reusing = aSignedTransaction('reuses');
    await ok(driver.store(reused, refused.nonce, reusing));
    await land({ nonce: refused.nonce, transaction: reusing });
    await attemptOf(driver.request('refused', { ...this.withdrawal('refused', 2), terms: null }));

    const expired = await send('expired');
    const noop = aSignedTransaction('no-op for expired', 30_000_000_000n);
    await ok(driver.store(null, expired.nonce, noop));
    await land({ nonce: expired.nonce, transaction: noop });
    await ok(driver.endWaiting(expired.attempt));

    const cameBack = await send('came-back');
    const other = aSignedTransaction('no-op for came-back', 30_000_000_000n);
    await ok(driver.store(null, cameBack.nonce, other));
    await land({ nonce: cameBack.nonce, transaction: other });

    const foreign = await send('foreign-took');
    await land({ nonce: foreign.nonce, transaction: { hash: '0xf0e16' } });

    const undone = await send('undone');
    await land(undone);
    await ok(driver.reopen(undone.nonce));

    const landedAgain = await send('undone-and-landed');
    await land(landedAgain, reverted);
    await ok(driver.reopen(landedAgain.nonce));
    await land(landedAgain, { block: aBlock(130) });

    const lied = await send('refusal-disproved');
    await ok(driver.refuse(lied.nonce, lied.transaction.hash));
    await land(lied);

    await land(await send('deposited', this.deposit('deposited')));
    await land(await send('batch', this.batch('batch', 0, 32, 'deploy_batch')), reverted);

    const seen = await send('seen');
    await ok(
      driver.observe(seen.nonce, seen.transaction.hash, {
        execution: 'SUCCEEDED',
        revertReason: null,
      }),
    );

    const outbid = await send('outbid', this.withdrawal('outbid', 1, OTHER_POOL));
    await ok(driver.claim(outbid.nonce, outbid.transaction.hash));
    const higher = aSignedTransaction('outbid', 30_000_000_000n);
    await ok(driver.store(outbid.attempt, outbid.nonce, higher));
    await ok(
      driver.observe(outbid.nonce, higher.hash, { execution: 'REVERTED', revertReason: 'later' }),
    );

    const cancelled = await send('being-cancelled');
    const cancelling = aSignedTransaction('no-op for being-cancelled', 30_000_000_000n);
    await ok(driver.store(null, cancelled.nonce, cancelling));

    const tooCheap = await send('too-cheap');
    await ok(driver.refuse(tooCheap.nonce, tooCheap.transaction.hash, { cause: 'price' }));
    const free = await send('freed');
    await ok(driver.refuse(free.nonce, free.transaction.hash));
    await send('depositing', this.deposit('depositing'));

    await ok(driver.request('accepted', this.withdrawal('accepted')));
    await ok(driver.request('deposit-waits', this.deposit('deposit-waits')));
    await ok(
      driver.request('batch-waits', this.batch('batch-waits', 32, 5, 'deploy_partial_batch')),
    );
    const late = await attemptOf(driver.request('not-sent', this.withdrawal('not-sent')));
    await ok(driver.endWaiting(late));
    const unwanted = await attemptOf(driver.request('unwanted', this.withdrawal('unwanted')));
    await ok(driver.endWaiting(unwanted, { to: 'refused', code: 'NULLIFIER_SPENT' }));
  }

  async swaps() {
    const driver = new LedgerDriver(this.ledger, '0x5a9e0');
    await driver.lease('instance-b');
    await this.ledger.registerLane('0x5a9e0', 'swap_owner');
    const swap = (name, attempt = 1) => ({
      ...this.withdrawal(name, attempt),
      kind: 'private_swap',
      role: 'swap_owner',
      target: { to: SWAP_POOL, entrypoint: 'private_swap' },
    });
    const first = await driver.broadcast('swap', 0n, swap('swap'));
    await ok(
      driver.settle(
        0n,
        took(first.transaction.hash, { execution: 'REVERTED', revertReason: 'too little out' }),
      ),
    );
    await this.store.swapVerdicts.decide('golden-swap-1', {
      kind: 'again',
      decidedAtMs: this.clock.ms,
    });
    await driver.broadcast('swap 2', 1n, swap('swap', 2));
    const over = await driver.broadcast('swap-over', 2n, swap('swap-over'));
    await ok(
      driver.settle(
        2n,
        took(over.transaction.hash, { execution: 'REVERTED', revertReason: 'nullifier known' }),
      ),
    );
    await this.store.swapVerdicts.decide('golden-swap-over-1', {
      kind: 'over',
      decidedAtMs: this.clock.ms,
    });
    const done = await driver.broadcast('swap-done', 3n, swap('swap-done'));
    await ok(driver.settle(3n, took(done.transaction.hash, { block: aBlock(120) })));
    await this.store.swapPins.pin({
      chainId: CHAIN,
      pool: POOL,
      nullifierHash: BigInt(number('nullifier of swap-done')),
      newCommitment: BigInt(number('commitment of swap-done')),
      outputToken: '0x37b',
      floor: 2n ** 100n,
    });
    await this.store.swapRecords.noteReadUpTo('0x5a9e0', 3n);
  }

  async curator() {
    const driver = new LedgerDriver(this.ledger, '0xc1a70');
    await driver.lease('instance-a');
    await this.ledger.registerLane('0xc1a70', 'curator');
    const done = await driver.broadcast('idle 0', 0n, idle(0, 100_000_000n, 90));
    await ok(driver.settle(0n, took(done.transaction.hash, { block: aBlock(91) })));
    await ok(driver.finalize(0n));
    await ok(
      driver.ledger.apply({
        type: 'import',
        ...driver.held,
        nonce: 1n,
        through: 1n,
      }),
    );
    await ok(driver.settle(1n, took('0xad097')));
    const adopted = { ...idle(1, 2n ** 64n, 'unknown') };
    const { calldata, limits } = aSubmission('adopted');
    await ok(
      this.ledger.apply({
        type: 'adopt',
        lane: '0xc1a70',
        nonce: 1n,
        submission: { ...adopted, calldata, limits },
        consumer: took('0xad097'),
      }),
    );
    await ok(driver.request('idle 2', idle(2, 3n, 130)));
  }

  async otherLanes() {
    const far = '0x7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff02';
    const imported = new LedgerDriver(this.ledger, far);
    await imported.lease('instance-a');
    await ok(imported.introduce(40n));
    await ok(imported.import(40n, 44n));
    await ok(imported.import(45n));
    await this.ledger.unlease(far, 'instance-a', imported.fence);
    const behind = new LedgerDriver(this.ledger, '0xbe41d');
    await behind.lease('instance-b');
    await ok(behind.introduce(3n));
    await ok(behind.quarantine(9n));
    await ok(behind.quarantine(9n, true));
    const met = new LedgerDriver(this.ledger, '0x3e7');
    await met.lease('instance-b');
    await ok(met.introduce(2n, { isAccepted: false }));
    await this.ledger.pauseLane('0x3e7', 'its account was upgraded');
  }

  async books() {
    const { quotes, transfers, poolControls, gas, locks } = this.store;
    const quote = {
      chainId: CHAIN,
      pool: POOL,
      relayer: '0x1a2e01',
      feeAmount: 2n ** 65n,
      expiresAtMs: this.clock.ms + 60_000,
      operation: 'withdraw',
      leafIndex: null,
    };
    await quotes.add({ ...quote, id: 'golden-quote-open' });
    await quotes.add({ ...quote, id: 'golden-quote-over', expiresAtMs: FIRST_MS + 1 });
    await quotes.add({
      ...quote,
      id: 'golden-quote-swap',
      operation: 'private_swap',
      leafIndex: 17,
    });
    await quotes.add({ ...quote, id: 'golden-quote-served', feeAmount: 26n });
    const { key } = this.withdrawal('succeeded');
    await quotes.redeem('golden-quote-served', key, this.clock.ms);

    const unseen = { completedAtSeconds: [], next: 'pending', txHashes: {}, refunded: false };
    const at = [1_790_000_000, 1_790_000_010, 1_790_000_010, 1_790_000_100, 1_790_000_200];
    const kept = {
      'golden-unseen': unseen,
      'golden-under-way': {
        ...unseen,
        completedAtSeconds: at.slice(0, 2),
        next: 'processing',
        txHashes: { deposit_detected: '0xdeb0' },
      },
      'golden-done': { ...unseen, completedAtSeconds: at, outputAmount: '0.015' },
      'golden-failed': { ...unseen, completedAtSeconds: at.slice(0, 1), next: 'failed' },
      'golden-refunded': {
        ...unseen,
        completedAtSeconds: at.slice(0, 3),
        next: 'failed',
        refunded: true,
      },
    };
    for (const [id, transfer] of Object.entries(kept))
      await transfers.update(id, this.clock.ms, () => ({ outputAmount: null, ...transfer }));

    await poolControls.pause(POOL, "the operator's hand", this.clock.ms);
    await poolControls.upstreamFailed(POOL, this.clock.ms + 1_000);
    await poolControls.pause(OTHER_POOL, 'losses', this.clock.ms);
    await poolControls.resume(OTHER_POOL, this.clock.ms + 2_000);
    await poolControls.upstreamFailed(SWAP_POOL, this.clock.ms);
    await poolControls.upstreamFailed(SWAP_POOL, this.clock.ms + 3_000);

    await locks.take(`commitment|${sha('commitment')}`, key, this.clock.ms);
    const trial = `trial|${OTHER_POOL}|withdrawal|reverts|${FIRST_MS}`;
    const first = await locks.take(trial, 'golden-first-holder', this.clock.ms);
    await locks.replace(trial, first, 'golden-second-holder', this.clock.ms + 4_000);

    const unread = await gas.unread(100);
    const known = unread.toSorted((a, b) => (a.transactionHash < b.transactionHash ? -1 : 1));
    await gas.add(
      known.slice(1).map((relay, index) => ({
        ...relay,
        l2Gas: 900_000_000n + BigInt(index),
        l1DataGas: 128n,
      })),
    );
  }

  async keeper() {
    const { taskLeases, taskBook, purchaseOrders, dailyCloses, leverageTargets } = this.store;
    for (const [role, lane] of [
      ['keeper', '0x3ee9e4'],
      ['treasury', '0x74ea5'],
    ]) {
      const driver = new LedgerDriver(this.ledger, lane);
      await driver.lease('instance-b');
      await this.ledger.registerLane(lane, role);
      const sent = await driver.broadcast(role, 0n, {
        ...this.batch(role, role === 'keeper' ? 64 : 96, 32, 'deploy_batch'),
        role,
      });
      await ok(driver.settle(0n, took(sent.transaction.hash, { block: aBlock(135) })));
      await ok(
        driver.request(`${role}-waits`, {
          ...this.batch(`${role}-waits`, role === 'keeper' ? 128 : 160, 32, 'deploy_batch'),
          role,
        }),
      );
    }
    await taskLeases.hold('batches', 'instance-a', 3_600_000);
    await taskLeases.hold('purchases', 'instance-b', 1_000);
    await taskBook.pause('purchases', null, "the operator's hand");
    await taskBook.pause('batches', POOL, 'its pool is drained');
    await taskBook.resume('batches', POOL);
    const details = { sats: '123', isWhole: true };
    await taskBook.note('batches', POOL, {
      outcome: 'acted',
      submissionId: 'golden-keeper-1',
      details,
    });
    this.clock.ms += 1_000;
    const skip = { outcome: 'skipped', details, dueAtMs: this.clock.ms + 60_000 };
    await taskBook.note('batches', POOL, { ...skip, reason: 'NOT_DUE' });
    await taskBook.note('purchases', '7', { ...skip, dueAtMs: null, reason: 'NO_QUOTES' }, 500);
    const safe = { number: 139, hash: '0x5afe' };
    await purchaseOrders.advance('0xdca', { nextBlock: 140, safe }, [1n, 2n, 2n ** 63n]);
    await purchaseOrders.end('0xdca', [1n]);
    await dailyCloses.keep('one', [
      { day: 20_600, usdE8: 9_500_000_000_000n },
      { day: 20_601, usdE8: 9_600_000_000_000n },
    ]);
    await dailyCloses.keep('other', [{ day: 20_600, usdE8: 9_500_100_000_000n }]);
    await leverageTargets.set(VAULT, 25_000);
  }

  /** What came with 0018 to 0020; nothing by a commit that has them not. */
  async operator() {
    const { health, operatorLog, webhookDeliveries, webhookAlerts } = this.store;
    if (webhookAlerts === undefined) return;
    await health.probe();
    const entry = { holder: 'ops', subject: 'golden-refused-1', reason: 'asked by "support"\n' };
    const done = await operatorLog.begin({ ...entry, action: 'submission.retry' });
    await operatorLog.end(done, 'DONE');
    this.clock.ms += 1_000;
    await operatorLog.begin({ ...entry, action: 'lane.pause', subject: '0x3e7', reason: null });

    const begun = {
      version: 1,
      sequence: 0,
      deliveredState: null,
      wantedState: null,
      waitedMs: null,
      failures: 0,
    };
    const add = (kind, subject, component, endpoint) =>
      webhookDeliveries.add({ kind, subject, component }, endpoint, 4, {
        ...begun,
        kind,
        subject,
        component,
        endpoint,
        id: `golden-delivery-${subject}-${endpoint}`,
      });
    await add('submission', 'golden-succeeded-1', '', 'wallet');
    await add('submission', 'golden-seen-1', '', 'wallet');
    await add('submission', 'golden-seen-1', '', 'books');
    await add('alert', 'POOL_PAUSED', POOL, 'pager');
    const claim = async (endpoint) => {
      const taken = await webhookDeliveries.claim(endpoint, { limit: 10, leaseMs: 30_000 });
      return taken.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };
    const [seen, succeeded] = await claim('wallet');
    const wanted = await webhookDeliveries.want(succeeded, 'succeeded', 30_000);
    await webhookDeliveries.settle(wanted, 'succeeded', 60_000);
    const failing = await webhookDeliveries.want(seen, 'broadcast', 30_000);
    await webhookDeliveries.postpone(failing, 1, 20_000);

    await webhookAlerts.note('instance-a', [{ code: 'POOL_PAUSED', component: POOL }], 60_000);
    this.clock.ms += 5_000;
    await webhookAlerts.note(
      'instance-b',
      [
        { code: 'POOL_PAUSED', component: POOL, standsMs: 2_000 },
        { code: 'LANES_PAUSED', component: '' },
      ],
      60_000,
    );
  }
}

/** What the ports of a commit can't write any more: sends from before 0017 had no node. */
function claimsWithoutNode(columns) {
  return columns.includes('claim_node')
    ? "update transactions set claim_node = null where nonce in (select nonce from attempts where id = 'golden-outbid-1') and lane = '0x1a2e01'"
    : 'select 1';
}

/** @throws Error when a table of the database is missing here, or has no row */
function tablesOf(names) {
  const unknown = names.filter((name) => !(name in TABLES) && name !== 'sqlite_sequence');
  if (unknown.length > 0) throw new Error(`unknown: ${unknown}`);
  return Object.entries(TABLES).filter(([table]) => names.includes(table));
}

/** Rows as text: integers in decimal, bytes in hex. */
async function contentsOf(names, rowsOf) {
  const tables = {};
  for (const [table, key] of tablesOf(names)) {
    const rows = await rowsOf(`select * from ${table} order by ${key}`);
    if (rows.length === 0) throw new Error(`${table} has no row`);
    tables[table] = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])),
    );
  }
  return tables;
}

function textOf(value) {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

/** Times of migrations are fixed: they are the only ones that no clock of ours gives. */
function migrationTime(index) {
  return new Date(FIRST_MS + index).toISOString();
}

async function makeSqlite(file) {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'));
  const path = join(folder, 'ledger.sqlite');
  const clock = new Clock();
  const store = await openSqliteStore({ path, clock });
  await new Writer(store, clock).run();
  await store.close();
  const database = new DatabaseSync(path, { readBigInts: true });
  const names = database.prepare('select name from kysely_migration order by name').all();
  const fix = database.prepare('update kysely_migration set timestamp = ? where name = ?');
  for (const [index, { name }] of names.entries()) fix.run(migrationTime(index), name);
  const namesOf = (query) =>
    database
      .prepare(query)
      .all()
      .map(({ name }) => name);
  database.exec(claimsWithoutNode(namesOf("select name from pragma_table_info('transactions')")));
  database.exec('pragma wal_checkpoint(truncate); vacuum; pragma wal_checkpoint(truncate)');
  const tables = namesOf("select name from sqlite_schema where type = 'table'");
  const contents = await contentsOf(tables, (query) => database.prepare(query).all());
  database.close();
  copyFileSync(path, file);
  rmSync(folder, { recursive: true });
  return contents;
}

/** After the comment that a migration begins with. */
const DEFINES = /^(?:\s*--[^\n]*\n)*\s*(?:create|alter|drop)\b/i;

/** The statements that the release runs on an empty database, as its driver gets them. */
async function definitionsOf(open) {
  const query = Reflect.get(Client.prototype, 'query');
  const statements = [];
  Client.prototype.query = function (sent, ...rest) {
    const text = typeof sent === 'string' ? sent : sent?.text;
    if (DEFINES.test(text ?? '')) statements.push(text.trim());
    return query.call(this, sent, ...rest);
  };
  try {
    return { store: await open(), statements };
  } finally {
    Client.prototype.query = query;
  }
}

async function makePostgres(file, url) {
  const clock = new Clock();
  const { store, statements } = await definitionsOf(() => openPostgresStore({ url, clock }));
  await new Writer(store, clock).run();
  await store.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  const rowsOf = async (query) => (await client.query(query)).rows;
  const names = await rowsOf('select name from kysely_migration order by name');
  for (const [index, { name }] of names.entries())
    await client.query('update kysely_migration set timestamp = $1 where name = $2', [
      migrationTime(index),
      name,
    ]);
  const namesOf = async (query) => (await rowsOf(query)).map(({ name }) => name);
  await client.query(
    claimsWithoutNode(
      await namesOf(
        "select column_name as name from information_schema.columns where table_name = 'transactions'",
      ),
    ),
  );
  const tables = await namesOf(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const contents = await contentsOf(tables, rowsOf);
  const lines = [
    'set standard_conforming_strings = on;',
    '',
    ...statements.map((s) => `${s};`),
    '',
  ];
  for (const table of Object.keys(contents)) {
    const types = new Map(
      (
        await rowsOf(
          `select column_name, data_type, is_identity from information_schema.columns where table_name = '${table}'`,
        )
      ).map((column) => [column.column_name, column]),
    );
    for (const row of contents[table]) {
      const columns = Object.keys(row);
      const given = [...types.values()].some(({ is_identity }) => is_identity === 'YES')
        ? ' overriding system value'
        : '';
      const values = columns.map((name) => literal(row[name], types.get(name).data_type));
      lines.push(
        `insert into "${table}" (${columns.map((name) => `"${name}"`).join(', ')})${given} values (${values.join(', ')});`,
      );
    }
  }
  lines.push('');
  for (const [table, column] of Object.entries(COUNTED)) {
    if (contents[table] === undefined) continue;
    const last = contents[table].at(-1)[column];
    lines.push(`select setval(pg_get_serial_sequence('${table}', '${column}'), ${last}, true);`);
  }
  await client.end();
  writeFileSync(
    file,
    `-- The ledger on PostgreSQL as commit ${commit} writes it. Never changed: see README.md beside this file.\n${lines.join('\n')}\n`,
  );
  return contents;
}

function literal(value, type) {
  if (value === null) return 'null';
  if (type === 'bytea') return `'\\x${value}'`;
  return type === 'bigint' || type === 'integer' ? value : `'${value.replaceAll("'", "''")}'`;
}

const [folder, commit] = process.argv.slice(2);
if (commit === undefined) throw new Error('usage: node make.mjs <folder> <commit>');
const found = findPostgres();
if (found.kind === 'missing') throw new Error(found.reason);
const server = await PostgresServer.start(found);
try {
  const sqlite = await makeSqlite(join(folder, 'ledger.sqlite'));
  const postgres = await makePostgres(
    join(folder, 'ledger.postgres.sql'),
    await server.createDatabase(),
  );
  // Each database has migrations of its own text.
  delete sqlite.migration_hashes;
  for (const [table, rows] of Object.entries(sqlite))
    if (!isDeepStrictEqual(rows, postgres[table])) throw new Error(`rows of ${table} differ`);
  writeFileSync(join(folder, 'contents.json'), `${JSON.stringify(sqlite, null, 2)}\n`);
} finally {
  await server.stop();
}
