export const relayer = 'relayer';
