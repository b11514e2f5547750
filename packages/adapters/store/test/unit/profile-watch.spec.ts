import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@sotto/kernel';
import { ProfileWatch, type OtherProcess } from '../../src/migrations/profile-watch.js';

const row = (id: string, seenAtMs: bigint, profile: string | null): OtherProcess => ({
  id,
  seenAtMs,
  profile,
});

describe('the profiles of the processes on one store', () => {
  let errors: unknown[][];
  const logger = { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) };
  let watch: ProfileWatch;
  beforeEach(() => {
    errors = [];
    watch = new ProfileWatch('ours', logger);
  });

  it('ProfileWatch logs once that a process which renews its row has another profile', () => {
    for (const seenAtMs of [1n, 2n, 3n, 4n]) watch.compare([row('b', seenAtMs, 'theirs')]);
    expect(errors).toEqual([
      [
        { instance: 'b', profile: 'theirs', ours: 'ours' },
        'another instance has another network profile: the settings of the instances disagree',
      ],
    ]);
  });

  it('ProfileWatch logs no row that is never renewed, because its process may be dead', () => {
    for (let time = 0; time < 5; time += 1) watch.compare([row('killed', 1n, 'theirs')]);
    expect(errors).toEqual([]);
  });

  it('ProfileWatch logs neither an equal profile nor a process without a profile', () => {
    for (const seenAtMs of [1n, 2n, 3n])
      watch.compare([row('same', seenAtMs, 'ours'), row('older', seenAtMs, null)]);
    expect(errors).toEqual([]);
  });

  it('ProfileWatch without an own profile compares no profiles', () => {
    const without = new ProfileWatch(null, logger);
    for (const seenAtMs of [1n, 2n, 3n]) without.compare([row('b', seenAtMs, 'theirs')]);
    expect(errors).toEqual([]);
  });

  it('ProfileWatch logs again if a process had our profile in the meantime', () => {
    for (const seenAtMs of [1n, 2n]) watch.compare([row('b', seenAtMs, 'theirs')]);
    watch.compare([row('b', 3n, 'ours')]);
    for (const seenAtMs of [4n, 5n]) watch.compare([row('b', seenAtMs, 'theirs')]);
    expect(errors).toHaveLength(2);
  });
});
