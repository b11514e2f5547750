import { toFelt } from '@sotto/kernel';
import type { Service } from '@sotto/process-kit';
import { loadPool } from '../stack/withdrawals.js';
import { Requests, type RequestSummary } from './requests.js';

/** Paths of the read endpoints that are measured. */
const PATHS = {
  'pool status': `/api/relayer/pool-status?pool=${toFelt(loadPool.address)}`,
  'health/ready': '/health/ready',
} as const;
type Read = keyof typeof PATHS;
const READS: readonly Read[] = ['pool status', 'health/ready'];

/** Requests the read endpoints in turn and records their outcomes. */
export class Reads {
  readonly #requests: Readonly<Record<Read, Requests>> = {
    'pool status': new Requests(),
    'health/ready': new Requests(),
  };

  /** @param service service to read from */
  constructor(private readonly service: Service) {}

  async read(index: number): Promise<void> {
    const read = READS[index % READS.length] ?? 'pool status';
    await this.#requests[read].note(() => this.service.get(PATHS[read]));
  }

  summary(): Readonly<Record<Read, RequestSummary>> {
    return {
      'pool status': this.#requests['pool status'].summary(),
      'health/ready': this.#requests['health/ready'].summary(),
    };
  }
}
