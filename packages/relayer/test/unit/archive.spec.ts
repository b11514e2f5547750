import { expect, it } from '@jest/globals';
import { load, problemsOf } from './configuration.js';

const WEEK_MS = 7 * 86_400_000;

it('rows are archived only if a folder is set', () => {
  expect(load().retention).toMatchObject({ archivePath: null, endedMs: 90 * 86_400_000 });
  expect(
    load({ ARCHIVE_PATH: 'ended', ENDED_RETENTION_MS: String(WEEK_MS) }).retention,
  ).toMatchObject({ archivePath: 'ended', endedMs: WEEK_MS });
  expect(problemsOf({ ENDED_RETENTION_MS: String(WEEK_MS - 1) })).toEqual([
    expect.stringContaining('ENDED_RETENTION_MS'),
  ]);
});
