import { ArchiveFile } from '@sotto/adapter-store';
import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { LedgerArchive } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';

/** Interval between two runs of the archive, in ms. Each run that finds rows starts a new file. */
const ARCHIVE_INTERVAL_MS = 3_600_000;

/** If a folder is set, moves rows that the store no longer needs to files in this folder. */
export const archiveModule = ({ retention }: Pick<Settings, 'retention'>): AppModule =>
  new AppModule(({ bind }) => {
    const { archivePath, endedMs } = retention;
    if (archivePath === null) return;
    assemble(
      bind(BackgroundTask),
      { archive: LedgerArchive, clock: Clock, logger: Logger },
      ({ archive, clock, logger }) => ({
        name: 'archive',
        intervalMs: ARCHIVE_INTERVAL_MS,
        run: async () => {
          const file = new ArchiveFile(archivePath, clock.nowMs());
          try {
            const nonces = await archive.archive(endedMs, (rows) => file.keep(rows));
            if (nonces > 0) logger.info({ nonces }, 'archived');
          } finally {
            await file.close();
          }
        },
      }),
    );
  });
