/** COPY … FROM STDIN over the connection of the driver: the fastest way to load rows into Postgres. */
import type pg from 'pg';

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends one statement and its data. */
export function copyFrom(client: pg.Client, statement: string, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const ignore = () => undefined;
    client.query({
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        connection.sendCopyFromChunk(data);
        connection.endCopyFrom();
      },
      handleCommandComplete: ignore,
      handleRowDescription: ignore,
      handleDataRow: ignore,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    } as never);
  });
}
