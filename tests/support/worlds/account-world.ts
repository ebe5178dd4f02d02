import { type ApiHost, type ApiHostOptions, startApiHost } from '../http/api-host.ts';
import type { Answer, Person } from '../http/person.ts';
import { openSmtpSink } from '../http/smtp-sink.ts';

/** The API host with an SMTP server of its own, and people who read their mail. */
export interface AccountWorld {
  readonly host: ApiHost;
  readonly sink: Awaited<ReturnType<typeof openSmtpSink>>;
  /** Asks for a code and reads it from the mail. */
  code(person: Person, purpose: 'Deletion' | 'Export' | 'Verification'): Promise<string>;
  /** Signs in with a mailed code, as the apps do; the Cookie header. */
  signIn(email: string, headers?: Record<string, string>): Promise<string>;
  /** Has a code to sign in mailed; what is returned uses it. */
  aboutToSignIn(email: string, headers?: Record<string, string>): Promise<() => Promise<Answer>>;
  close(): Promise<void>;
}

export async function openAccountWorld(options: ApiHostOptions = {}): Promise<AccountWorld> {
  const sink = await openSmtpSink();
  const host = await startApiHost({ ...options, settings: { SMTP_URL: sink.url, ...options.settings } });
  const codeIn = (to: string): string => {
    const mail = sink.mails.findLast((one) => one.to === to);
    const code = /\b(\d{6})\b/.exec(mail?.email.text ?? '')?.[1];
    if (code === undefined) throw new Error(`no code was mailed to ${to}`);
    return code;
  };
  const aboutToSignIn = async (email: string, headers: Record<string, string> = {}) => {
    const asked = host.anonymous();
    const send = (path: string, body: object) =>
      asked.send('POST', `/api/auth/${path}`, { body: JSON.stringify(body), headers });
    await send('email-otp/send-verification-otp', { email, type: 'sign-in' });
    const otp = codeIn(email);
    return () => send('sign-in/email-otp', { email, otp });
  };
  return {
    host,
    sink,
    async code(person, purpose) {
      const answer = await person.mutate(`users.request${purpose}`, {});
      if (answer.status !== 200) throw new Error(`no code: ${answer.text}`);
      return codeIn(`${person.id}@example.com`);
    },
    aboutToSignIn,
    async signIn(email, headers) {
      const answer = await (await aboutToSignIn(email, headers))();
      return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    },
    async close() {
      await host.stop();
      await sink.close();
    },
  };
}
