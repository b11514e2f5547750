import { describe, expect, it } from '@jest/globals';
import type { Read, SubmissionDetail, SubmissionPage } from '../../src/service.js';
import { moneyByLane, withChange } from '../../src/submission-list.js';
import { SubmissionStore } from '../../src/submission-store.js';
import { failure, Held, submission } from './examples.js';

function begin() {
  const pages = new Held<Read<SubmissionPage>>();
  const details = new Held<Read<SubmissionDetail>>();
  const searches = new Held<Read<Pick<SubmissionPage, 'submissions'>>>();
  const store = new SubmissionStore({
    submissions: pages.query,
    submission: details.query,
    search: searches.query,
  });
  return { store, pages, searches };
}

const page = (
  submissions: SubmissionPage['submissions'],
  next: string | null = null,
): Read<SubmissionPage> => ({ value: { submissions, next }, servedAtMs: null });

const [a, b, c] = [
  submission({ id: 'a', acceptedAt: 100 }),
  submission({ id: 'b', acceptedAt: 90 }),
  submission({ id: 'c', acceptedAt: 80 }),
];
const idsOf = (store: SubmissionStore) => store.list.value?.rows.map(({ id }) => id);

describe('the list of submissions', () => {
  it('a newer list of submissions is not replaced by an older list that arrives later', async () => {
    const { store, pages } = begin();
    void store.choose({});
    void store.choose({ state: 'accepted' });
    await pages.answer(1, page([a]));
    await pages.answer(0, page([a, b, c]));
    expect(idsOf(store)).toEqual(['a']);
  });

  it('the response to a list request does not overwrite changes that arrived during the request', async () => {
    const { store, pages } = begin();
    void store.choose({});
    store.hear({ ...a, state: 'succeeded', endedAt: 110 });
    store.hear(submission({ id: 'new', acceptedAt: 120 }));
    await pages.answer(0, page([a, b]));
    expect(store.list.value?.rows.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'new accepted',
      'a succeeded',
      'b accepted',
    ]);
  });

  it('a new list of submissions replaces changes that arrived before the list was requested', async () => {
    const { store, pages } = begin();
    store.hear({ ...a, state: 'broadcast' });
    void store.choose({});
    await pages.answer(0, page([{ ...a, state: 'succeeded' }]));
    expect(store.list.value?.rows[0]?.state).toBe('succeeded');
  });

  it('the list contains a submission once even if the next page repeats it', async () => {
    const { store, pages } = begin();
    void store.choose({});
    await pages.answer(0, page([a, b], '1-1'));
    void store.older();
    await pages.answer(1, page([b, c]));
    expect(idsOf(store)).toEqual(['a', 'b', 'c']);
  });

  it('no next page of submissions is requested or appended while the list is loaded again', async () => {
    const { store, pages } = begin();
    void store.choose({});
    await pages.answer(0, page([b], '1-1'));
    void store.choose({});
    void store.older();
    expect(pages.count).toBe(2);
    await pages.answer(1, page([b], '1-1'));
    void store.load();
    void store.older();
    await pages.answer(2, page([a], '2-2'));
    await pages.answer(4, page([c]));
    expect(idsOf(store)).toEqual(['a']);
    expect(store.isReading.value).toBe(false);
  });

  it('a submission that no longer matches the filter is removed from the list', () => {
    const list = { rows: [a, b], next: '1-1' };
    expect(withChange(list, { ...a, state: 'broadcast' }, { state: 'accepted' }).rows).toEqual([b]);
    expect(withChange(list, c, {})).toEqual(list);
    expect(withChange({ ...list, next: null }, c, {}).rows).toEqual([a, b, c]);
  });
});

describe('the search', () => {
  it('the result of a submission search is ignored if the search was cleared before the result arrived', async () => {
    const { store, searches } = begin();
    void store.search('0x1');
    void store.search('');
    await searches.answer(0, { value: { submissions: [a] }, servedAtMs: null });
    expect(store.found.value).toBeNull();
  });
});

describe('a search that failed', () => {
  it('a failed search for submissions is distinguished from an empty result', async () => {
    const { store, searches } = begin();
    void store.search('0x1');
    await searches.answer(0, { failure });
    expect(store.found.value).toBeNull();
    expect(store.searchFailure.value).toBe(failure);
  });
});

describe('the money of an account', () => {
  it('the earnings and costs of a lane are sums over its ended submissions', () => {
    const ended = submission({
      lane: '0x7',
      endedAt: 9,
      gasPaidFri: '3',
      feeEarned: { amount: '1', token: '0x1', fri: '10' },
    });
    expect(
      moneyByLane([ended, { ...ended, feeEarned: null }, { ...ended, endedAt: null }]),
    ).toEqual(new Map([['0x7', { earnedFri: 10n, paidFri: 6n }]]));
  });
});
