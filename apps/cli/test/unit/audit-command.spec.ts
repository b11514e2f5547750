import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import {
  FakeChain,
  InMemoryAuditStore,
  InMemoryLedger,
  LedgerDriver,
} from '@sotto/submission-core/testing';
import { readAuditOptions } from '../../src/audit/audit-options.js';
import { EXIT_CODES, describeReport } from '../../src/audit/audit-report.js';
import { runAudit } from '../../src/audit/run-audit.js';

const FILE = import.meta.filename;
const NODE = 'http://127.0.0.1:5050';
const RUN = {
  site: { accounts: [], calls: null },
  start: { block: 0 },
  depth: 0,
  confirmAfterMs: 1_000,
};

describe('the options of the audit command', () => {
  it('the audit command reads its options, the ledger and the node from the command line', () => {
    const options = readAuditOptions(
      { store: FILE, node: NODE, accounts: '0x01,0x2', from: '7', depth: '0', json: true },
      {},
    );
    expect(options).toEqual({
      site: {
        store: { kind: 'sqlite', path: FILE },
        node: { url: NODE, readTimeoutMs: 10_000, sendTimeoutMs: 15_000 },
        accounts: [toFelt('0x1'), toFelt('0x2')],
        calls: null,
        network: null,
      },
      json: true,
      start: { block: 7 },
      depth: 0,
      confirmAfterMs: 5_000,
    });
  });

  it('the audit command accepts a database, and by default begins with the blocks of one day ago', () => {
    const options = readAuditOptions({ store: 'postgres://u@h/d', node: NODE }, {});
    expect(options).toMatchObject({
      site: { store: { kind: 'postgres', poolSize: 2 } },
      start: { lookbackMs: 86_400_000 },
      depth: 5,
    });
    const { store } = options.site;
    expect(store.kind === 'postgres' && store.url.reveal()).toBe('postgres://u@h/d');
    expect(readAuditOptions({ store: FILE, node: NODE, hours: '2' }, {})).toMatchObject({
      start: { lookbackMs: 7_200_000 },
    });
  });

  it.each([
    ['a ledger without a node', { store: FILE }, '--store and --node belong together'],
    ['a node without a ledger', { node: NODE }, '--store and --node belong together'],
    [
      'a file that does not exist, which would become an empty ledger',
      { store: `${FILE}.none`, node: NODE },
      'does not exist',
    ],
    ['what is no URL', { store: FILE, node: 'here' }, '--node: must be a URL'],
    ['what is no account', { store: FILE, node: NODE, accounts: 'me' }, '--accounts: '],
    ['what is no number', { store: FILE, node: NODE, depth: 'five' }, '--depth: '],
    ['no settings at all', {}, 'RELAY_ACCOUNTS: is required'],
  ])('the options of the audit command are rejected with %s', (_, values, message) => {
    expect(() => readAuditOptions(values, {})).toThrow(message);
  });
});

describe('the audit command', () => {
  it('the audit command reports a ledger without contradictions as clean', async () => {
    const at = await site();
    at.chain.mine(3);
    const report = await reportOf(at);
    expect(report).toEqual({
      result: 'clean',
      firstBlock: 0,
      lastBlock: 3,
      findings: [],
      unrepeated: 0,
      problem: null,
    });
    expect(EXIT_CODES[report.result]).toBe(0);
    expect(describeReport(report)).toBe('clean: ledger and chain agree (blocks 0 to 3)');
  });

  it('the audit command reports contradictions between ledger and chain only after a second read', async () => {
    const at = await site();
    const hash = at.chain.includeForeign(LedgerDriver.lane, { calls: [] });
    const report = await reportOf(at);
    expect(report).toMatchObject({ result: 'contradictions', problem: null });
    expect(report.findings).toEqual([
      {
        code: 'NOT_IN_LEDGER',
        kind: 'contradiction',
        lane: LedgerDriver.lane,
        nonce: '0',
        transactionHash: hash,
        block: 1,
        submission: null,
      },
    ]);
    expect(EXIT_CODES[report.result]).toBe(1);
    expect(describeReport(report)).toContain(
      `contradiction  NOT_IN_LEDGER  account ${LedgerDriver.lane}  nonce 0  transaction ${hash}  block 1`,
    );
    expect((await at.ledger.state()).lanes).toMatchObject([{ pausedFor: null }]);
  });

  it('the audit report is clean if the ledger has adopted all foreign transactions', async () => {
    const at = await site();
    const hash = at.chain.includeForeign(LedgerDriver.lane, { calls: [] });
    const shown = await at.chain.transaction(hash, [LedgerDriver.lane]);
    if (shown === null) throw new Error('not on chain');
    await at.driver.import(0n);
    await at.driver.settle(0n, shown.consumer);
    expect(await reportOf(at)).toMatchObject({
      result: 'clean',
      findings: [{ code: 'FOREIGN', kind: 'foreign', transactionHash: hash }],
    });
  });

  it('the audit report contains the reason if the chain could not be read', async () => {
    const at = await site();
    at.chain.failReads();
    const report = await reportOf(at);
    expect(report).toMatchObject({
      result: 'unread',
      lastBlock: null,
      problem: 'NODE_UNAVAILABLE: the node is down',
    });
    expect(EXIT_CODES[report.result]).toBe(2);
    expect(describeReport(report)).toContain('the audit did not come to its end: NODE_UNAVAILABLE');
  });
});

describe('a failed read of the audit', () => {
  it.each([
    [{ code: 'ECONNRESET' }, 'ECONNRESET'],
    [{}, 'Error'],
  ])(
    'an audit that can’t read the chain reports a code without the node’s own text, with %j',
    async (fields, problem) => {
      const at = await site();
      const failure = Object.assign(new Error('http://user:secret@node.example'), fields);
      const reader = new Proxy(at.chain, {
        get: () => () => Promise.reject(failure),
      });
      const report = await reportOf({ ...at, sources: { ...at.sources, reader, history: reader } });
      expect(report).toMatchObject({ result: 'unread', problem });
      expect(describeReport(report)).toContain(`did not come to its end: ${problem}`);
      expect(JSON.stringify(report)).not.toContain('secret');
    },
  );
});

async function site() {
  const clock = new ManualClock();
  const chain = new FakeChain();
  const ledger = new InMemoryLedger({ clock });
  const { chainId } = await chain.head([]);
  const genesisHash = await chain.blockHash(0);
  if (genesisHash === null) throw new Error('block 0 is missing');
  await ledger.bindChain({ chainId, genesisHash });
  const driver = new LedgerDriver(ledger);
  await driver.lease();
  await driver.introduce(0n);
  const sources = {
    history: chain,
    reader: chain,
    store: new InMemoryAuditStore(ledger),
    ledger,
    clock,
  };
  return { clock, chain, ledger, driver, sources };
}

/** Advances the clock until the audit has ended, and returns its report. */
async function reportOf(
  { clock, sources }: Awaited<ReturnType<typeof site>>,
  run: Parameters<typeof runAudit>[1] = RUN,
) {
  const done = new AbortController();
  const report = runAudit(sources, run, () => {}).finally(() => done.abort());
  while (!done.signal.aborted) {
    clock.advance(1_000);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return report;
}
