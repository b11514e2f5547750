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
  it('names its submission before it waits, and again when it is repeated', async () => {
    const submit = start();
    const named: string[] = [];
    const onSubmission = async (id: string): Promise<void> => void named.push(id);
    const { submissionId } = await submit({ onSubmission });
    await submit({ onSubmission });
    expect(named).toEqual([submissionId, submissionId]);
  });

  it('is answered by the error of what is called with its id, and goes on', async () => {
    const submit = start();
    await expect(submit({ onSubmission: failing })).rejects.toThrow('the list is full');
    expect(await submit()).toMatchObject({ submissionId: 'attempt-1' });
  });
});
