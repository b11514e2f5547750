import { describe, expect, it } from '@jest/globals';
import { kindOf } from '../../src/measure/sql-kind.js';

describe('kinds of statements', () => {
  it.each([
    ['select 1 from attempts', 'read'],
    ['  SELECT seq from attempts for update', 'read'],
    ['with due as (select 1) select * from due', 'read'],
    ['pragma wal_checkpoint(passive)', 'read'],
    ['insert into lanes values (1)', 'write'],
    ['with due as (select 1) update lanes set nonce = 2', 'write'],
    ['delete from calldata', 'write'],
    ['set synchronous_commit = on', 'write'],
    ['begin immediate', 'transaction'],
    ['start transaction read only', 'transaction'],
    ['commit', 'transaction'],
    ['rollback', 'transaction'],
  ])('kindOf classifies the SQL statement %j as %s', (sql, kind) => {
    expect(kindOf(sql)).toBe(kind);
  });
});
