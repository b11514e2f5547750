import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock, toFelt, type Clock } from '@sotto/kernel';
import { LedgerOfAnotherChain, LedgerUnavailable, type EngineStatus } from '../../src/index.js';
import {
  WrongChain,
  WrongLedger,
  startEngineOnRightChain,
  type EngineStart,
} from '../../src/application/engine/start-engine.js';
import { FakeNodeDown } from '../../src/testing/fake-chain.js';
import { calm } from '../../src/testing/engine-status.js';

const ours = toFelt('0x1');
type Chain = Awaited<ReturnType<EngineStart['probe']['probe']>>;
const factsOf = (chainId: string): Chain => ({ chainId: toFelt(chainId) });

describe('startEngineOnRightChain', () => {
  let started = 0;
  let ledgers: EngineStatus['ledger'][] = [];
  let failure: Error | null = null;
  const stopping = new AbortController();
  const clock: Clock = { ...systemClock, sleep: async () => {} };

  function startWith(probe: () => Promise<Chain>): EngineStart {
    started = 0;
    const engine = {
      start: async () => {
        started += 1;
        if (failure !== null) throw failure;
      },
      status: () => ({ ...calm, ledger: ledgers.shift() ?? null }),
    };
    return {
      probe: { probe },
      engine,
      chainId: ours,
      clock,
      logger: silentLogger,
      beforeStart: async () => {},
    };
  }

  it('starts the engine on the chain of the profile', async () => {
    await startEngineOnRightChain(
      startWith(async () => factsOf('0x1')),
      stopping.signal,
    );
    expect(started).toBe(1);
  });

  it('retries while the node does not answer', async () => {
    let asked = 0;
    const start = startWith(async () => {
      asked += 1;
      if (asked < 3) throw new FakeNodeDown('down');
      return factsOf('0x1');
    });
    await startEngineOnRightChain(start, stopping.signal);
    expect([asked, started]).toEqual([3, 1]);
  });

  it('rejects another chain without starting', async () => {
    await expect(
      startEngineOnRightChain(
        startWith(async () => factsOf('0x2')),
        stopping.signal,
      ),
    ).rejects.toBeInstanceOf(WrongChain);
    expect(started).toBe(0);
  });

  it('retries the preparation, and starts later, while the store is unavailable', async () => {
    const start = startWith(async () => factsOf('0x1'));
    let tries = 0;
    const beforeStart = async (): Promise<void> => {
      tries += 1;
      if (tries < 3) throw new LedgerUnavailable({ message: 'down' });
    };
    await startEngineOnRightChain({ ...start, beforeStart }, stopping.signal);
    expect([tries, started]).toEqual([3, 1]);
  });

  it('names the remedy if the ledger belongs to another chain', async () => {
    failure = new LedgerOfAnotherChain({ message: 'the first round' });
    const start = startWith(async () => factsOf('0x1'));
    const refusal = startEngineOnRightChain(start, stopping.signal);
    await expect(refusal).rejects.toBeInstanceOf(WrongLedger);
    await expect(refusal).rejects.toThrow(/DATABASE_PATH/);
    failure = null;
  });

  it('detects that as well when the first rounds could not read', async () => {
    ledgers = ['NOT_READ', 'NOT_READ', 'LEDGER_OF_ANOTHER_CHAIN'];
    const start = startWith(async () => factsOf('0x1'));
    await expect(startEngineOnRightChain(start, stopping.signal)).rejects.toBeInstanceOf(
      WrongLedger,
    );
    expect(ledgers).toEqual([]);
  });

  it('continues with a ledger that is behind its chain, which recovers automatically', async () => {
    ledgers = ['NOT_READ', 'LEDGER_BEHIND_CHAIN'];
    await startEngineOnRightChain(
      startWith(async () => factsOf('0x1')),
      stopping.signal,
    );
    expect([started, ledgers]).toEqual([1, []]);
  });

  it('ends when the service stops', async () => {
    const stopped = new AbortController();
    const start = startWith(async () => {
      stopped.abort();
      throw new FakeNodeDown('down');
    });
    await startEngineOnRightChain(start, stopped.signal);
    expect(started).toBe(0);
  });

  it('starts nothing when the service stops during the preparation', async () => {
    const stopped = new AbortController();
    const start = startWith(async () => factsOf('0x1'));
    const beforeStart = async (): Promise<void> => stopped.abort();
    await startEngineOnRightChain({ ...start, beforeStart }, stopped.signal);
    expect(started).toBe(0);
  });
});
