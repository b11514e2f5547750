/** What the promise rejects with. @throws Error when it does not */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => error,
  );
}
