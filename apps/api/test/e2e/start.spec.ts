import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Service } from './support/service.js';
import { Stack } from './support/stack.js';

describe('a start', () => {
  let stack: Stack | undefined;
  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  it('ends in a service that is ready and describes itself', async () => {
    stack = await Stack.start();
    await stack.service.ready();
    const { body } = await stack.service.get('/health/ready');
    const fine = { ok: true, code: null };
    expect(body).toEqual({ status: 'ready', checks: { running: fine, store: fine, node: fine, lanes: fine, verifier: fine } });
    expect((await stack.service.get('/health/live')).body).toEqual({ status: 'alive' });
    expect((await stack.service.get('/openapi.json')).body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  });

  it('waits for a node that does not answer yet, and says so', async () => {
    stack = await Stack.start({ cadence: 'manual' });
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    stack.chain.control.addFault({ method: '*', fault: { kind: 'html' }, times: 1_000 });
    const service = await stack.restart();
    const { status, body } = await service.get('/health/ready');
    expect([status, body]).toEqual([
      503,
      {
        status: 'not_ready',
        checks: expect.objectContaining({ node: { ok: false, code: 'NODE_UNAVAILABLE' }, store: { ok: true, code: null } }),
      },
    ]);
    expect((await service.get('/health/live')).status).toBe(200);
    stack.chain.control.clearFaults();
    await service.ready();
  });

  it('fails when the node serves another chain than the profile names', async () => {
    stack = await Stack.start({ cadence: 'manual' });
    stack.service.kill('SIGTERM');
    await stack.service.ended;
    const profile: object = JSON.parse(readFileSync(join(stack.folder, 'network-profile.json'), 'utf8'));
    const other = join(stack.folder, 'other-chain.json');
    writeFileSync(other, JSON.stringify({ ...profile, chainId: 'SN_MAIN' }));
    const service = await stack.restart({ NETWORK_PROFILE: other });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output).toContain('WrongChain');
  });

  it('fails with all that is wrong with its configuration', async () => {
    const service = new Service({ PORT: 'x', MODE: 'production' });
    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.output).toMatch(/^the configuration has problems:\n(?: {2}\w+: .+\n)+$/);
    expect(service.output).toContain('PORT: must be a whole number');
    expect(service.output).toContain('NETWORK_PROFILE: ');
  });
});
