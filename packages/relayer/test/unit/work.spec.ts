import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt, type BackgroundTask } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { WrongChain } from '@sotto/submission-core';
import { calm } from '@sotto/submission-core/testing';
import { settingsOfOptions } from '../../src/relayer/options.js';
import { Work } from '../../src/relayer/work.js';
import { few } from './few-options.js';

const settings = settingsOfOptions(few);
const { chainId } = settings.network;

describe('automatic work', () => {
  let done: string[];
  /** Resolves the node's reply about its chain; the start of the work waits for this reply. */
  let answer: (chain: string) => void;
  let work: Work;

  beforeEach(() => {
    done = [];
    const served = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const task: BackgroundTask = {
      name: 'a task',
      intervalMs: 1_000,
      run: async () => void done.push('task'),
    };
    work = new Work(
      {
        logger: silentLogger,
        clock: new ManualClock(),
        engine: {
          start: async () => void done.push('engine'),
          stop: async () => void done.push('stopped'),
          status: () => calm,
        },
        probe: { probe: async () => ({ chainId: toFelt(await served) }) },
        reader: { head: async () => Promise.reject(new Error('nothing is compared')) },
        ledger: {
          state: async () => ({
            chain: { chainId, genesisHash: toFelt('0x1') },
            lastBlock: null,
            nowMs: 0,
            possibleCopySinceMs: null,
            disprovedRefusals: 0,
            lanes: [],
          }),
        },
        verdict: {
          name: 'verdict',
          intervalMs: 1_000,
          run: async () => {},
          stop: () => void done.push('not ready'),
        },
        tasks: [task],
        runners: { all: [] },
        repeatedCalls: [],
        warnings: [],
      },
      settings,
    );
  });

  it('automatic work starts only after the node has returned the right chain id', async () => {
    const started = work.start();
    await Promise.resolve();
    expect(done).toEqual([]);
    answer(chainId);
    await started;
    expect(done).toEqual(['engine', 'task']);
    await work.stop();
    expect(done).toEqual(['engine', 'task', 'not ready', 'stopped']);
  });

  it('automatic work does not start on a wrong chain', async () => {
    answer('0xbad');
    await expect(work.start()).rejects.toBeInstanceOf(WrongChain);
    await work.stop();
    expect(done).toEqual(['not ready', 'stopped']);
  });

  it('automatic work does not start if it is stopped while the chain id is queried', async () => {
    const started = work.start();
    const stopped = work.stop();
    answer(chainId);
    await Promise.all([started, stopped]);
    expect(done).toEqual(['not ready', 'stopped']);
  });
});
