/** One HTTP request, complete: a transport adds nothing of its own but framing. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** In the order received, names in lower case; a repeated header is repeated here. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: Uint8Array;
}

/**
 * How bytes reach the API host. An implementation keeps no cookies, sends no Origin, Referer or Sec-Fetch header,
 * follows no redirect and repeats nothing: all of that is the client's business.
 */
export interface Transport {
  /**
   * Resolves with a complete answer of any status.
   * @throws TransportError when no complete answer came: connection, name, TLS, broken or truncated HTTP
   * @throws the signal's reason when it was aborted
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Lets go of idle connections. */
  close(): void;
}

/** The network failed, not the server: the only failure that is worth sending the same request again for. */
export class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TransportError';
  }
}
