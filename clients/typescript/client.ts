import { createImages, type Images } from './images.ts';
import { createProcedures, type Procedures } from './procedures.ts';
import { createSender } from './sender.ts';
import { type SecureStore, Session, type SignOutReason } from './session.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { DEFAULT_RETRIES, type RetryPolicy, systemTiming, type Timing } from './timing.ts';
import type { Transport } from './transport.ts';

export interface ClientOptions {
  /** Origin of the API host. */
  readonly baseUrl: string;
  readonly transport: Transport;
  /** Where the session cookie survives a restart of the app. */
  readonly store: SecureStore;
  /** Called once per sign-out, whatever the reason: show the welcome screen. Must not throw. */
  readonly onSignedOut?: (reason: SignOutReason) => void;
  /** The store could not be written; the call that needed it went on. */
  readonly onStoreFailed?: (error: unknown) => void;
  readonly retries?: RetryPolicy;
  /** For each call, unless the call says otherwise. */
  readonly timeoutMs?: number;
  readonly timing?: Timing;
}

/** Every procedure by router and name, and the requests that are not procedures. */
export type Client = Procedures & {
  readonly auth: SignIn;
  readonly images: Images;
  /** Lets go of idle connections; calls under way end as they will. */
  close(): void;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * A client of the API host that keeps the rules of docs/contract.md#clients: one request per call, the Cookie header
 * its own, any 401 signs out, answers of 4xx and 5xx surface as they are, network failures are tried again.
 */
export function createClient(options: ClientOptions): Client {
  const { transport, store, timing = systemTiming, retries = DEFAULT_RETRIES } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, onSignedOut, onStoreFailed = () => {} } = options;
  const baseUrl = new URL(options.baseUrl).origin;
  const session = new Session({ store, now: timing.now, storeFailed: onStoreFailed });
  if (onSignedOut !== undefined) session.onSignedOut(onSignedOut);
  const sender = createSender({ baseUrl, transport, session, timing, retries, timeoutMs });
  return {
    ...createProcedures(sender),
    auth: createSignIn(sender, session),
    images: createImages(sender, { baseUrl, timing }),
    close: () => transport.close(),
  };
}
