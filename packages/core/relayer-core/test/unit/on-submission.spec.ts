import { describe, expect, it } from '@jest/globals';
import { aDepositWorld } from '../support/deposit-world.js';
import { aSwapWorld } from '../support/swap-world.js';

const worlds = {
  'a deposit': () => aDepositWorld().deposit,
  'a private swap': () => aSwapWorld().swap,
};

const failing = async (): Promise<void> => {
  throw new Error('the list is full');
};

describe.each(Object.entries(worlds))('%s', (_name, start) => {
  it('calls the callback onSubmission with the submission’s id before waiting for the outcome', async () => {
    const submit = start();
    const named: (readonly [string, boolean])[] = [];
    const onSubmission = async (id: string, began: boolean): Promise<void> =>
      void named.push([id, began]);
    const { submissionId } = await submit({ onSubmission });
    await submit({ onSubmission });
    expect(named).toEqual([
      [submissionId, true],
      [submissionId, false],
    ]);
  });

  it('submits nothing if the callback beforeSubmission fails', async () => {
    const submit = start();
    await expect(submit({ beforeSubmission: failing })).rejects.toThrow('the list is full');
    const began: boolean[] = [];
    await submit({ onSubmission: async (_id, isNew) => void began.push(isNew) });
    expect(began).toEqual([true]);
  });

  it('calls the callback beforeSubmission once for a new request, and not for a repeated request', async () => {
    const submit = start();
    let requested = 0;
    const beforeSubmission = async (): Promise<void> => void (requested += 1);
    await submit({ beforeSubmission });
    await submit({ beforeSubmission });
    expect(requested).toBe(1);
  });

  it('a request rejects with the error of the callback onSubmission, although the submission continues', async () => {
    const submit = start();
    await expect(submit({ onSubmission: failing })).rejects.toThrow('the list is full');
    expect(await submit()).toMatchObject({ submissionId: 'attempt-1' });
  });
});
