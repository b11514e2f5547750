import { Felts, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';

/**
 * Parses the felt at `path` of the request.
 * @throws InvalidFelt if the text is not a felt; the details contain the path
 */
export function readFelt(path: string, text: string): Felt {
  return located(path, () => toFelt(text));
}

/**
 * Parses all felts of the array at `path` in one pass.
 * @throws InvalidFelt if an element is not a felt; the details contain the path of the first such
 *   element
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
