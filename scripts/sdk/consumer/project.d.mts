export function pack(source: string, folder: string): string;
export function createProject(folder: string, name: string): void;
export function installSdk(folder: string, tarball: string): string[];
export function unpack(folder: string, name: string, tarball: string): void;
