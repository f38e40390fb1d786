export const PLATFORMS: string[];
export function version(): string;
export function assemble(out: string, binaries: Record<string, string>): string[];

/** The folders of the packages for test runners. */
export const LIBRARIES: string[];

/** Writes `out/<name>` for each package for test runners. Returns the folders. */
export function assembleLibraries(out: string): string[];
