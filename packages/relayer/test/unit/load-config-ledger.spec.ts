import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { acceptanceText } from '@sotto/submission-core';
import { load, problemsOf } from './configuration.js';

const FORM =
  'ACCEPT_EMPTY_LEDGER: must be <chain id>:<account>:<nonce>, separated by commas, as `npm run accept-ledger` prints it; true and false do not name the checked accounts and nonces';

describe('comparison of the ledger with its chain', () => {
  it('the comparison of the ledger with its chain has default limits', () => {
    const { engine, audit, retiring } = load();
    expect(engine).toMatchObject({
      nonceWindow: 32,
      lookTimeoutMs: 15_000,
      mempoolLifetimeMs: 300_000,
      horizonMs: 86_400_000,
      adoptBackMs: 7_200_000,
      pauseOnForeign: true,
      acceptance: null,
    });
    expect([audit.intervalMs, retiring]).toEqual([30_000, []]);
  });

  it('each setting of the comparison of ledger and chain is read from its variable', () => {
    const { engine, audit, retiring } = load({
      NONCE_WINDOW: '64',
      POLL_TIMEOUT_MS: '2000',
      MEMPOOL_LIFETIME_MS: '60000',
      ADOPT_BACK_MS: '600000',
      PAUSE_ON_FOREIGN_TRANSACTION: 'false',
      AUDIT_INTERVAL_MS: '0',
      RETIRING_ACCOUNTS: '0xACC1, 0x0acc7',
    });
    expect(engine).toMatchObject({
      nonceWindow: 64,
      lookTimeoutMs: 2_000,
      mempoolLifetimeMs: 60_000,
      adoptBackMs: 600_000,
      pauseOnForeign: false,
    });
    expect([audit.intervalMs, retiring]).toEqual([0, ['0xacc1', '0xacc7']]);
  });

  it('rejects a nonce window that is smaller than the maximum number of transactions in flight per lane', () => {
    expect(problemsOf({ NONCE_WINDOW: '3' })).toEqual([
      'NONCE_WINDOW: must be at least MAX_IN_FLIGHT_PER_LANE',
    ]);
    expect(problemsOf({ MAX_IN_FLIGHT_PER_LANE: '33' })).toEqual([
      'NONCE_WINDOW: must be at least MAX_IN_FLIGHT_PER_LANE',
    ]);
    expect(load({ NONCE_WINDOW: '33', MAX_IN_FLIGHT_PER_LANE: '33' }).engine.nonceWindow).toBe(33);
  });

  it.each(['0xacc1,', '0xacc1,0xacc1', '0xacc1 0xacc7', 'relay', '0x0'])(
    'rejects %j as a list of retiring accounts',
    (text) => {
      expect(problemsOf({ RETIRING_ACCOUNTS: text })).toEqual([
        'RETIRING_ACCOUNTS: must be addresses separated by commas, none of them twice',
      ]);
    },
  );

  it('rejects an account as retiring if it does not sign for this service', () => {
    expect(problemsOf({ RETIRING_ACCOUNTS: '0xacc1,0xbad' })).toEqual([
      'RETIRING_ACCOUNTS: names an account that is not among those that sign: RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT, KEEPER_ACCOUNTS, TREASURY_ACCOUNT',
    ]);
  });
});

describe('acceptance of an empty ledger by the operator', () => {
  it('ACCEPT_EMPTY_LEDGER contains the chain and the nonce of every account', () => {
    const { acceptance } = load({
      ACCEPT_EMPTY_LEDGER: 'SN_TEST:0x00ACC1:7, SN_TEST:0xacc5:0,SN_TEST:0xacc7:12',
    }).engine;
    const nonces = new Map([
      [toFelt('0xacc1'), 7n],
      [toFelt('0xacc5'), 0n],
      [toFelt('0xacc7'), 12n],
    ]);
    const accepted = { chainId: toFelt('0x534e5f54455354'), nonces };
    expect(acceptance).toEqual(accepted);
    expect(load({ ACCEPT_EMPTY_LEDGER: acceptanceText(accepted) }).engine.acceptance).toEqual(
      accepted,
    );
  });

  it('ACCEPT_EMPTY_LEDGER is not required in development', () => {
    expect(load({ MODE: 'development' }).engine.acceptance).toBe('always');
    expect(
      load({ MODE: 'development', ACCEPT_EMPTY_LEDGER: 'SN_TEST:0xacc1:7' }).engine.acceptance,
    ).toMatchObject({
      nonces: new Map([['0xacc1', 7n]]),
    });
  });

  it.each([
    'true',
    'false',
    '1',
    'always',
    'SN_TEST',
    'SN_TEST:0xacc1',
    'SN_TEST:0xacc1:',
    'SN_TEST:0xacc1:-1',
    'SN_TEST:0xacc1:0x7',
    'SN_TEST:0xacc1:7:8',
    'SN_TEST:0xacc1:7,',
    'SN_TEST:0xacc1:7,SN_TEST:0xacc1:8',
    'SN_TEST:0xacc1:7,SN_MAIN:0xacc5:7',
    ':0xacc1:7',
    'SN_TEST:0x0:7',
    '{"0xacc1": 7}',
  ])('rejects %j as the value of ACCEPT_EMPTY_LEDGER', (text) => {
    expect(problemsOf({ ACCEPT_EMPTY_LEDGER: text })).toEqual([FORM]);
    expect(problemsOf({ MODE: 'development', ACCEPT_EMPTY_LEDGER: text })).toEqual([FORM]);
  });

  it('rejects an ACCEPT_EMPTY_LEDGER that contains a different chain or different accounts', () => {
    expect(problemsOf({ ACCEPT_EMPTY_LEDGER: 'SN_MAIN:0xacc1:7' })).toEqual([
      'ACCEPT_EMPTY_LEDGER: names another chain than the network profile',
    ]);
    expect(problemsOf({ ACCEPT_EMPTY_LEDGER: 'SN_TEST:0xbad:7' })).toEqual([
      'ACCEPT_EMPTY_LEDGER: names an account that is not among those that sign: RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT, CURATOR_ACCOUNT, KEEPER_ACCOUNTS, TREASURY_ACCOUNT',
    ]);
  });
});
