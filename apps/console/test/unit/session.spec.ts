import { describe, expect, it } from '@jest/globals';
import { Service, type Failure, type Pool, type Read, type Status } from '../../src/service.js';
import { Session } from '../../src/session.js';
import { failure, Held, reason, status, verdict } from './examples.js';

const read = (value: Status): Read<Status> => ({ value, servedAtMs: null });
const blocked = status({ verdict: verdict({ reasons: [reason] }) });

function begin(first = status()) {
  const statuses = new Held<Read<Status>>();
  const service = Object.assign(new Service('http://service.test', 'token'), {
    status: statuses.query,
  });
  const rejections: Failure[] = [];
  const tab = {
    visibilityState: 'visible' as const,
    title: '',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const known = { value: first, servedAtMs: null, receivedAtMs: 0 };
  const session = new Session(service, known, (rejection) => rejections.push(rejection), tab);
  return { session, statuses, rejections, tab };
}

describe('a session', () => {
  it('the console does not replace a newer status by an older status that arrives later', async () => {
    const { session, statuses, tab } = begin();
    void session.refresh();
    void session.refresh();
    await statuses.answer(1, read(blocked));
    await statuses.answer(0, read(status()));
    expect(session.verdict.value.tone).toBe('bad');
    expect(tab.title).toContain('cannot succeed');
    session.end();
  });

  it('the console continues to display its data when the connection is lost', async () => {
    const { session, statuses } = begin();
    void session.refresh();
    await statuses.answer(0, { failure });
    expect(session.failure.value).toBe(failure);
    expect(session.status.value.value.ledger.lastBlock).toBe(12);
    expect(session.news.value).toContain('does not answer');
    void session.refresh();
    await statuses.answer(1, read(status()));
    expect(session.failure.value).toBeNull();
    expect(session.news.value).toBe('Withdrawals can succeed.');
    session.end();
  });

  it('the console’s session reports a rejected API token, so that the page signs the operator out', async () => {
    const { session, statuses, rejections } = begin();
    void session.refresh();
    await statuses.answer(0, { failure: { ...failure, httpStatus: 401 } });
    expect(rejections).toHaveLength(1);
    session.end();
  });

  it('an opened submission is read again after an operator’s action', async () => {
    const requested: string[] = [];
    const { session } = begin();
    session.service.submission = async (id) => {
      requested.push(id);
      return { failure };
    };
    session.afterAction();
    expect(requested).toEqual([]);
    await session.submissions.open('a');
    session.afterAction();
    expect(requested).toEqual(['a', 'a']);
    session.end();
  });

  it('ignores responses that arrive after the session’s end', async () => {
    const { session, statuses } = begin();
    void session.refresh();
    session.end();
    await statuses.answer(0, read(blocked));
    expect(session.verdict.value.tone).toBe('good');
  });

  it('the response to a status request does not overwrite a pool change that arrived during the request', async () => {
    const gate = { state: 'open', cause: null, reason: null, until: null } as const;
    const pool: Pool = {
      key: 'one',
      address: '0x1',
      withdrawals: gate,
      batches: gate,
      strict: false,
      money: {
        earned: null,
        earnedFri: '0',
        spentFri: '0',
        reservedFri: '0',
        lostFri: '0',
        succeeded: 0,
        reverted: 0,
        unsent: 0,
        losses: 0,
      },
    };
    const { session, statuses } = begin(status({ pools: [pool] }));
    void session.refresh();
    session.hearPool({ ...pool, withdrawals: { ...gate, state: 'paused', cause: 'operator' } });
    await statuses.answer(0, read(status({ pools: [pool] })));
    expect(session.status.value.value.pools[0]?.withdrawals.state).toBe('paused');
    session.end();
  });
});
