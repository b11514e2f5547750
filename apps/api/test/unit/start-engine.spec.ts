import { describe, expect, it } from '@jest/globals';
import { NodeUnavailable, type NodeFacts } from '@sotto/adapter-starknet';
import { silentLogger, toFelt, type Clock } from '@sotto/kernel';
import { WrongChain, startEngineOnRightChain, type EngineStart } from '../../src/lifecycle/start-engine.js';

const ours = toFelt('0x1');
const factsOf = (chainId: string): NodeFacts => ({ chainId: toFelt(chainId), specVersion: '0.10.2', blockNumber: 1 });

describe('startEngineOnRightChain', () => {
  let started = 0;
  const stopping = new AbortController();
  const clock: Clock = { nowMs: () => 0, sleep: async () => {} };

  function startWith(probe: () => Promise<NodeFacts>): EngineStart {
    started = 0;
    const engine = {
      start: async () => {
        started += 1;
      },
    };
    return { probe: { probe }, engine, chainId: ours, clock, logger: silentLogger };
  }

  it('starts the engine on the chain of the profile', async () => {
    await startEngineOnRightChain(
      startWith(async () => factsOf('0x1')),
      stopping.signal,
    );
    expect(started).toBe(1);
  });

  it('asks again while the node does not answer', async () => {
    let asked = 0;
    const start = startWith(async () => {
      asked += 1;
      if (asked < 3) throw new NodeUnavailable('down');
      return factsOf('0x1');
    });
    await startEngineOnRightChain(start, stopping.signal);
    expect([asked, started]).toEqual([3, 1]);
  });

  it('refuses another chain without starting', async () => {
    await expect(
      startEngineOnRightChain(
        startWith(async () => factsOf('0x2')),
        stopping.signal,
      ),
    ).rejects.toBeInstanceOf(WrongChain);
    expect(started).toBe(0);
  });

  it('gives up when the service stops', async () => {
    const stopped = new AbortController();
    const start = startWith(async () => {
      stopped.abort();
      throw new NodeUnavailable('down');
    });
    await startEngineOnRightChain(start, stopped.signal);
    expect(started).toBe(0);
  });
});
