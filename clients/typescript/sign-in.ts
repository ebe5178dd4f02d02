import { plainOutput } from './answer.ts';
import { ApiError, NetworkError, TimeoutError } from './errors.ts';
import { jsonCall } from './json-call.ts';
import type { CallOptions, Sender } from './sender.ts';
import type { Session } from './session.ts';

/** The identity providers whose id tokens the API host takes; any other is refused by the server. */
export type IdentityProvider = 'apple' | 'google' | (string & Record<never, never>);

/** The signed-in account as sign-in tells it; `name` is empty for a new one: ask for it, then `users.updateProfile`. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Signing in and out (docs/contract.md#sign-in). The session itself is a cookie that callers never see. */
export interface SignIn {
  /** Has a code mailed to the address. */
  sendOtp(email: string, options?: CallOptions): Promise<void>;
  /** @throws ApiError with errorCode INVALID_OTP, OTP_EXPIRED or TOO_MANY_ATTEMPTS */
  signInWithOtp(given: { email: string; otp: string }, options?: CallOptions): Promise<SignedInUser>;
  /** `idToken` is what the provider's own sign-in on the device gave; no browser takes part. */
  signInSocial(
    given: { provider: IdentityProvider; idToken: string; nonce?: string },
    options?: CallOptions,
  ): Promise<SignedInUser>;
  /**
   * Signs out here at once, then on the server. `revoked` is false when the server was not reached: the session then
   * ends by its age.
   */
  signOut(options?: CallOptions): Promise<{ revoked: boolean }>;
  isSignedIn(): Promise<boolean>;
}

const PATH = '/api/auth';

export function createSignIn(sender: Sender, session: Session): SignIn {
  const signIn = async (path: string, body: unknown, options: CallOptions | undefined) => {
    const answer = await sender.signIn(jsonCall('POST', `${PATH}/sign-in/${path}`, body), options);
    return (plainOutput(answer) as { user: SignedInUser }).user;
  };
  return {
    async sendOtp(email, options) {
      const body = { email, type: 'sign-in' };
      await sender.send(jsonCall('POST', `${PATH}/email-otp/send-verification-otp`, body), options);
    },
    signInWithOtp: (given, options) => signIn('email-otp', given, options),
    signInSocial({ provider, idToken, nonce }, options) {
      const token = nonce === undefined ? idToken : { token: idToken, nonce };
      return signIn('social', { provider, idToken: token }, options);
    },
    async signOut(options) {
      const ticket = await session.ticket();
      await session.end('asked');
      if (ticket.sessionCookie === null) return { revoked: true };
      try {
        await sender.sendWith(ticket, jsonCall('POST', `${PATH}/sign-out`, {}), options);
        return { revoked: true };
      } catch (error) {
        if (error instanceof ApiError || error instanceof NetworkError || error instanceof TimeoutError) {
          return { revoked: false };
        }
        throw error;
      }
    },
    isSignedIn: () => session.isSignedIn(),
  };
}
