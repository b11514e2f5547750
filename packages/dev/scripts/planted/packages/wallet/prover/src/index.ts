export const snark = 'snark';
