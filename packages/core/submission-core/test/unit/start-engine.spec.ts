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

  it('starts the engine if the node serves the profile’s chain', async () => {
    await startEngineOnRightChain(
      startWith(async () => factsOf('0x1')),
      stopping.signal,
    );
    expect(started).toBe(1);
  });

  it('retries the start while the node does not answer', async () => {
    let requested = 0;
    const start = startWith(async () => {
      requested += 1;
      if (requested < 3) throw new FakeNodeDown('down');
      return factsOf('0x1');
    });
    await startEngineOnRightChain(start, stopping.signal);
    expect([requested, started]).toEqual([3, 1]);
  });

  it('rejects the start if the node’s chain is not the profile’s chain', async () => {
    await expect(
      startEngineOnRightChain(
        startWith(async () => factsOf('0x2')),
        stopping.signal,
      ),
    ).rejects.toBeInstanceOf(WrongChain);
    expect(started).toBe(0);
  });

  it('repeats the preparation while the store is unavailable, and then starts the engine', async () => {
    const start = startWith(async () => factsOf('0x1'));
    let tries = 0;
    const beforeStart = async (): Promise<void> => {
      tries += 1;
      if (tries < 3) throw new LedgerUnavailable({ message: 'down' });
    };
    await startEngineOnRightChain({ ...start, beforeStart }, stopping.signal);
    expect([tries, started]).toEqual([3, 1]);
  });

  it('rejects the start, with instructions, if the ledger belongs to another chain', async () => {
    failure = new LedgerOfAnotherChain({ message: 'the first round' });
    const start = startWith(async () => factsOf('0x1'));
    const rejection = startEngineOnRightChain(start, stopping.signal);
    await expect(rejection).rejects.toBeInstanceOf(WrongLedger);
    await expect(rejection).rejects.toThrow(/DATABASE_PATH/);
    failure = null;
  });

  it('a ledger of another chain is detected even if the first polls could not read the ledger', async () => {
    ledgers = ['NOT_READ', 'NOT_READ', 'LEDGER_OF_ANOTHER_CHAIN'];
    const start = startWith(async () => factsOf('0x1'));
    await expect(startEngineOnRightChain(start, stopping.signal)).rejects.toBeInstanceOf(
      WrongLedger,
    );
    expect(ledgers).toEqual([]);
  });

  it('starts with a ledger that is behind its chain, because such a ledger recovers automatically', async () => {
    ledgers = ['NOT_READ', 'LEDGER_BEHIND_CHAIN'];
    await startEngineOnRightChain(
      startWith(async () => factsOf('0x1')),
      stopping.signal,
    );
    expect([started, ledgers]).toEqual([1, []]);
  });

  it('the stop of the service ends the attempts to start the engine', async () => {
    const stopped = new AbortController();
    const start = startWith(async () => {
      stopped.abort();
      throw new FakeNodeDown('down');
    });
    await startEngineOnRightChain(start, stopped.signal);
    expect(started).toBe(0);
  });

  it('does not start the engine if the service stops during the preparation', async () => {
    const stopped = new AbortController();
    const start = startWith(async () => factsOf('0x1'));
    const beforeStart = async (): Promise<void> => stopped.abort();
    await startEngineOnRightChain({ ...start, beforeStart }, stopped.signal);
    expect(started).toBe(0);
  });
});
