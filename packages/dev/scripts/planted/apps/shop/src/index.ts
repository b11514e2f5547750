export const shop = 'shop';
