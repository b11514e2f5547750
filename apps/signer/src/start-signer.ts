import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { Book } from './book/book.js';
import { listen } from './server/listen.js';
import { signerHandler } from './server/handler.js';
import type { SignerSettings } from './settings.js';
import { Signer } from './signer.js';

export interface RunningSigner {
  readonly server: Server;
  stop(): Promise<void>;
}

/** Opens the book and starts to listen. @throws CannotStart with the name of the setting */
export async function startSigner(
  { policy, keys, bookPath, place }: SignerSettings,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
): Promise<RunningSigner> {
  const book = new Book(bookPath);
  const { perHourFri, perDayFri } = policy.budget;
  if (book.isNew)
    logger.warn(
      { book: bookPath, perHourFri: String(perHourFri), perDayFri: String(perDayFri) },
      'a new book begins, with the whole budget: right on a first start only',
    );
  try {
    const signer = new Signer(policy, keys, book, (line) => logger.info(line, 'signed'));
    const server = await listen(
      place,
      signerHandler(signer, (code, error) => {
        if (code === 'SIGNER_FAILED') logger.error({ code, error: placesOf(error) }, 'failed');
        else logger.warn({ code }, 'refused');
      }),
    );
    return {
      server,
      stop: async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeIdleConnections();
        await closed;
        book.close();
      },
    };
  } catch (error) {
    book.close();
    throw error;
  }
}

/**
 * Returns the type and the stack frames of an error. The message is omitted, because it may contain
 * parts of the request or a key.
 */
export function placesOf(error: unknown): {
  readonly name: string;
  readonly stack: readonly string[];
} {
  if (!(error instanceof Error)) return { name: typeof error, stack: [] };
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return { name: error.name, stack: lines.filter((line) => line.startsWith('at ')) };
}
