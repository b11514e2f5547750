import { describe, expect, it } from '@jest/globals';
import { UNNAMED_CALLER } from '@sotto/kernel';
import { FairSemaphore } from '../../src/index.js';
import { from } from '../support/deposit-world.js';
import { Jobs, jobsOn, turn } from '../support/jobs.js';

describe('FairSemaphore', () => {
  it('starts as many jobs as there are slots, and starts the waiting jobs in their order', async () => {
    const jobs = jobsOn({ slots: 2, slotsPerName: 2, waitingPerName: 9 });
    const all = ['a1', 'a2', 'a3', 'a4'].map(async (job) => jobs.start('a', job));
    await turn();
    expect(jobs.began).toEqual(['a1', 'a2']);
    expect(jobs.slots.counts()).toEqual({ running: 2, waiting: 2, refused: 0 });
    for (const job of ['a2', 'a1', 'a3', 'a4']) await jobs.end(job);
    expect(jobs.began).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'done']);
    expect(jobs.slots.counts()).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it('limits the number of slots for jobs with the same name, so that other jobs get slots', async () => {
    const jobs = jobsOn({ slots: 3, slotsPerName: 2, waitingPerName: 9 });
    for (const job of ['a1', 'a2', 'a3']) void jobs.start('a', job);
    void jobs.start('b', 'b1');
    await turn();
    expect(jobs.began).toEqual(['a1', 'a2', 'b1']);
    await jobs.end('b1');
    expect(jobs.began).toEqual(['a1', 'a2', 'b1']);
    await jobs.end('a1');
    expect(jobs.began).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('starts waiting jobs of different names in turn', async () => {
    const jobs = jobsOn({ slots: 1, slotsPerName: 1, waitingPerName: 9 });
    for (const job of ['a1', 'a2', 'a3', 'a4']) void jobs.start('a', job);
    for (const job of ['b1', 'b2']) void jobs.start('b', job);
    void jobs.start('c', 'c1');
    await turn();
    for (const job of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await jobs.end(job);
    expect(jobs.began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('rejects a job at once if the queue is full, with a retry time', async () => {
    const slots = new FairSemaphore({ slots: 1, slotsPerName: 1, waitingPerName: 1 });
    const jobs = new Jobs(slots);
    void jobs.start('a', 'a1');
    void jobs.start('a', 'a2');
    expect(await jobs.start('a', 'a3')).toBe('OVERLOADED');
    await expect(slots.run('a', UNNAMED_CALLER, async () => {})).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfterSeconds: 2,
    });
    void jobs.start('b', 'b1');
    await turn();
    expect(slots.counts()).toEqual({ running: 1, waiting: 2, refused: 2 });
  });

  it('S10: 200 requests of one caller do not delay another caller’s job', async () => {
    const jobs = jobsOn({ slots: 1, slotsPerName: 1, waitingPerName: 300 });
    for (let job = 0; job < 200; job += 1) void jobs.start('pool', `greedy${job}`, 'greedy');
    void jobs.start('pool', 'only', 'other');
    await turn();
    for (const job of ['greedy0', 'greedy1']) await jobs.end(job);
    expect(jobs.began).toEqual(['greedy0', 'greedy1', 'only']);
    for (const job of ['only', 'greedy2']) await jobs.end(job);
    expect(jobs.began.slice(3)).toEqual(['greedy2', 'greedy3']);
  });

  it('S10: a full queue rejects the last job of the caller with the longest queue to accept another caller’s job', async () => {
    const jobs = jobsOn({ slots: 1, slotsPerName: 1, waitingPerName: 3 });
    const greedy = ['g0', 'g1', 'g2', 'g3', 'g4'].map((job) => jobs.start('pool', job, 'greedy'));
    expect(await greedy[4]).toBe('OVERLOADED');
    void jobs.start('pool', 'o1', 'other');
    expect(await greedy[3]).toBe('OVERLOADED');
    // The greedy caller has two waiting jobs and the other caller has one. This difference is too
    // small to reject a waiting job of the greedy caller.
    expect(await jobs.start('pool', 'o2', 'other')).toBe('OVERLOADED');
    expect(jobs.slots.counts()).toEqual({ running: 1, waiting: 3, refused: 3 });
    for (const job of ['g0', 'g1', 'o1', 'g2']) await jobs.end(job);
    expect(jobs.began).toEqual(['g0', 'g1', 'o1', 'g2']);
    expect(jobs.slots.counts()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('T10: treats all addresses of one network as one caller', async () => {
    const jobs = jobsOn({ slots: 1, slotsPerName: 1, waitingPerName: 4 });
    const ofOne48 = Array.from({ length: 5 }, async (_, index) =>
      jobs.start('pool', `a${index}`, {
        name: `2001:db8:1:${index}::/64`,
        networks: ['2001:db8:1::/56', '2001:db8:1::/48'],
      }),
    );
    const honest = from('198.51.100.9', '198.51.100.0/24');
    void jobs.start('pool', 'honest', honest);
    expect(await ofOne48[4]).toBe('OVERLOADED');
    await turn();
    for (const job of ['a0', 'a1', 'honest', 'a2']) await jobs.end(job);
    expect(jobs.began).toEqual(['a0', 'a1', 'honest', 'a2', 'a3']);
    // Work of a network is not rejected if the network has no more work than others.
    for (const index of [1, 2, 3, 4])
      void jobs.start('pool', `b${index}`, from(`203.0.${index}.1`, `203.0.${index}.0/24`));
    expect(await jobs.start('pool', 'honest2', honest)).toBe('OVERLOADED');
    for (const job of ['a3', 'b1', 'b2', 'b3', 'b4']) await jobs.end(job);
    expect(jobs.slots.counts()).toEqual({ running: 0, waiting: 0, refused: 2 });
  });

  it('T10 a waiting job whose key is in use does not occupy a slot', async () => {
    const jobs = jobsOn({ slots: 2, slotsPerName: 1, waitingPerName: 9 });
    for (const name of ['a', 'b', 'c']) void jobs.start(name, `${name}1`, 'anybody', 'same');
    void jobs.start('d', 'd1', 'anybody', 'other');
    await turn();
    expect(jobs.began).toEqual(['a1', 'd1']);
    await jobs.end('d1');
    expect(jobs.began).toEqual(['a1', 'd1']);
    // Work of the second caller with the name `b` starts, although the first caller’s work with
    // this name still waits for its key.
    void jobs.start('b', 'b2', 'neighbour', 'other');
    await turn();
    expect(jobs.began).toEqual(['a1', 'd1', 'b2']);
    void jobs.start('b', 'b3', 'neighbour', 'third');
    await jobs.end('b2');
    expect(jobs.began).toEqual(['a1', 'd1', 'b2', 'b3']);
    await jobs.end('b3');
    for (const job of ['a1', 'c1', 'b1']) await jobs.end(job);
    expect(jobs.began.slice(4).toSorted()).toEqual(['b1', 'c1']);
    expect(jobs.slots.counts()).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it('T10 once a key is released, starts as many waiting jobs as the limits allow', async () => {
    const jobs = jobsOn({ slots: 2, slotsPerName: 1, waitingPerName: 9 });
    void jobs.start('a', 'a1', 'anybody', 'same');
    void jobs.start('a', 'a2', 'anybody', 'second');
    void jobs.start('b', 'b1', 'anybody', 'same');
    await turn();
    expect(jobs.began).toEqual(['a1']);
    await jobs.end('a1');
    expect(jobs.began).toEqual(['a1', 'a2', 'b1']);
  });

  it('releases a slot if the job fails', async () => {
    const slots = new FairSemaphore({ slots: 1, slotsPerName: 1, waitingPerName: 0 });
    for (let run = 0; run < 3; run += 1) {
      await expect(
        slots.run('a', UNNAMED_CALLER, async () => Promise.reject(new Error('no'))),
      ).rejects.toThrow('no');
    }
    expect(await slots.run('a', UNNAMED_CALLER, async () => 'fine')).toBe('fine');
  });
});
