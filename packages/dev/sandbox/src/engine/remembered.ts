/** More than wait in a pool at the same time. */
const KEPT_ANSWERS = 1_000;

/**
 * A pure function that keeps its newest answers. What it throws is not kept.
 * @param keyOf two arguments with the same key have the same answer
 */
export function remembered<Argument, Answer>(
  answer: (argument: Argument) => Answer,
  keyOf: (argument: Argument) => string,
): (argument: Argument) => Answer {
  const answers = new Map<string, { readonly value: Answer }>();
  return (argument) => {
    const key = keyOf(argument);
    const known = answers.get(key);
    if (known !== undefined) return known.value;
    const value = answer(argument);
    const oldest = answers.keys().next();
    if (answers.size >= KEPT_ANSWERS && oldest.done !== true) answers.delete(oldest.value);
    answers.set(key, { value });
    return value;
  };
}
