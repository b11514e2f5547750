export const double = 'double';
