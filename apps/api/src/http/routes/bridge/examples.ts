export const EXAMPLE_TRANSFER_ID = 'tr_5f0c2a7e91b34d68';
