export interface StartedServer {
  readonly url: string;
  /** Ends the server as suddenly as a crash. */
  stop(): void;
}
export function installedBinaries(names?: readonly string[]): string | undefined;
export function run(bin: string, name: string, args: readonly string[]): void;
export function openFolder(folder: string): void;
export function createCluster(bin: string, data: string): void;
export function startCluster(bin: string, data: string, folder: string, settings?: string): StartedServer;
