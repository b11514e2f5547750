import type { Callers } from './callers.js';
import type { Calls } from './calls.js';
import type { Chain } from './chain/chain.js';
import type { Mempool } from './chain/mempool.js';
import type { Network } from './chain/network.js';
import type { NodeFaults } from './chain/node-ports.js';
import type { Disk } from './disk.js';
import type { Judge } from './judge.js';
import type { RunPlan } from './run-plan.js';
import type { Processes } from './processes.js';
import type { Pushes } from './pushes.js';
import type { Streams } from './random.js';
import type { Scheduler } from './scheduler.js';
import type { Situations } from './situations.js';
import type { Story } from './story.js';
import type { Taps } from './taps.js';

/** Components of one run. */
export interface World {
  readonly plan: RunPlan;
  readonly streams: Streams;
  readonly scheduler: Scheduler;
  readonly story: Story;
  readonly judge: Judge;
  readonly situations: Situations;
  readonly taps: Taps;
  readonly chain: Chain;
  readonly pool: Mempool;
  readonly network: Network;
  readonly pushes: Pushes;
  readonly nodeFaults: NodeFaults;
  readonly calls: Calls;
  readonly disk: Disk;
  readonly processes: Processes;
  readonly callers: Callers;
  readonly storeClock: { offsetMs: number };
  /** Keys whose calls the domain currently rejects. */
  readonly unwanted: Set<number>;
}
