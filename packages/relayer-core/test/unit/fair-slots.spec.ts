import { describe, expect, it } from '@jest/globals';
import { FairSlots } from '../../src/index.js';
import { Jobs, jobsOn, turn } from '../support/jobs.js';

describe('FairSlots', () => {
  it('runs as much at a time as there are slots, and the rest in turn', async () => {
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

  it('lets no name have all slots', async () => {
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

  it('lets names take turns, however long their queues are', async () => {
    const jobs = jobsOn({ slots: 1, slotsPerName: 1, waitingPerName: 9 });
    for (const job of ['a1', 'a2', 'a3', 'a4']) void jobs.start('a', job);
    for (const job of ['b1', 'b2']) void jobs.start('b', job);
    void jobs.start('c', 'c1');
    await turn();
    for (const job of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await jobs.end(job);
    expect(jobs.began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('turns away what would wait too long, at once and with a time', async () => {
    const slots = new FairSlots({ slots: 1, slotsPerName: 1, waitingPerName: 1 });
    const jobs = new Jobs(slots);
    void jobs.start('a', 'a1');
    void jobs.start('a', 'a2');
    expect(await jobs.start('a', 'a3')).toBe('OVERLOADED');
    await expect(slots.run('a', async () => {})).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
    void jobs.start('b', 'b1');
    await turn();
    expect(slots.counts()).toEqual({ running: 1, waiting: 2, refused: 2 });
  });

  it('gives a slot back when the work fails', async () => {
    const slots = new FairSlots({ slots: 1, slotsPerName: 1, waitingPerName: 0 });
    for (let run = 0; run < 3; run += 1) {
      await expect(slots.run('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await slots.run('a', async () => 'fine')).toBe('fine');
  });
});
