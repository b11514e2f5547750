import { describe, expect, it } from '@jest/globals';

import { Journey } from '../../src/advanced.js';
import { readAll } from '../support/read-all.js';

type Event = { readonly type: 'proving'; readonly fraction: number } | { readonly type: 'end' };
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function all(journey: Journey<Event>): Promise<readonly Event[]> {
  return readAll(journey.events());
}

describe('a journey', () => {
  it('a wallet operation sends all events to all readers that are present at its start', async () => {
    let begun = 0;
    const journey = new Journey<Event>('a', async (emit) => {
      begun += 1;
      await tick();
      emit({ type: 'proving', fraction: 0 });
      await tick();
      emit({ type: 'end' });
    });
    const [first, second] = await Promise.all([all(journey), all(journey)]);
    expect(first).toEqual([{ type: 'proving', fraction: 0 }, { type: 'end' }]);
    expect(second).toEqual(first);
    expect(await all(journey)).toEqual([{ type: 'end' }]);
    expect(begun).toBe(1);
  });

  it('a wallet operation sends only the newest progress event to a slow reader', async () => {
    const journey = new Journey<Event>('a', async (emit) => {
      for (const fraction of [0, 0.5, 1]) emit({ type: 'proving', fraction });
      emit({ type: 'end' });
    });
    expect(await all(journey)).toEqual([{ type: 'proving', fraction: 1 }, { type: 'end' }]);
  });

  it('a wallet operation runs only while a reader reads its events, and resumes with the next reader', async () => {
    const reasons: unknown[] = [];
    let isLast = false;
    const journey = new Journey<Event>('a', async (emit, signal) => {
      emit({ type: 'proving', fraction: 0 });
      if (!isLast) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (signal.aborted) reasons.push(Object(signal.reason).name);
      else emit({ type: 'end' });
    });
    const stays = journey.events();
    await stays.next();
    for await (const event of journey.events()) if (event.type === 'proving') break;
    expect(reasons).toEqual([]);
    await stays.return();
    expect(reasons).toEqual(['AbortError']);
    isLast = true;
    expect((await all(journey)).at(-1)).toEqual({ type: 'end' });
  });

  it('a reader that waits for events of a wallet operation ends when its signal aborts', async () => {
    const leave = new AbortController();
    const journey = new Journey<Event>(
      'a',
      (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const reading = readAll(journey.events({ signal: leave.signal }));
    await tick();
    leave.abort();
    expect(await reading).toEqual([]);
    expect(await readAll(journey.events({ signal: leave.signal }))).toEqual([]);
  });

  it('a wallet operation throws an unexpected error to its readers', async () => {
    let begun = 0;
    const journey = new Journey<Event>('a', async () => {
      begun += 1;
      throw new Error('the storage is full');
    });
    await expect(all(journey)).rejects.toThrow('the storage is full');
    await expect(all(journey)).rejects.toThrow('the storage is full');
    expect(begun).toBe(2);
  });
});
