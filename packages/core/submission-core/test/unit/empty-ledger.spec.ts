import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt, type Logger } from '@sotto/kernel';
import {
  LedgerUnavailable,
  type ChainHead,
  type LedgerAcceptance,
  type LedgerState,
} from '../../src/index.js';
import {
  acceptanceNow,
  warnOfEmptyLedger,
  type EmptyStart,
} from '../../src/application/ledger/empty-ledger.js';

const CHAIN = toFelt('0x534e5f54455354');
const [first, second] = [toFelt('0xacc1'), toFelt('0xacc5')];
const EMPTY: LedgerState = {
  chain: null,
  lastBlock: null,
  nowMs: 1,
  possibleCopySinceMs: null,
  disprovedRefusals: 0,
  lanes: [],
};
const VALUE = 'SN_TEST:0xacc1:7,SN_TEST:0xacc5:0';

function headOf(nonces: readonly (readonly [Felt, bigint])[], chainId = CHAIN): ChainHead {
  const accounts = new Map(nonces.map(([address, nonce]) => [address, { nonce, balanceFri: 0n }]));
  const gasPrices = { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n };
  return {
    chainId,
    blockNumber: 1,
    blockHash: toFelt('0x1'),
    timestamp: 1,
    gasPrices,
    l1BlockNumber: null,
    accounts,
  };
}

const head = headOf([
  [first, 7n],
  [second, 0n],
]);
const sources = { reader: { head: async () => head }, chainId: CHAIN, accounts: [first, second] };

describe('value of ACCEPT_EMPTY_LEDGER', () => {
  it('the value of ACCEPT_EMPTY_LEDGER contains every account with its nonce on chain', async () => {
    expect(await acceptanceNow(sources)).toBe(VALUE);
  });

  it('computes no value if the node serves another chain, or if an account can not be read', async () => {
    const elsewhere = { ...sources, reader: { head: async () => headOf([], toFelt('0x1')) } };
    await expect(acceptanceNow(elsewhere)).rejects.toThrow('another chain');
    await expect(
      acceptanceNow({ ...sources, reader: { head: async () => headOf([[first, 7n]]) } }),
    ).rejects.toThrow('0xacc5');
  });
});

describe('start with an empty ledger', () => {
  let lines: { readonly fields: object; readonly message: string }[];
  beforeEach(() => {
    lines = [];
  });
  const log = (fields: object, message: string): void => void lines.push({ fields, message });
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const start = (acceptance: LedgerAcceptance, changed: Partial<EmptyStart> = {}): Promise<void> =>
    warnOfEmptyLedger({
      ...sources,
      ledger: { state: async () => EMPTY },
      acceptance,
      logger,
      ...changed,
    });

  it('logs the value of ACCEPT_EMPTY_LEDGER that must be set if an empty ledger has no acceptance', async () => {
    await start(null);
    expect(lines).toEqual([
      {
        fields: { set: `ACCEPT_EMPTY_LEDGER=${VALUE}` },
        message: expect.stringContaining('is not set'),
      },
    ]);
  });

  it('logs the current value of ACCEPT_EMPTY_LEDGER if the configured value is outdated', async () => {
    await start({ chainId: CHAIN, nonces: new Map([[first, 6n]]) });
    expect(lines).toEqual([
      {
        fields: { set: `ACCEPT_EMPTY_LEDGER=${VALUE}` },
        message: expect.stringContaining('other accounts or nonces'),
      },
    ]);
  });

  it('logs no ACCEPT_EMPTY_LEDGER value if the ledger is accepted or has rows', async () => {
    await start('always');
    await start({
      chainId: CHAIN,
      nonces: new Map([
        [first, 7n],
        [second, 0n],
      ]),
    });
    const chain = { chainId: CHAIN, genesisHash: toFelt('0x9') };
    await start(null, { ledger: { state: async () => ({ ...EMPTY, chain }) } });
    expect(lines).toEqual([]);
  });

  it('does not block the start if the node or the store is unavailable', async () => {
    await start(null, {
      ledger: { state: async () => Promise.reject(new LedgerUnavailable({ message: 'down' })) },
    });
    expect(lines).toMatchObject([{ message: expect.stringContaining('yet') }]);
  });
});
