import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually, signerListens, signerUrl, type Child } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { canReadMemory, memoryHas } from './support/memory.js';
import { policyFor, signerProcess } from './support/signer-process.js';
import { Stack } from './support/stack.js';
import { good, pool } from './support/withdrawals.js';

const { accounts } = sandboxWorld;
const LANE = toFelt(accounts.lane1.address);
const KEY_DIGITS = accounts.lane1.privateKey.toString(16);
const POLICY = policyFor(accounts.lane1.address);

describe('a service with an external signer', () => {
  let folder: string;
  let signer: Child;
  let stack: Stack | null;
  const startSigner = async (policy: object = POLICY): Promise<void> => {
    signer = signerProcess(folder, { policy });
    await signerListens(signer);
  };
  const startStack = async (): Promise<Stack> => {
    const env = {
      RELAY_ACCOUNTS: JSON.stringify([{ address: LANE }]),
      SIGNER_URL: signerUrl(folder),
    };
    return (stack = await Stack.start({ env }));
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-signer-e2e-'));
    stack = null;
    await startSigner();
  });
  afterEach(async () => {
    await stack?.stop();
    await signer.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a service with an external signer relays a withdrawal, and signs its service status', async () => {
    const { service, chain } = await startStack();
    expect((await service.withdraw(good)).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(await chain.isSpent()).toBe(true);
    expect((await service.get('/status')).body).toMatchObject({ signer: LANE });
    expect(signer.output).toContain(`"what":["${toFelt(pool.address)}.withdraw"]`);
    for (const felt of good.calldata.filter(({ length }) => length > 20))
      expect(signer.output).not.toContain(felt);
  });

  (canReadMemory ? describe : describe.skip)('a process with readable memory', () => {
    it('the service has the signer’s key neither in its environment nor in its memory', async () => {
      const { service } = await startStack();
      await service.withdraw(good);
      const { pid } = service.process;
      if (pid === undefined || signer.pid === undefined) throw new Error('a process has ended');
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(KEY_DIGITS);
      expect(memoryHas(signer.pid, KEY_DIGITS)).toBe(true);
      expect(memoryHas(pid, KEY_DIGITS)).toBe(false);
    });
  });

  it('a waiting withdrawal is sent once after an unavailable signer has restarted', async () => {
    const { service, chain } = await startStack();
    await signer.stop('SIGKILL');
    const answering = service.withdraw(good);
    await eventually('the service to notice the missing signer', () =>
      service.output.includes('SIGNER_UNAVAILABLE'),
    );
    await eventually('the verdict to name the signer', () =>
      service.output.includes('"reason":"SIGNER_UNAVAILABLE"'),
    );
    await startSigner();
    expect((await answering).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    expect(chain.inclusions()).toHaveLength(1);
  });

  it('the verdict on the service contains the signer’s rejection until the signer signs again', async () => {
    await signer.stop();
    await startSigner({ ...POLICY, budget: { perHourFri: '1', perDayFri: '1' } });
    const { service } = await startStack();
    await service.ready();
    const answering = service.withdraw(good);
    await eventually('the verdict to name the rejection', () =>
      service.output.includes('"because":"SIGNER_REFUSED_BUDGET"'),
    );
    expect((await service.get('/health/ready')).status).toBe(200);
    await signer.stop();
    await startSigner();
    expect((await answering).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    await eventually('the reason to end', () =>
      service.output
        .split('\n')
        .some((line) => line.includes('SIGNER_REFUSED') && line.includes(' is over')),
    );
  });
});
