/** Returns the code of the error that `action` throws or rejects with. */
export async function codeOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
