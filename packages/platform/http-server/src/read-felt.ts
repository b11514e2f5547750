import { Felts, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';

/**
 * The felt that stands at `path` of the request.
 * @throws InvalidFelt with that path in its details.
 */
export function readFelt(path: string, text: string): Felt {
  return located(path, () => toFelt(text));
}

/**
 * All felts of the array at `path`, in one pass.
 * @throws InvalidFelt with the path of the first element that is not a felt.
 */
export function readFelts(path: string, texts: readonly string[]): Felts {
  return located(path, () => Felts.parse(texts));
}

function located<T>(path: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof InvalidFelt)) throw cause;
    const { index } = cause.details;
    throw new InvalidFelt({
      message: cause.message,
      cause,
      details: { path: index === undefined ? path : `${path}.${index}` },
    });
  }
}
