export const PLATFORMS: string[];
export function version(): string;
export function assemble(out: string, binaries: Record<string, string>): string[];
