/** The parts of a Blob that the library uses, with bytes that can be read without waiting. */
export class ReadableBlob {
  readonly content: Uint8Array;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  get size(): number {
    return this.content.length;
  }

  // The library counts with 64-bit integers.
  slice(start: number | bigint, end: number | bigint): ReadableBlob {
    return new ReadableBlob(this.content.subarray(Number(start), Number(end)));
  }
}

/** Browsers have this class in workers; Node does not have it. */
export class FileReaderSync {
  readAsArrayBuffer({ content }: ReadableBlob): ArrayBuffer {
    return new Uint8Array(content).buffer;
  }
}
