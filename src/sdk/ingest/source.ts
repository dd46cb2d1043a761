/** The sources of crawler logs. Texts are sent as UTF-8. */
export type IngestSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | readonly (Uint8Array | string)[];

/** Yields the bytes of the source in order. Ending the iteration early cancels the source. */
export async function* bytesOf(source: IngestSource): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunksOf(source)) {
    yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  }
}

const chunksOf = (source: IngestSource) =>
  Array.isArray(source) || Symbol.asyncIterator in Object(source)
    ? (source as AsyncIterable<Uint8Array | string>)
    : read(new Response(source as Blob).body!);

/** Iterates over a stream by its reader, because not every browser supports `for await` on streams. */
async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
