/** A Postgres server and a streaming replica of it, for tests that pause, stop and start the replica. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCluster,
  installedBinaries,
  openFolder,
  run,
  type StartedServer,
  startCluster,
} from '../../scripts/support/postgres-server.mjs';

export interface ReplicatedServer {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Ends the replica as suddenly as a crash. */
  stopReplica(): void;
  startReplica(): void;
  /** Ends both and removes their folder. */
  remove(): void;
}

/** Undefined where no Postgres with pg_basebackup is installed. */
export const replicationBinaries = installedBinaries(['initdb', 'pg_ctl', 'pg_basebackup']);

/** Starts both servers. Takes a few seconds. */
export function replicatedServer(bin: string): ReplicatedServer {
  const folder = mkdtempSync(join(tmpdir(), 'svc-replica-'));
  openFolder(folder);
  const [primaryFolder, replicaFolder] = ['primary', 'replica'].map((name) => {
    const path = join(folder, name);
    mkdirSync(path);
    openFolder(path);
    return path;
  }) as [string, string];
  createCluster(bin, join(primaryFolder, 'data'));
  const primary = startCluster(bin, join(primaryFolder, 'data'), primaryFolder);
  const data = join(replicaFolder, 'data');
  const copy = ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  run(bin, 'pg_basebackup', [...copy, '-h', primaryFolder, '-U', 'postgres']);
  const start = (): StartedServer => startCluster(bin, data, replicaFolder, '-c hot_standby=on');
  let replica: StartedServer | undefined = start();
  const stopReplica = (): void => {
    replica?.stop();
    replica = undefined;
  };
  return {
    primaryUrl: primary.url,
    replicaUrl: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(replicaFolder)}`,
    stopReplica,
    startReplica: () => {
      replica ??= start();
    },
    remove: () => {
      stopReplica();
      primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
