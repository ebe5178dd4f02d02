import { plainOutput } from '../../typescript/answer.ts';
import { jsonCall } from '../../typescript/json-call.ts';
import { QUERIES } from '../../typescript/procedure-kinds.ts';
import type { Outputs, Procedures } from '../../typescript/procedures.ts';
import type { Call, CallOptions } from '../../typescript/sender.ts';
import type { BrowserSender } from './browser-sender.ts';

/**
 * Every procedure of the API, as pages call them: `api.search.list({ filters })`. In the browser a call is one HTTP
 * request; on the server it is a call of the router in the same process.
 */
export type SiteApi = Procedures;

export type Provider = 'google' | 'apple';

/** What an identity provider says about a person. */
export interface ProviderToken {
  readonly token: string;
  readonly nonce: string;
  /** Apple names a person at the first sign-in only, and outside the token. */
  readonly user?: unknown;
}

/** Both come back from the provider: the state next to the token, the nonce in it. */
export interface ProviderRequest {
  readonly state: string;
  readonly nonce: string;
}

/** What is not a procedure: signing in and out, and the person's picture. Only in the browser. */
export interface Account {
  /** Has a code mailed to the address. */
  sendCode(email: string): Promise<void>;
  /** @throws ApiError with errorCode INVALID_OTP, OTP_EXPIRED or TOO_MANY_ATTEMPTS */
  signIn(email: string, code: string): Promise<void>;
  /** What this browser takes to a provider; the token that comes back works here only, and once. */
  beginWithProvider(): Promise<ProviderRequest>;
  /** @throws ApiError with errorCode INVALID_TOKEN or EMAIL_NOT_VERIFIED */
  signInWith(provider: Provider, idToken: ProviderToken, state: string): Promise<void>;
  signOut(): Promise<void>;
  uploadAvatar(picture: Blob): Promise<Outputs['users']['getMe']>;
  removeAvatar(): Promise<void>;
}

/** Longer addresses do not pass everywhere: then a query goes by POST, as every query may. */
const LONGEST_ADDRESS = 4_000;

type Procedure = (input?: unknown, options?: CallOptions) => Promise<unknown>;

/**
 * The API as the browser reaches it. Answers and inputs of the pages are plain JSON, so the envelope needs no library, and
 * procedures are made when they are named: what a page loads before it works is kept small.
 */
export function createBrowserApi({ send }: BrowserSender): SiteApi {
  const procedure =
    (router: string, name: string): Procedure =>
    async (input, options) => {
      const answer = plainOutput(await send(callOf(router, name, input), options));
      return (answer as { result: { data: { json: unknown } } }).result.data.json;
    };
  return named((router) => named((name) => procedure(router, name))) as unknown as SiteApi;
}

/** An object that makes each of its properties when it is read. */
const named = <T>(make: (name: string) => T): object =>
  new Proxy({}, { get: (_, name) => make(String(name)) });

function callOf(router: string, name: string, input: unknown): Call {
  const url = `/api/trpc/${router}.${name}`;
  const isQuery = QUERIES[router]?.split(' ').includes(name) === true;
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  if (isQuery && url.length + query.length <= LONGEST_ADDRESS) return { method: 'GET', path: url + query };
  return {
    // No input is null: JSON would leave the key out.
    ...jsonCall('POST', url, { json: input ?? null }),
    ...(isQuery ? {} : { isRepeatable: true }),
  };
}

const UPLOAD_TIMEOUT_MS = 180_000;

export function createAccount({ send }: BrowserSender): Account {
  return {
    async sendCode(email) {
      await send(jsonCall('POST', '/api/auth/email-otp/send-verification-otp', { email, type: 'sign-in' }));
    },
    async signIn(email, otp) {
      await send(jsonCall('POST', '/api/auth/sign-in/email-otp', { email, otp }));
    },
    async beginWithProvider() {
      return plainOutput(await send(jsonCall('POST', '/api/auth/provider-request', {}))) as ProviderRequest;
    },
    async signInWith(provider, idToken, state) {
      await send(jsonCall('POST', '/api/auth/sign-in/social', { provider, idToken, state }));
    },
    async signOut() {
      await send(jsonCall('POST', '/api/auth/sign-out', {}));
    },
    async uploadAvatar(picture) {
      const form = new FormData();
      form.append('file', picture, 'avatar');
      const whole = new Response(form);
      const answer = await send(
        {
          method: 'PUT',
          path: '/api/users/avatar',
          contentType: whole.headers.get('content-type') ?? '',
          body: new Uint8Array(await whole.arrayBuffer()),
          isRepeatable: true,
        },
        { timeoutMs: UPLOAD_TIMEOUT_MS },
      );
      return plainOutput(answer) as Outputs['users']['getMe'];
    },
    async removeAvatar() {
      await send({ method: 'DELETE', path: '/api/users/avatar', isRepeatable: true });
    },
  };
}
