export const bridge = 'bridge';
