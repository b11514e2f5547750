import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { load, problemsOf } from './configuration.js';

const URL_OF_MANY = 'postgres://sotto:marker-password@db.example:5432/sotto?sslmode=verify-full';

describe('location of the ledger', () => {
  it('the ledger is a SQLite file unless DATABASE_URL is set', () => {
    expect(load().store).toEqual({ kind: 'sqlite', path: 'sotto.sqlite' });
    expect(load({ DATABASE_PATH: '/var/lib/sotto/ledger.sqlite' }).store).toEqual({
      kind: 'sqlite',
      path: '/var/lib/sotto/ledger.sqlite',
    });
  });

  it('the ledger is in the database of DATABASE_URL, which is set by a variable or a file', () => {
    const { store } = load({ DATABASE_URL: URL_OF_MANY, DATABASE_POOL_SIZE: '20' });
    expect(store).toMatchObject({ kind: 'postgres', poolSize: 20 });
    expect(store.kind === 'postgres' && store.url.reveal()).toBe(URL_OF_MANY);
    const { store: fromFile } = load(
      { DATABASE_URL_FILE: '/run/secrets/database' },
      { '/run/secrets/database': `${URL_OF_MANY}\n` },
    );
    expect(fromFile.kind === 'postgres' && fromFile.url.reveal()).toBe(URL_OF_MANY);
  });

  it('DATABASE_URL is never printed', () => {
    const settings = load({ DATABASE_URL: URL_OF_MANY });
    expect(inspect(settings, { depth: null }) + JSON.stringify(settings.store)).not.toContain(
      'marker',
    );
  });

  it.each([
    'https://db.example/sotto',
    'postgres://db.example',
    'db.example/sotto',
    'postgres://sotto:marker-100%@db.example/sotto',
    ' ',
  ])('rejects a DATABASE_URL that is not a PostgreSQL URL: %j', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([
      'DATABASE_URL: must be a postgres URL: postgres://user:password@host:5432/database, with special characters percent-encoded',
    ]);
  });

  it('rejects settings that contain both a SQLite file and a database URL', () => {
    expect(problemsOf({ DATABASE_URL: URL_OF_MANY, DATABASE_PATH: 'ledger.sqlite' })).toEqual([
      'DATABASE_URL: give either DATABASE_PATH or DATABASE_URL, not both',
    ]);
  });
});
