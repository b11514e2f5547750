import { describe, expect, it } from '@jest/globals';
import { ERRORS } from '@sotto/facts';
import { DomainError, domainError } from '@sotto/kernel';

class PoolPaused extends domainError('POOL_PAUSED') {}
class FeeTooLow extends domainError('FEE_TOO_LOW') {}
class PoolNotSupported extends domainError('POOL_NOT_SUPPORTED') {}

describe('domainError', () => {
  it('domainError creates a class whose static fields equal the entry in the error catalogue', () => {
    const { code, kind, meaning, remedy, retry } = PoolPaused;
    expect(code).toBe('POOL_PAUSED');
    const entry = ERRORS.POOL_PAUSED;
    expect({ ...entry, kind, meaning, remedy, retry }).toEqual(entry);
  });

  it('creates errors with the code, kind and meaning of the catalogue entry, and with the passed options', () => {
    const cause = new Error('rain');
    const failure = new PoolPaused({ cause, details: { cause: 'losses' }, retryAfterSeconds: 60 });
    expect(failure).toBeInstanceOf(DomainError);
    expect(failure).toMatchObject({
      name: 'PoolPaused',
      code: 'POOL_PAUSED',
      kind: ERRORS.POOL_PAUSED.kind,
      message: ERRORS.POOL_PAUSED.meaning,
      cause,
      details: { cause: 'losses' },
      retryAfterSeconds: 60,
    });
  });

  it.each([
    ['an errno', Object.assign(new Error('no'), { code: 'ENOSPC' }), 'ENOSPC'],
    ['the shortest errno', Object.assign(new Error('no'), { code: 'EIO' }), 'EIO'],
    ['an SQLSTATE', Object.assign(new Error('no'), { code: '53300' }), '53300'],
    [
      'a code further down',
      new Error('fetch', { cause: Object.assign(new Error('tls'), { code: 'CERT_HAS_EXPIRED' }) }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'the first of several',
      new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]),
      'ECONNREFUSED',
    ],
    [
      'the code of an error of ours',
      new PoolPaused({ retryAfterSeconds: 1, causeCode: 'SQLITE_FULL', details: { cause: 'x' } }),
      'SQLITE_FULL',
    ],
    ['no code of the catalogue', new PoolNotSupported(), null],
    ['no text', Object.assign(new Error('no'), { code: 'https://node/key' }), null],
    ['no number', Object.assign(new Error('no'), { code: 29 }), null],
    ['nothing that was thrown without being an error', 'ENOSPC', null],
    ['nothing without a cause', undefined, null],
  ])('returns the cause code of %s', (_what, cause, causeCode) => {
    expect(new PoolNotSupported({ cause }).causeCode).toBe(causeCode);
  });

  it('replaces the default message if a message is passed', () => {
    expect(new PoolNotSupported({ message: 'the pool is of yesterday' })).toMatchObject({
      code: 'POOL_NOT_SUPPORTED',
      message: 'the pool is of yesterday',
    });
    expect(new PoolNotSupported().message).toBe(ERRORS.POOL_NOT_SUPPORTED.meaning);
  });

  it('the type check rejects an error without the Retry-After that its catalogue entry requires', () => {
    // @ts-expect-error no such code
    expect(() => domainError('POOL_ON_FIRE')).toThrow(TypeError);
    // @ts-expect-error every answer with this code says when
    const paused = new PoolPaused({ details: { cause: 'losses' } });
    expect(paused.retryAfterSeconds).toBeUndefined();
  });

  it('the type check rejects an error without the details that its catalogue entry declares', () => {
    const offered = { offered: '1', required: '2' };
    expect(new FeeTooLow({ details: offered }).details).toEqual(offered);
    // @ts-expect-error `required` is missing
    const half = new FeeTooLow({ details: { offered: '1' } });
    // @ts-expect-error amounts are text
    const number = new FeeTooLow({ details: { offered: 1, required: '2' } });
    expect([half, number].map(({ code }) => code)).toEqual(['FEE_TOO_LOW', 'FEE_TOO_LOW']);
  });
});
