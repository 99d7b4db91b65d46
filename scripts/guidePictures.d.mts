export const pixelDensity: number;
export function darkOf(file: string): string;
