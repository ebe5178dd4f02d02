import { plainOutput } from '../../typescript/answer.ts';
import { jsonCall } from '../../typescript/json-call.ts';
import { createProcedures, type Outputs, type Procedures } from '../../typescript/procedures.ts';
import type { BrowserSender } from './browser-sender.ts';

/**
 * Every procedure of the API, as pages call them: `api.search.list({ filters })`. In the browser a call is one HTTP
 * request; on the server it is a call of the router in the same process.
 */
export type SiteApi = Procedures;

/** What is not a procedure: signing in and out, and the person's picture. Only in the browser. */
export interface Account {
  /** Has a code mailed to the address. */
  sendCode(email: string): Promise<void>;
  /** @throws ApiError with errorCode INVALID_OTP, OTP_EXPIRED or TOO_MANY_ATTEMPTS */
  signIn(email: string, code: string): Promise<void>;
  signOut(): Promise<void>;
  uploadAvatar(picture: Blob): Promise<Outputs['users']['getMe']>;
  removeAvatar(): Promise<void>;
}

/** The API as the browser reaches it. */
export function createBrowserApi(sender: BrowserSender): SiteApi {
  const { send } = sender;
  // Sessions are the browser's cookies, so every way of sending is the same.
  return createProcedures({ send, signIn: send, sendWith: (_ticket, call, options) => send(call, options) });
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
    async signOut() {
      await send(jsonCall('POST', '/api/auth/sign-out', {}));
    },
    async uploadAvatar(picture) {
      const form = new FormData();
      form.append('file', picture, 'avatar');
      const whole = new Response(form);
      const answer = await send(
        {
          method: 'POST',
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
