import { randomUUID } from 'node:crypto';
import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import { request } from 'undici';
import { MIN_STAGED_SIDE } from '../../../machines/vocabulary.ts';
import type { AppRouter } from '../../../src/api/routers/app.ts';
import { waitForMail } from '../stack/mailbox.ts';
import type { DemoPhoto } from './photos.ts';

/** An agent's app with only what the demo needs: a session cookie, typed procedures, the upload route. */
export interface AgentClient {
  readonly email: string;
  readonly userId: string;
  readonly api: Api;
  /** @returns the image's id, or why the API host rejected the file or would not stage it */
  upload(propertyId: string, photo: DemoPhoto): Promise<{ imageId: string } | { refused: string }>;
  /** The picture as the agent sees it, in full size. */
  picture(imageId: string): Promise<Buffer>;
}

export type Api = ReturnType<typeof createApi>;

const CODE = /\b\d{6}\b/;

/**
 * Signs in a new person by mailed code and makes that person an agent, as the apps do.
 * @throws Error with status and body when the API host rejects a step; StackError MAIL_NOT_SEEN
 */
export async function signInAgent({ url, mailDir }: { url: string; mailDir: string }): Promise<AgentClient> {
  const email = `agent-${randomUUID().slice(0, 8)}@proscenium.example`;
  await post(`${url}/api/auth/email-otp/send-verification-otp`, { email, type: 'sign-in' });
  const { email: mail } = await waitForMail(mailDir, { to: email });
  const otp = CODE.exec(mail.text ?? '')?.[0];
  if (otp === undefined) throw new Error('The sign-in mail holds no code of six digits.');
  const { cookies } = await post(`${url}/api/auth/sign-in/email-otp`, { email, otp });
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  const api = createApi(url, cookie);
  await api.users.updateProfile.mutate({ name: 'Dana Demo', locale: 'en' });
  const { id } = await api.users.becomeAgent.mutate({
    licenseNumber: 'DEMO-0001',
    officeName: 'Proscenium Demo Realty',
    phone: '+1 555 0100',
  });
  return {
    email,
    userId: id,
    api,
    upload: (propertyId, photo) => upload({ url, cookie }, propertyId, photo),
    picture: (imageId) => picture({ url, cookie }, imageId),
  };
}

function createApi(url: string, cookie: string) {
  const link = httpLink({ url: `${url}/api/trpc`, transformer: superjson, headers: { cookie } });
  return createTRPCClient<AppRouter>({ links: [link] });
}

/** Not `fetch`, which sends a browser's Sec-Fetch headers: native apps send neither those nor an Origin. */
async function post(url: string, body: unknown): Promise<{ cookies: string[] }> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`POST ${new URL(url).pathname}: ${answer.statusCode} ${text}`);
  return { cookies: [answer.headers['set-cookie'] ?? []].flat() };
}

async function upload(
  { url, cookie }: { url: string; cookie: string },
  propertyId: string,
  photo: DemoPhoto,
): Promise<{ imageId: string } | { refused: string }> {
  const form = new FormData();
  form.set('propertyId', propertyId);
  form.set('roomType', photo.room);
  form.set('file', new Blob([new Uint8Array(await photo.read())]), photo.fileName);
  const answer = await fetch(`${url}/api/property-images`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  });
  const body = (await answer.json()) as {
    imageId?: string;
    width?: number;
    height?: number;
    error?: { code: string; message: string };
  };
  const { imageId, width = 0, height = 0 } = body;
  if (answer.ok && Math.min(width, height) < MIN_STAGED_SIDE)
    return {
      refused: `${width} x ${height}: a photo with a side under ${MIN_STAGED_SIDE} px is not staged.`,
    };
  if (answer.ok && imageId !== undefined) return { imageId };
  return { refused: `HTTP ${answer.status} ${body.error?.code ?? ''}: ${body.error?.message ?? ''}` };
}

async function picture({ url, cookie }: { url: string; cookie: string }, imageId: string): Promise<Buffer> {
  const answer = await fetch(`${url}/api/images/${imageId}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`GET /api/images/${imageId}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}
